// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * function_filter.c - see function_filter.h.
 *
 * ftrace changes the code of all functions of one call without rescheduling: tens of thousands of
 * functions block a slow CPU for longer than the kernel's watchdog allows. So they are armed and
 * disarmed in rounds. Each round also costs a pass over all functions of the kernel and a copy of
 * the filter, so rounds are not small.
 *
 * A call accepts all of its addresses or none, and does not say which one it refuses. Those are
 * found by bisection, with the filter reset for each half: otherwise each call would copy all
 * functions accepted before.
 */
#include "runtime/kernel/probes/function_filter.h"

#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/sched.h>

#include "runtime/core/core.h"
#include "runtime/kernel/base/fault_inject.h"

#define FILTER_ROUND 8192U		/* functions per call */

static unsigned long *filter_ips;	/* [filter_n], sorted; those that ftrace accepts */
static u32 filter_n;
static u32 filter_narmed;		/* how many of them are armed, from the first */
static int filter_registered;

/* Appends the accepted ones of ips[0..n) to filter_ips. 0 or a negative error. */
static int filter_sift(struct ftrace_ops *ops, unsigned long *ips, u32 n,
		       void (*refuse)(unsigned long ip))
{
	int rc = n ? ftrace_set_filter_ips(ops, ips, n, 0, 1) : 0;
	u32 i;

	cond_resched();
	if (rc && rc != -EINVAL)
		return rc;
	if (rc && n == 1) {
		refuse(*ips);
		return 0;
	}
	if (rc)
		return filter_sift(ops, ips, n / 2, refuse)
			       ?: filter_sift(ops, ips + n / 2, n - n / 2, refuse);
	for (i = 0; i < n; i++)
		filter_ips[filter_n++] = ips[i];
	return 0;
}

int filter_load(struct ftrace_ops *ops, unsigned long *ips, u32 n, void (*refuse)(unsigned long ip))
{
	int rc;

	filter_ips = ips;
	filter_n = 0;
	rc = filter_sift(ops, ips, n, refuse);
	return rc ? rc : (int)filter_n;
}

static int filter_register(struct ftrace_ops *ops)
{
	int rc = fault_inject_error() ?: register_ftrace_function(ops);

	filter_registered = !rc;
	return rc;
}

int filter_arm(struct ftrace_ops *ops, struct progress *p)
{
	int rc = 0;

	while (filter_narmed < filter_n && !rc) {
		u32 n = min(FILTER_ROUND, filter_n - filter_narmed);

		rc = ftrace_set_filter_ips(ops, filter_ips + filter_narmed, n, 0, !filter_narmed);
		if (!rc && !filter_registered)
			rc = filter_register(ops);
		if (rc)
			break;
		filter_narmed += n;
		rc = progress_add(p, n);
	}
	return rc;
}

u32 filter_armed(void)
{
	return filter_narmed;
}

/* Leaves one round: with an empty filter ftrace would call ops for every function of the kernel. */
static void filter_shrink(struct ftrace_ops *ops, struct progress *p)
{
	while (filter_narmed > FILTER_ROUND) {
		u32 n = min(FILTER_ROUND, filter_narmed - FILTER_ROUND);

		/*
		 * if a function's module is gone, its whole round stays: it goes with the rest, at
		 * the end
		 */
		ftrace_set_filter_ips(ops, filter_ips + filter_narmed - n, n, 1, 0);
		filter_narmed -= n;
		progress_add(p, n);
	}
}

void filter_disarm(struct ftrace_ops *ops, struct progress *p)
{
	if (filter_registered) {
		filter_shrink(ops, p);
		unregister_ftrace_function(ops);
	}
	progress_add(p, filter_narmed);
	filter_registered = 0;
	filter_narmed = 0;
	ftrace_free_filter(ops);	/* ops may have a filter without being registered */
	runtime_free(filter_ips);
	filter_ips = NULL;
	filter_n = 0;
}
