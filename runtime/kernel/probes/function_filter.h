/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * function_filter.h - the functions for which an ftrace callback is called: registered in rounds.
 *
 * Process context; start and stop only, which exclude each other.
 */
#ifndef LAPWING_KERNEL_FUNCTION_FILTER_H
#define LAPWING_KERNEL_FUNCTION_FILTER_H

#include <linux/ftrace.h>

#include "runtime/kernel/transport/progress.h"

/*
 * Takes the addresses of ips[0..n), sorted and unique, that ftrace accepts, and calls refuse() for
 * each of the others. The filter takes over ips and frees it (runtime_alloc); in ops it uses the
 * callback and the flags. Returns the number accepted, or a negative error: ips is taken over
 * nevertheless.
 */
int filter_load(const struct ftrace_ops *ops, unsigned long *ips, u32 n,
		void (*refuse)(unsigned long ip));
/* Arms them. 0, or a negative error: some may be armed; -EINTR: the run is to end. */
int filter_arm(struct progress *p);
u32 filter_armed(void);		/* number of armed functions */
/* Undoes both, even if incomplete. Waits until no thread can be in the callback any more. */
void filter_disarm(struct progress *p);

#endif
