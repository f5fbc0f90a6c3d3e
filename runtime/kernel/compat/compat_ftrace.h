/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat_ftrace.h - ftrace callbacks and filters. The scheme is that of compat.h. */
#ifndef LAPWING_KERNEL_COMPAT_FTRACE_H
#define LAPWING_KERNEL_COMPAT_FTRACE_H

#include <linux/errno.h>
#include <linux/ftrace.h>

/*
 * Callbacks get a struct ftrace_regs since Linux 5.11, with a macro to get pt_regs on machines that
 * do not define the struct. Older kernels pass pt_regs, or NULL if they were not requested; and
 * they protect a callback against recursion, unless it is declared safe, by silently dropping hits.
 */
#if defined(arch_ftrace_get_regs) || defined(CONFIG_HAVE_DYNAMIC_FTRACE_WITH_ARGS)
#define FTRACE_UNGUARDED 0
#else
#define ftrace_regs pt_regs
#define ftrace_get_regs(fregs) (fregs)
#define FTRACE_UNGUARDED FTRACE_OPS_FL_RECURSION_SAFE
#endif

/*
 * Adds ips[0..n) to a filter. The older interface takes one address at a time and copies the whole
 * filter for each: then a filter is limited to FILTER_MOST functions, and a function that ftrace
 * refuses (-EINVAL) is found by trying each.
 */
#ifdef HAS_FILTER_IPS
#define FILTER_ROUND 8192U	/* functions per call */
#define FILTER_MOST (1U << 30)	/* per filter */
#define FILTER_SIFT FILTER_ROUND	/* tried per call */
#else
#define FILTER_ROUND 512U
#define FILTER_MOST FILTER_ROUND
#define FILTER_SIFT 1U

static inline int ftrace_set_filter_ips(struct ftrace_ops *ops, unsigned long *ips, unsigned int n,
					int remove, int reset)
{
	unsigned int i;
	int rc = 0;

	for (i = 0; i < n && !rc; i++)
		rc = ftrace_set_filter_ip(ops, ips[i], remove, reset && !i);
	return rc;
}
#endif

#endif
