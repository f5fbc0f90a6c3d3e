/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * function_filter.h - the functions that ftrace calls a callback for, given to it in rounds.
 *
 * Process context; only at start and stop, which exclude each other.
 */
#ifndef LAPWING_KERNEL_FUNCTION_FILTER_H
#define LAPWING_KERNEL_FUNCTION_FILTER_H

#include <linux/ftrace.h>

#include "runtime/kernel/transport/progress.h"

/*
 * Accepts those of ips[0..n), sorted and unique, that ftrace accepts, and calls refuse() for each
 * of the others. The filter takes over ips (runtime_alloc) and frees it, even after an error.
 * Returns the number accepted, or a negative error.
 */
int filter_load(unsigned long *ips, u32 n, void (*refuse)(unsigned long ip));
/*
 * Makes ftrace call like->func, with like->flags, for the accepted functions. 0, or a negative
 * error: some may be armed; -EINTR: the run is to end.
 */
int filter_arm(const struct ftrace_ops *like, struct progress *p);
u32 filter_armed(void);		/* number of armed functions */
/* Undoes both, however far they got. Waits until no thread can be in the callback. */
void filter_disarm(struct progress *p);

#endif
