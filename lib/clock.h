/* SPDX-License-Identifier: GPL-2.0-or-later */
/* clock.h - the clock of records, notes and timers. */
#ifndef LAPWING_LIB_CLOCK_H
#define LAPWING_LIB_CLOCK_H

#include <stdint.h>
#include <time.h>

/* ns of a clock. */
static inline uint64_t clock_of(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* CLOCK_MONOTONIC, ns. */
static inline uint64_t clock_ns(void)
{
	return clock_of(CLOCK_MONOTONIC);
}

#endif
