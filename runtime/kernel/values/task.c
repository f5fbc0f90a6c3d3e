// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * task.c - information for handlers on the current task, the CPU and the place of the hit.
 */
#include <linux/cred.h>
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/ptrace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "runtime/core/bytes.h"
#include "runtime/kernel/context/arg.h"
#include "runtime/kernel/context/context.h"

/*
 * comm may change concurrently: its 16 bytes are copied once, and the length is that of the copy.
 */
notrace void runtime_comm(struct rt_ctx *c)
{
	u64 low = bytes_load8(current->comm), high = bytes_load8(current->comm + 8);
	u32 n = bytes_before_nul(low);

	barrier();
	memcpy(c->comm, &low, 8);
	memcpy(c->comm + 8, &high, 8);
	if (n == 8)
		n += bytes_before_nul(high | 0xffULL << 56);
	c->comm_len = (u8)(n < sizeof(c->comm) ? n : sizeof(c->comm) - 1);
}

/* Copies comm with the bytes after its end: the reader truncates it. */
notrace void rt_item_execname(struct rt_ctx *c, s64 *to)
{
	u64 low = bytes_load8(current->comm), high = bytes_load8(current->comm + 8);

	*(u32 *)to = sizeof(c->comm) - 1;
	memcpy((char *)to + 4, &low, 8);
	memcpy((char *)to + 12, &high, 8);
	*((u32 *)to + 5) = 0;
}

notrace s64 rt_pid(struct rt_ctx *c) { return current->tgid; }
notrace s64 rt_tid(struct rt_ctx *c) { return current->pid; }
notrace s64 rt_thread(struct rt_ctx *c) { return (s64)current->tgid << 32 | (u32)current->pid; }

s64 rt_ppid(struct rt_ctx *c)
{
	s64 pid;

	rcu_read_lock();
	pid = rcu_dereference(current->real_parent)->tgid;
	rcu_read_unlock();
	return pid;
}

s64 rt_uid(struct rt_ctx *c)
{
	return from_kuid(&init_user_ns, current_uid());
}

s64 rt_gid(struct rt_ctx *c) { return from_kgid(&init_user_ns, current_gid()); }
s64 rt_euid(struct rt_ctx *c) { return from_kuid(&init_user_ns, current_euid()); }
s64 rt_egid(struct rt_ctx *c) { return from_kgid(&init_user_ns, current_egid()); }
s64 rt_pgrp(struct rt_ctx *c) { return task_pgrp_nr_ns(current, &init_pid_ns); }
s64 rt_sid(struct rt_ctx *c) { return task_session_nr_ns(current, &init_pid_ns); }

s64 rt_ns_uid(struct rt_ctx *c) { return from_kuid_munged(current_user_ns(), current_uid()); }
s64 rt_ns_gid(struct rt_ctx *c) { return from_kgid_munged(current_user_ns(), current_gid()); }
s64 rt_ns_euid(struct rt_ctx *c) { return from_kuid_munged(current_user_ns(), current_euid()); }
s64 rt_ns_egid(struct rt_ctx *c) { return from_kgid_munged(current_user_ns(), current_egid()); }

s64 rt_ns_pid(struct rt_ctx *c) { return task_tgid_vnr(current); }
s64 rt_ns_tid(struct rt_ctx *c) { return task_pid_vnr(current); }
s64 rt_ns_ppid(struct rt_ctx *c) { return task_ppid_nr_ns(current, task_active_pid_ns(current)); }
s64 rt_ns_pgrp(struct rt_ctx *c) { return task_pgrp_vnr(current); }
s64 rt_ns_sid(struct rt_ctx *c) { return task_session_vnr(current); }

s64 rt_task_current(struct rt_ctx *c) { return (s64)(unsigned long)current; }

static struct task_struct *task_find(s64 pid)
{
	return pid > 0 && pid <= INT_MAX
		       ? pid_task(find_pid_ns((int)pid, &init_pid_ns), PIDTYPE_PID)
		       : NULL;
}

s64 rt_pid2task(struct rt_ctx *c, s64 pid)
{
	s64 task;

	rcu_read_lock();
	task = (s64)(unsigned long)task_find(pid);
	rcu_read_unlock();
	return task;
}

struct rt_str rt_pid2execname(struct rt_ctx *c, s64 pid)
{
	struct rt_str name = RT_STR("");
	struct task_struct *t;

	rcu_read_lock();
	t = task_find(pid);
	if (t)
		name = rt_dup(c,
			      (struct rt_str){ t->comm, (u16)strnlen(t->comm, sizeof(t->comm)) });
	rcu_read_unlock();
	return name;
}

s64 rt_mm_address(struct rt_ctx *c, s64 which)
{
	const struct mm_struct *mm = current->flags & PF_KTHREAD ? NULL : current->mm;

	if (!mm)
		return 0;
	return (s64)(which == 0 ? mm->arg_start
		     : which == 1 ? mm->arg_end
		     : which == 2 ? mm->env_start
		     : mm->env_end);
}

s64 rt_stack_size(struct rt_ctx *c) { return THREAD_SIZE; }

s64 rt_stack_used(struct rt_ctx *c)
{
	unsigned long used =
		(unsigned long)task_stack_page(current) + THREAD_SIZE - current_stack_pointer;

	return used <= THREAD_SIZE ? (s64)used : 0;	/* an interrupt's own stack */
}

s64 rt_user_mode(struct rt_ctx *c)
{
	return arg_user_mode(c);
}

s64 rt_addr(struct rt_ctx *c)
{
	unsigned long ip = arg_function(c);

	if (ip)
		return (s64)ip;
	return c->regs ? (s64)instruction_pointer((struct pt_regs *)c->regs) : 0;
}

s64 rt_uaddr(struct rt_ctx *c)
{
	struct pt_regs *regs = c->regs;

	if (arg_user_mode(c))
		return (s64)instruction_pointer(regs);
	if (!current->mm || current->flags & PF_KTHREAD)
		return 0;
	return (s64)instruction_pointer(task_pt_regs(current));
}

/*
 * Counts each hit once: the number of its probe's completed hits identifies it. The first page's
 * addresses do not count: nothing is mapped there.
 */
static void task_unread(struct rt_ctx *c, u64 from)
{
	struct context *x = container_of(c, struct context, ctx);
	struct wire_account *books = context_books(x, c->probe);

	if (from < PAGE_SIZE || (x->unread == c->probe && x->unread_after == books->completed))
		return;
	x->unread = c->probe;
	x->unread_after = books->completed;
	books->unread++;
}

/* Does not wait for a user page that is not present: the read fails instead. */
long runtime_copy(struct rt_ctx *c, void *to, u64 from, u32 n, int user)
{
	long rc;

	if (user) {
		rc = copy_from_user_nofault(to, (const void __user *)(unsigned long)from, n);
		if (rc)
			task_unread(c, from);
		return rc;
	}
	return copy_from_kernel_nofault(to, (const void *)(unsigned long)from, n);
}
