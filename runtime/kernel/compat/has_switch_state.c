// SPDX-License-Identifier: GPL-2.0-or-later
/* has_switch_state.c - compiles if sched_switch says the state of the task that leaves (5.10 does not). */
#include <linux/mm_types.h>
#include <linux/sched.h>
#include <trace/events/sched.h>

static void switched(void *data, bool preempt, struct task_struct *prev, struct task_struct *next,
		     unsigned int prev_state)
{
}

void has_switch_state(void);
void has_switch_state(void)
{
	check_trace_callback_type_sched_switch(switched);
}
