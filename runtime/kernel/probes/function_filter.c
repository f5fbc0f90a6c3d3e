// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * function_filter.c - see function_filter.h.
 *
 * One ftrace call patches the code of all its functions without rescheduling: on a slow machine,
 * tens of thousands of them would monopolise a CPU longer than the kernel's watchdog allows. So
 * they are armed and disarmed in rounds. A round also costs a pass over all functions of the kernel
 * and a copy of the filter, so it is not small.
 *
 * A call takes all of its addresses or none, and does not say which one it refuses. Those are found
 * by bisection, each half with an empty filter: with earlier addresses in it, every call would copy
 * all of them.
 *
 * If the size of a filter is limited (compat_ftrace.h), several filters are used.
 */
#include "runtime/kernel/probes/function_filter.h"

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/sched.h>

#include "runtime/core/core.h"
#include "runtime/kernel/base/fault_inject.h"
#include "runtime/kernel/compat/compat_ftrace.h"

struct filter {
	struct ftrace_ops	ops;
	u32			narmed;
	int			registered;
};

static unsigned long *filter_ips;	/* [filter_n], sorted; those accepted by ftrace */
static u32 filter_n;
static u32 filter_narmed;		/* number of armed ones, from the start */
static struct filter *filters;		/* [nfilters]: of FILTER_MOST functions each */
static u32 nfilters;

/* Moves the accepted ones of ips[0..n) to the end of filter_ips. 0 or a negative error. */
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

int filter_load(const struct ftrace_ops *ops, unsigned long *ips, u32 n,
		void (*refuse)(unsigned long ip))
{
	u32 most = DIV_ROUND_UP(n, FILTER_MOST), i;
	int rc = 0;

	filter_ips = ips;
	filter_n = 0;
	filters = runtime_alloc((u64)most * sizeof(*filters) + 1);
	if (!filters)
		return -ENOMEM;
	nfilters = most;
	for (i = 0; i < most; i++) {
		filters[i].ops.func = ops->func;
		filters[i].ops.flags = ops->flags;
	}
	for (i = 0; i < n && !rc; i += FILTER_SIFT)
		rc = filter_sift(&filters->ops, ips + i, min(FILTER_SIFT, n - i), refuse);
	return rc ? rc : (int)filter_n;
}

static int filter_register(struct filter *f)
{
	int rc = fault_inject_error() ?: register_ftrace_function(&f->ops);

	f->registered = !rc;
	return rc;
}

int filter_arm(struct progress *p)
{
	int rc = 0;

	while (filter_narmed < filter_n && !rc) {
		struct filter *f = &filters[filter_narmed / FILTER_MOST];
		u32 n = min(FILTER_ROUND, filter_n - filter_narmed);

		rc = ftrace_set_filter_ips(&f->ops, filter_ips + filter_narmed, n, 0, !f->narmed);
		if (!rc && !f->registered)
			rc = filter_register(f);
		if (rc)
			break;
		f->narmed += n;
		filter_narmed += n;
		rc = progress_add(p, n);
	}
	return rc;
}

u32 filter_armed(void)
{
	return filter_narmed;
}

/* Removes all but the last round: for an empty filter ftrace would call for all functions. */
static void filter_shrink(struct filter *f, struct progress *p)
{
	while (f->narmed > FILTER_ROUND) {
		u32 n = min(FILTER_ROUND, f->narmed - FILTER_ROUND);

		/*
		 * a round with a function of an unloaded module fails as a whole: it is removed
		 * with the rest
		 */
		ftrace_set_filter_ips(&f->ops, filter_ips + filter_narmed - n, n, 1, 0);
		f->narmed -= n;
		filter_narmed -= n;
		progress_add(p, n);
	}
}

void filter_disarm(struct progress *p)
{
	struct filter *f;

	for (; nfilters; nfilters--) {		/* the last filter has the last functions */
		f = &filters[nfilters - 1];
		if (f->registered) {
			filter_shrink(f, p);
			unregister_ftrace_function(&f->ops);
		}
		filter_narmed -= f->narmed;
		progress_add(p, f->narmed);
		ftrace_set_filter(&f->ops, NULL, 0, 1);	/* frees it; an empty one takes no memory */
	}
	runtime_free(filters);
	filters = NULL;
	runtime_free(filter_ips);
	filter_ips = NULL;
	filter_n = 0;
}
