/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counters.h - do events fit into this machine's counters, all at once and for as long as they are wanted?
 *
 * libc only. Nothing stays open.
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
	uint64_t	period;		/* 0: it only counts */
	int		error;		/* counters_try(): 0: it fits; EBUSY: no counter is left for it; else why it cannot be opened */
};

/* Opens all of them on a CPU, pinned, and sets their errors. How many fit. A user who may not do so asks for this thread's user code. */
unsigned counters_try(struct counter *c, unsigned n, int cpu);
/* The same on all CPUs: those that fit on some of them fit. */
unsigned counters_try_all(struct counter *c, unsigned n);
/* What is wrong with those that do not fit and what to do, a line each behind prefix. 1: something is. */
int counters_explain(const struct counter *c, unsigned n, const char *prefix, FILE *to);

#endif
