/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counters.h - checks whether events fit into this machine's counters, all at the same time and
 * permanently.
 *
 * libc only. Leaves nothing open.
 */
#ifndef LAPWING_COUNTERS_H
#define LAPWING_COUNTERS_H

#include <stdint.h>
#include <stdio.h>

struct counter {
	const char	*name;
	uint32_t	type;
	uint64_t	config[3];
	unsigned	precise;
	int		exclude_user, exclude_kernel, exclude_hv;
	uint64_t	period;		/* 0: count only */
	/*
	 * counters_try(): 0: it fits; EBUSY: all counters are in use; else why it cannot be opened
	 */
	int		error;
};

/*
 * Opens all of them on a CPU, pinned, and sets their errors. Returns how many fit. For a user
 * without permission, opens events of this thread's user code.
 */
unsigned counters_try(struct counter *c, unsigned n, int cpu);
/* The same on all CPUs: an event fits if it fits on some of them. */
unsigned counters_try_all(struct counter *c, unsigned n);
/*
 * Prints why events do not fit and what to do, one line each after prefix, ended by failure_end()
 * if there is a number. Returns 1 if any does not fit.
 */
int counters_explain(const struct counter *c, unsigned n, const char *prefix, const char *number,
		     FILE *to);

#endif
