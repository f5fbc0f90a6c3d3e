// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * floor_switch.c - an empty hook at sched_switch: the least that anything costs that follows
 * switches. Loaded by switch.sh in the boot where scripts are measured.
 */
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/tracepoint.h>

static struct tracepoint *sched_switch;

static notrace void on_switch(void *data, bool preempt, struct task_struct *prev,
			      struct task_struct *next)
{
}

static void find(struct tracepoint *tp, void *data)
{
	if (!strcmp(tp->name, "sched_switch"))
		sched_switch = tp;
}

static int __init floor_up(void)
{
	for_each_kernel_tracepoint(find, NULL);
	return sched_switch ? tracepoint_probe_register(sched_switch, on_switch, NULL) : -ENOENT;
}

static void __exit floor_down(void)
{
	tracepoint_probe_unregister(sched_switch, on_switch, NULL);
	tracepoint_synchronize_unregister();
}

module_init(floor_up);
module_exit(floor_down);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("what following context switches costs at least");
