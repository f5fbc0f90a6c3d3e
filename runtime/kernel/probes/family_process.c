// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * family_process.c - begin, end and system calls of processes and threads.
 *
 * Begins and ends come from life.c, tasks that already exist from existing_tasks.c, system calls
 * from the kernel's tracepoints sys_enter and sys_exit. The child for -c does not count as the
 * target before it executes its command.
 */
#include <linux/err.h>
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include <asm/syscall.h>

#include "runtime/core/core.h"
#include "runtime/core/refuse.h"
#include "runtime/kernel/base/fault_inject.h"
#include "runtime/kernel/compat/compat_names.h"
#include "runtime/kernel/context/enter.h"
#include "runtime/kernel/probes/exe_file.h"
#include "runtime/kernel/probes/existing_tasks.h"
#include "runtime/kernel/probes/family.h"
#include "runtime/kernel/probes/family_tracepoint.h"
#include "runtime/kernel/probes/life.h"
#include "runtime/kernel/probes/target_tree.h"

/* Constant between start and stop. */
static const struct rt_process *process_rows;
static struct inode **process_inodes;		/* per row; NULL: any program */
/* process_events: one bit for each enum rt_process_event with rows */
static u32 process_n, process_events;
/* the child for -c until it executes its command; 0: none */
static s32 process_waiting;

/* ---- hits -----------------------------------------------------------------------*/

static notrace int process_matches(u32 i)
{
	const struct rt_process *row = &process_rows[i];

	if (row->pid)
		return current->tgid == row->pid;
	if (process_inodes[i])
		return exe_runs(current->mm, process_inodes[i]);
	return !row->target || !run_target.pid ||
	       (current->tgid != READ_ONCE(process_waiting) && target_has_current());
}

static notrace void process_tell(enum rt_process_event event, struct pt_regs *regs)
{
	u32 i;

	if (!(process_events & 1U << event) || !current->mm ||
	    current->flags & (PF_KTHREAD | PF_IO_WORKER))
		return;
	for (i = 0; i < process_n; i++)
		if (process_rows[i].event == event && process_matches(i))
			enter_here(process_rows[i].probe, regs, 0);
}

static notrace void process_begins(void)
{
	process_tell(thread_group_leader(current) ? RT_PROCESS_BEGIN : RT_THREAD_BEGIN, NULL);
}

static notrace void process_new(void)
{
	if (existing_tasks_new())
		process_begins();
}

static notrace void process_leaves(void)
{
	existing_tasks_meet();
	process_tell(RT_PROCESS_END, NULL);
}

static notrace void process_execs(void)
{
	if (current->tgid == process_waiting)
		WRITE_ONCE(process_waiting, 0);
	process_tell(RT_PROCESS_BEGIN, NULL);
}

/*
 * A leader that exits because another thread called exec passes its role on: the process goes on.
 */
static notrace void process_exits(void)
{
	const struct task_struct *heir = current->signal->group_exec_task;

	existing_tasks_meet();
	if (!thread_group_leader(current))
		process_tell(RT_THREAD_END, NULL);
	else if (!heir || heir == current)
		process_tell(RT_PROCESS_END, NULL);
}

static notrace void process_syscall(void *data, struct pt_regs *regs, long number)
{
	existing_tasks_meet();
	process_tell(RT_PROCESS_SYSCALL, regs);
}

static notrace void process_syscall_return(void *data, struct pt_regs *regs, long result)
{
	process_tell(RT_PROCESS_SYSCALL_RETURN, regs);
}

s64 rt_syscall_number(struct rt_ctx *c)
{
	return current->mm && !(current->flags & PF_KTHREAD)
		       ? syscall_get_nr(current, task_pt_regs(current))
		       : -1;
}

/* ---- arming -----------------------------------------------------------------------*/

#define BEGINS	(1U << RT_PROCESS_BEGIN | 1U << RT_THREAD_BEGIN)
#define ENDS	(1U << RT_PROCESS_END | 1U << RT_THREAD_END)

static const struct turn {
	enum life_turn	turn;
	void		(*told)(void);
	u32		events;		/* events that need it */
} process_turns[] = {
	{ LIFE_NEW,	process_new,	BEGINS },
	{ LIFE_LEAVE,	process_leaves,	1U << RT_PROCESS_END },
	{ LIFE_EXEC,	process_execs,	~0U },
	{ LIFE_EXIT,	process_exits,	BEGINS | ENDS },
};

static struct call_point {
	const char	*name;
	void		*told;
	u32		events;
	struct tracepoint *armed;
} process_calls[] = {
	{ "sys_enter", (void *)process_syscall, 1U << RT_PROCESS_SYSCALL, NULL },
	{ "sys_exit", (void *)process_syscall_return, 1U << RT_PROCESS_SYSCALL_RETURN, NULL },
};

static int process_arm_call(struct call_point *p)
{
	struct tracepoint *tp = tracepoint_named(p->name);
	int rc =
		tp ? fault_inject_error() ?: tracepoint_probe_register(tp, p->told, NULL) : -ENOENT;

	p->armed = rc ? NULL : tp;
	return rc;
}

static void process_stop(const void *rows, u32 n)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(process_calls); i++) {
		if (process_calls[i].armed)
			tracepoint_probe_unregister(process_calls[i].armed, process_calls[i].told,
						    NULL);
		process_calls[i].armed = NULL;
	}
	for (i = 0; i < ARRAY_SIZE(process_turns); i++)
		if (process_events & process_turns[i].events)
			life_forget(process_turns[i].turn, process_turns[i].told);
	existing_tasks_stop();
	tracepoint_synchronize_unregister();
	for (i = 0; process_inodes && i < n; i++)
		iput(process_inodes[i]);
	runtime_free(process_inodes);
	process_inodes = NULL;
	process_events = 0;
}

static const struct refusal process_refusals[] = {
	{ -ENOENT,	RUN_FILE_NONE },
	{ 0,		RUN_REGISTRATION },
};

static int process_load(const struct rt_process *row, u32 n)
{
	u32 i;

	process_inodes = runtime_alloc((u64)n * sizeof(*process_inodes) + 1);
	if (!process_inodes)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		struct inode *inode = row[i].path ? exe_inode(row[i].path) : NULL;

		if (IS_ERR(inode))
			return refuse_errno(row[i].probe, 0, (int)PTR_ERR(inode), process_refusals);
		process_inodes[i] = inode;
		process_events |= 1U << row[i].event;
	}
	process_rows = row;
	process_n = n;
	process_waiting = run_target.waits ? run_target.pid : 0;
	return 0;
}

static int process_start(const void *rows, u32 n)
{
	u32 i;
	int rc = process_load(rows, n);

	for (i = 0; i < ARRAY_SIZE(process_calls) && !rc; i++)
		if (process_events & process_calls[i].events)
			rc = process_arm_call(&process_calls[i]);
	for (i = 0; i < ARRAY_SIZE(process_turns) && !rc; i++)
		if (process_events & process_turns[i].events)
			rc = life_watch(process_turns[i].turn, process_turns[i].told);
	/* Last: new tasks report themselves from now on. */
	if (!rc && process_events & BEGINS)
		rc = existing_tasks_start(process_begins);
	if (rc)
		process_stop(rows, n);
	return rc;
}

const struct rt_family rt_family_process = {
	.name	= "process",
	.on_ftrace = 1,		/* life.h */
	.start	= process_start,
	.stop	= process_stop,
};
