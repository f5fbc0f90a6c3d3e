/* SPDX-License-Identifier: GPL-2.0-or-later */
/* clock.h - the clock of records, notes and timers. */
#ifndef LAPWING_LIB_CLOCK_H
#define LAPWING_LIB_CLOCK_H

#include <stdint.h>
#include <time.h>

/* CLOCK_MONOTONIC, ns. */
static inline uint64_t clock_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

#endif
