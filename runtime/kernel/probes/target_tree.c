// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * target_tree.c - see target_tree.h. There is a bit for each possible process ID; every fork sets
 * the child's bit to its parent's. A process that has ended keeps its bit until its ID is reused:
 * until then no process has that ID.
 */
#include "runtime/kernel/probes/target_tree.h"

#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/threads.h>
#include <linux/tracepoint.h>

#include "runtime/core/core.h"
#include "runtime/core/refuse.h"
#include "runtime/core/str.h"
#include "runtime/kernel/base/fault_inject.h"
#include "runtime/kernel/base/run_state.h"
#include "runtime/kernel/context/target.h"
#include "runtime/kernel/probes/family.h"
#include "runtime/kernel/probes/family_tracepoint.h"

static struct tracepoint *tree_forks;	/* while forks are followed */

/*
 * In the parent's context, before the child runs. tree_find() may be marking the parent at the same
 * time: then one of the two marks the child.
 */
static notrace void tree_forked(void *data, struct task_struct *parent, struct task_struct *child)
{
	if (child->tgid == parent->tgid)
		return;
	if (!target_has(parent))
		clear_bit(child->tgid, target_bits);
	smp_mb__after_atomic();
	if (target_has(parent))
		set_bit(child->tgid, target_bits);
}

/* Marks children of marked processes; returns how many were not marked. */
static u32 tree_find(void)
{
	struct task_struct *t;
	u32 n = 0;

	rcu_read_lock();
	for_each_process(t)
		if (!target_has(t) && target_has(rcu_dereference(t->real_parent))) {
			set_bit(t->tgid, target_bits);
			n++;
		}
	rcu_read_unlock();
	return n;
}

static int tree_row_asks(const struct rt_family *family, const void *rows, u32 i)
{
	if (family == &rt_family_process)
		return ((const struct rt_process *)rows)[i].target;
	return family == &rt_family_watchpoint && ((const struct rt_watchpoint *)rows)[i].target;
}

/* True if the script needs to know the target's processes. */
static int tree_is_asked(void)
{
	u32 f, i;

	if (run_target.only || rt_script.capture & RT_CAP_PARENT)
		return 1;
	for (f = 0; f < rt_script.nfamilies; f++)
		for (i = 0; i < rt_script.families[f].nrows; i++)
			if (tree_row_asks(rt_script.families[f].family, rt_script.families[f].rows,
					  i))
				return 1;
	return 0;
}

int target_tree_start(void)
{
	struct tracepoint *forks;
	int rc;

	if (run_target.pid <= 0 || run_target.pid >= PID_MAX_LIMIT || !tree_is_asked())
		return 0;
	target_bits = runtime_alloc(BITS_TO_LONGS(PID_MAX_LIMIT) * sizeof(long));
	forks = tracepoint_named("sched_process_fork");
	if (target_bits && !forks)
		core_error(RUN_FORKS, NULL);
	if (!target_bits || !forks)
		return target_bits ? -ENOENT : -ENOMEM;
	rc = fault_inject_error() ?: tracepoint_probe_register(forks, (void *)tree_forked, NULL);
	if (rc)
		return rc;
	tree_forks = forks;
	set_bit(run_target.pid, target_bits);
	while (tree_find())
		cond_resched();
	return 0;
}

void target_tree_stop(void)
{
	if (tree_forks)
		tracepoint_probe_unregister(tree_forks, (void *)tree_forked, NULL);
	tree_forks = NULL;
}

void target_tree_unload(void)
{
	if (!target_bits)
		return;
	tracepoint_synchronize_unregister();
	runtime_free(target_bits);
	target_bits = NULL;
}
