// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * target.c - see target.h.
 */
#include "runtime/kernel/context/target.h"

#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/threads.h>

#include "runtime/kernel/base/run_state.h"

unsigned long *target_bits;

notrace int target_has_current(void)
{
	return target_bits && target_has(current);
}

s64 rt_target(struct rt_ctx *c)
{
	return run_target.pid;
}

s64 rt_target_set_pid(struct rt_ctx *c, s64 pid)
{
	struct task_struct *t;
	int found;

	rcu_read_lock();
	t = target_bits && pid > 0 && pid < PID_MAX_LIMIT
		    ? pid_task(find_pid_ns((int)pid, &init_pid_ns), PIDTYPE_PID)
		    : NULL;
	found = t && target_has(t);
	rcu_read_unlock();
	return found;
}
