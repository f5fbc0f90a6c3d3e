// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * function_filter.c - see function_filter.h.
 *
 * ftrace changes the code of all functions of one call without rescheduling: tens of thousands of
 * functions block a slow CPU for longer than the kernel's watchdog allows. So they are armed and
 * disarmed in rounds. Each round also costs a pass over all functions of the kernel and a copy of
 * the filter, so rounds are not small.
 *
 * A part is an ftrace_ops and its filter. There is one, but on kernels where each address that is
 * added costs a copy of the filter: there a part has few functions.
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
#include "runtime/kernel/compat/compat_names.h"

#define FILTER_ROUND 8192U		/* functions per call */

static struct ftrace_ops *filter_parts;	/* [filter_nparts] */
static u32 filter_nparts;
static unsigned long *filter_ips;	/* [filter_n], sorted; those that ftrace accepts */
static u32 filter_n;
static u32 filter_narmed;		/* how many of them are armed, from the first */

/* Appends the accepted ones of ips[0..n) to filter_ips. 0 or a negative error. */
static int filter_sift(unsigned long *ips, u32 n, void (*refuse)(unsigned long ip))
{
	int rc = 0, halve = n > FILTER_PART;
	u32 i;

	if (n && !halve)
		rc = ftrace_set_filter_ips(filter_parts, ips, n, 0, 1);
	cond_resched();
	if (rc && rc != -EINVAL)
		return rc;
	if (rc && n == 1) {
		refuse(*ips);
		return 0;
	}
	if (rc || halve)
		return filter_sift(ips, n / 2, refuse)
			       ?: filter_sift(ips + n / 2, n - n / 2, refuse);
	for (i = 0; i < n; i++)
		filter_ips[filter_n++] = ips[i];
	return 0;
}

int filter_load(unsigned long *ips, u32 n, void (*refuse)(unsigned long ip))
{
	int rc;

	filter_ips = ips;
	filter_n = 0;
	filter_nparts = n / FILTER_PART + 1;
	filter_parts = runtime_alloc((u64)filter_nparts * sizeof(*filter_parts));
	if (!filter_parts)
		return -ENOMEM;
	rc = filter_sift(ips, n, refuse);
	return rc ? rc : (int)filter_n;
}

/* Adds a round to the part, and registers that if it is its first one. */
static int filter_add(struct ftrace_ops *part, const struct ftrace_ops *like, u32 n, int first)
{
	int rc = ftrace_set_filter_ips(part, filter_ips + filter_narmed, n, 0, first);

	if (rc || !first)
		return rc;
	part->func = like->func;
	part->flags |= like->flags;
	return fault_inject_error() ?: register_ftrace_function(part);
}

int filter_arm(const struct ftrace_ops *like, struct progress *p)
{
	int rc = 0;

	while (filter_narmed < filter_n && !rc) {
		u32 in_part = filter_narmed % FILTER_PART;
		u32 n = min3(FILTER_ROUND, filter_n - filter_narmed, FILTER_PART - in_part);

		rc = filter_add(&filter_parts[filter_narmed / FILTER_PART], like, n, !in_part);
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

/*
 * Disarms the last part, which begins at that function. Its last round goes by unregistering it:
 * with an empty filter ftrace would call it for every function of the kernel.
 */
static void filter_disarm_part(struct ftrace_ops *part, u32 first, struct progress *p)
{
	while (filter_narmed - first > FILTER_ROUND) {
		u32 n = min(FILTER_ROUND, filter_narmed - first - FILTER_ROUND);

		/*
		 * if a function's module is gone, its whole round stays: it goes with the rest, at
		 * the end
		 */
		ftrace_set_filter_ips(part, filter_ips + filter_narmed - n, n, 1, 0);
		filter_narmed -= n;
		progress_add(p, n);
	}
	unregister_ftrace_function(part);
	progress_add(p, filter_narmed - first);
	filter_narmed = first;
}

void filter_disarm(struct progress *p)
{
	u32 i;

	while (filter_narmed) {
		i = (filter_narmed - 1) / FILTER_PART;
		filter_disarm_part(&filter_parts[i], i * FILTER_PART, p);
	}
	for (i = 0; filter_parts && i < filter_nparts; i++)
		ftrace_set_filter(&filter_parts[i], NULL, 0, 1);	/* frees it */
	runtime_free(filter_parts);
	filter_parts = NULL;
	runtime_free(filter_ips);
	filter_ips = NULL;
	filter_n = 0;
}
