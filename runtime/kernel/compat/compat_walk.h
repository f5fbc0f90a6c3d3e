/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compat_walk.h - one step of a stack walk, per architecture: the kernel's own unwinder on x86-64
 * (whose kernel has no frame pointers), a walk along the frame records on arm64 (five times cheaper
 * than the kernel's).
 *
 * Any context; reads only memory that is surely mapped.
 */
#ifndef LAPWING_KERNEL_COMPAT_WALK_H
#define LAPWING_KERNEL_COMPAT_WALK_H

#include <linux/hash.h>
#include <linux/kprobes.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "runtime/core/caller.h"
#include "runtime/wire.h"

/* A hit at a function's entry is at most this many bytes after its start, where ftrace is called. */
#define WALK_ENTRY_SPAN 16

/* Where the true return addresses are of calls that a kretprobe waits for; 0: not known. */
struct walk_calls {
	unsigned long	trampoline;
	const struct hlist_head *table;
};

/*
 * The calls that a kretprobe waits for: on the stack the trampoline is their return address. Where
 * kretprobes are rethook's, the kernel's unwinder finds the true ones.
 */
#ifdef CONFIG_KRETPROBE_ON_RETHOOK
#define WALK_TRAMPOLINES { NULL, NULL }
#define WALK_CALLS NULL
#else
#define WALK_TRAMPOLINES { "__kretprobe_trampoline", "kretprobe_trampoline" }	/* the second: 5.10 */
#define WALK_CALLS_MAX	4096	/* the list may be changing: its task may be interrupted */

#ifdef HAS_GET_KRETPROBE
#define WALK_CALLS NULL			/* a list for each task */

static inline unsigned long walk_true(const struct walk_calls *calls, struct task_struct *task,
				      unsigned long frame)
{
	struct llist_node *n = READ_ONCE(task->kretprobe_instances.first);

	for (u32 left = WALK_CALLS_MAX; n && left; n = READ_ONCE(n->next), left--) {
		const struct kretprobe_instance *ri =
			llist_entry(n, struct kretprobe_instance, llist);
		unsigned long address = (unsigned long)ri->ret_addr;

		if ((unsigned long)ri->fp == frame && address != calls->trampoline)
			return address;
	}
	return 0;
}
#else
#define WALK_CALLS "kretprobe_inst_table"	/* lists of tasks, by hash */
#define WALK_CALLS_BITS	6		/* KPROBE_HASH_BITS of kernel/kprobes.c */

/*
 * Calls of other tasks come and go meanwhile: memory is read as if it could be gone, and a call of a
 * task that belongs to another list ends the search.
 */
static inline unsigned long walk_true(const struct walk_calls *calls, struct task_struct *task,
				      unsigned long frame)
{
	u32 list = hash_ptr(task, WALK_CALLS_BITS);
	const struct hlist_node *n = NULL;
	struct kretprobe_instance ri;

	if (calls->table)
		copy_from_kernel_nofault(&n, &calls->table[list].first, sizeof(n));
	for (u32 left = WALK_CALLS_MAX; n && left; n = ri.hlist.next, left--) {
		if (copy_from_kernel_nofault(
			    &ri, hlist_entry(n, struct kretprobe_instance, hlist), sizeof(ri)) ||
		    hash_ptr(ri.task, WALK_CALLS_BITS) != list)
			return 0;
		if (ri.task == task && (unsigned long)ri.fp == frame &&
		    (unsigned long)ri.ret_addr != calls->trampoline)
			return (unsigned long)ri.ret_addr;
	}
	return 0;
}
#endif
#endif

/*
 * The walk of one kernel stack, struct walk: walk_begin() or walk_begin_task(), then walk_next(),
 * until one of them returns 0.
 */
#ifdef CONFIG_ARM64

struct walk {
	struct task_struct *task;
	struct walk_calls calls;
	unsigned long	link;		/* an address found but not returned yet */
	unsigned long	fp, low, high;	/* the next record lies in [low, high) */
};

/* Strips the signature from a return address: a kernel address has all high bits set. */
static inline unsigned long walk_strip(unsigned long ip)
{
	return ip ? ip | GENMASK_ULL(63, 48) : 0;
}

/* Calls of kretprobes are known by the frames of their callers. */
static inline unsigned long walk_real(const struct walk *w, unsigned long ip)
{
	return ip && ip == w->calls.trampoline ? walk_true(&w->calls, w->task, w->fp) : ip;
}

static inline unsigned long walk_next(struct walk *w)
{
	unsigned long page = (unsigned long)task_stack_page(w->task), ip = w->link;

	if (ip) {
		w->link = 0;
		return ip;
	}
	/* Continues from an interrupt's stack in the task's stack, once. */
	if (w->fp < w->low || w->fp + 16 > w->high) {
		if (w->low >= page && w->low < page + THREAD_SIZE)
			return 0;
		w->low = page;
		w->high = page + THREAD_SIZE;
	}
	if (w->fp & 7 || w->fp < w->low || w->fp + 16 > w->high)
		return 0;
	ip = walk_strip(READ_ONCE_NOCHECK(((unsigned long *)w->fp)[1]));
	w->low = w->fp + 16;
	w->fp = READ_ONCE_NOCHECK(*(unsigned long *)w->fp);
	return walk_real(w, ip);
}

/*
 * start: the function whose first instruction was reached; it has no frame record of its own yet.
 */
static inline unsigned long walk_begin(struct walk *w, struct pt_regs *regs, unsigned long start,
				       struct walk_calls calls)
{
	unsigned long sp = regs ? regs->sp : current_stack_pointer;

	*w = (struct walk){ .task = current, .calls = calls, .low = sp, .high = ALIGN(sp + 1, THREAD_SIZE) };
	if (!regs) {
		w->fp = (unsigned long)__builtin_frame_address(0);
		return walk_next(w);
	}
	w->fp = regs->regs[29];
	if (start && regs->pc - start <= WALK_ENTRY_SPAN)
		w->link = walk_real(w, walk_strip(regs->regs[30]));
	return regs->pc;
}

/*
 * Walks another task, which may run meanwhile: the result is then useless but harmless. Under
 * rcu_read_lock(), which keeps the stack's memory.
 */
static inline unsigned long walk_begin_task(struct walk *w, struct task_struct *task,
					    struct walk_calls calls)
{
	unsigned long page = (unsigned long)task_stack_page(task);

	*w = (struct walk){ .task = task, .calls = calls, .low = page, .high = page + THREAD_SIZE,
			    .fp = thread_saved_fp(task) };
	return walk_strip(thread_saved_pc(task));
}

/*
 * The arm64 kernel has no table for this; code that is not called would not return by the address
 * in x30, so hooking it loses nothing.
 */
static inline bool walk_is_called(unsigned long ip)
{
	return true;
}

/* A user address without signature and tag. */
static inline unsigned long walk_user_address(unsigned long ip)
{
	return ip & GENMASK_ULL(47, 0);
}

static inline struct caller_frame walk_user_frame(const struct pt_regs *regs)
{
	return (struct caller_frame){ .ip = regs->pc,
				      .sp = regs->sp,
				      .fp = regs->regs[29],
				      .link = regs->regs[30],
				      .arm64 = 1,
				      .exact = 1 };
}

/* The registers by DWARF number. */
static inline struct wire_regs walk_user_regs(const struct pt_regs *regs)
{
	struct wire_regs user = { .ip = regs->pc, .machine = WIRE_ARM64 };

	memcpy(user.reg, regs->regs, sizeof(regs->regs));
	user.reg[31] = regs->sp;
	return user;
}

#else

#include <asm/unwind.h>

struct walk {
	struct unwind_state	state;
	struct walk_calls	calls;
};

/* Where kretprobes are rethook's, nobody asks. */
static inline void walk_keep(struct walk *w, struct walk_calls calls)
{
#ifndef CONFIG_KRETPROBE_ON_RETHOOK
	w->calls = calls;
#endif
}

static inline unsigned long walk_next(struct walk *w)
{
	unsigned long ip = unwind_done(&w->state) ? 0 : unwind_get_return_address(&w->state);

#if !defined(CONFIG_KRETPROBE_ON_RETHOOK) && defined(CONFIG_UNWINDER_ORC)
	/* Calls of kretprobes are known by where the return address is. */
	if (ip && ip == w->calls.trampoline)
		ip = w->state.ip = walk_true(&w->calls, w->state.task,
					     w->state.sp - sizeof(unsigned long));
#endif
	if (ip)
		unwind_next_frame(&w->state);
	return ip;
}

static inline unsigned long walk_begin(struct walk *w, struct pt_regs *regs, unsigned long start,
				       struct walk_calls calls)
{
	walk_keep(w, calls);
	unwind_start(&w->state, current, regs, NULL);
	/* with registers the kernel begins at their caller */
	return regs ? instruction_pointer(regs) : walk_next(w);
}

static inline unsigned long walk_begin_task(struct walk *w, struct task_struct *task,
					    struct walk_calls calls)
{
	walk_keep(w, calls);
	unwind_start(&w->state, task, NULL, NULL);
	return walk_next(w);
}

/*
 * True if the return address is on top of the stack at ip: then the kernel's unwinder finds the
 * caller there, which here is an address of ours. True without ORC tables.
 */
static inline bool walk_is_called(unsigned long ip)
{
	unsigned long stack[2] = { _THIS_IP_, 0 };
	struct pt_regs regs = {
		.ip = ip, .sp = (unsigned long)stack, .cs = __KERNEL_CS, .ss = __KERNEL_DS
	};
	struct walk w;

	if (!IS_ENABLED(CONFIG_UNWINDER_ORC))
		return true;
	walk_begin(&w, &regs, 0, (struct walk_calls){ 0 });
	return walk_next(&w) == stack[0];
}

static inline unsigned long walk_user_address(unsigned long ip)
{
	return ip;
}

static inline struct caller_frame walk_user_frame(const struct pt_regs *regs)
{
	return (struct caller_frame){ .ip = regs->ip, .sp = regs->sp, .fp = regs->bp, .exact = 1 };
}

static inline struct wire_regs walk_user_regs(const struct pt_regs *regs)
{
	return (struct wire_regs){ .ip = regs->ip,
				   .machine = WIRE_X86_64,
				   .reg = { regs->ax, regs->dx, regs->cx, regs->bx, regs->si,
					    regs->di, regs->bp, regs->sp, regs->r8, regs->r9,
					    regs->r10, regs->r11, regs->r12, regs->r13, regs->r14,
					    regs->r15 } };
}

#endif

#endif
