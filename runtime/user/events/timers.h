/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timers.h - functions that are called at given times. Times are CLOCK_MONOTONIC ns.
 */
#ifndef LAPWING_USER_TIMERS_H
#define LAPWING_USER_TIMERS_H

#include "runtime/user/events/hit.h"

/* due() is called at the due time and returns the next one. */
void timers_add(const void *row, u64 first, u64 (*due)(const void *row, struct hit *hit));
/* Drops all. */
void timers_drop(void);
/* Calls those that are due until then, in order, as long as probes run. */
void timers_fire(u64 until);
/* The next due time; ~0: none. */
u64 timers_next(void);

#endif
