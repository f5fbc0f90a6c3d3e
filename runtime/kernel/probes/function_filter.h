/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * function_filter.h - which functions one ftrace_ops is called for: told to ftrace some at a time.
 *
 * Process context; start and stop only, which exclude each other.
 */
#ifndef LAPWING_KERNEL_FUNCTION_FILTER_H
#define LAPWING_KERNEL_FUNCTION_FILTER_H

#include <linux/ftrace.h>

#include "runtime/kernel/transport/progress.h"

/*
 * Takes those of ips[0..n), sorted, each once, that ftrace takes, and calls refuse() for each of
 * the others. ips is kept, and is the filter's to free (runtime_alloc). How many were taken, or a
 * negative error: then it is kept as well.
 */
int filter_load(struct ftrace_ops *ops, unsigned long *ips, u32 n,
		void (*refuse)(unsigned long ip));
/*
 * Has ftrace call ops for them. 0, or a negative error: some may be armed; -EINTR: the run is to
 * end.
 */
int filter_arm(struct ftrace_ops *ops, struct progress *p);
u32 filter_armed(void);		/* number of armed functions */
/* Undoes both, whatever was done of them. Waits until no thread can be in the callback any more. */
void filter_disarm(struct ftrace_ops *ops, struct progress *p);

#endif
