// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * target.c - see target.h.
 */
#include "runtime/kernel/base/target.h"

#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#define TARGET_ANCESTORS 32	/* depth of ancestors checked for the target */

struct wire_target target_of_run;

/* Children of exited parents are reparented to init and do not count. */
static notrace int target_has(struct task_struct *t)
{
	int up, found = 0;

	for (up = 0; up < TARGET_ANCESTORS && t->tgid > 1 && !found; up++) {
		found = t->tgid == target_of_run.pid;
		t = rcu_dereference(t->real_parent);
	}
	return found;
}

notrace int target_has_current(void)
{
	int found;

	rcu_read_lock();
	found = target_has(current);
	rcu_read_unlock();
	return found;
}

s64 rt_target_set_pid(struct rt_ctx *c, s64 pid)
{
	struct task_struct *t;
	int found;

	rcu_read_lock();
	t = pid_task(find_pid_ns((int)pid, &init_pid_ns), PIDTYPE_PID);
	found = t && target_has(t);
	rcu_read_unlock();
	return found;
}

s64 rt_target(struct rt_ctx *c) { return target_of_run.pid; }
