// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * has_group_exec_task.c - compiles if the thread of a process that calls exec is
 * signal->group_exec_task (Linux 5.17).
 */
#include <linux/sched/signal.h>

const struct task_struct *has_group_exec_task(const struct signal_struct *signal);
const struct task_struct *has_group_exec_task(const struct signal_struct *signal)
{
	return signal->group_exec_task;
}
