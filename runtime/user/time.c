/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * time.c - clocks. A handler's time is that of its record, not of the moment it runs.
 */
#include "runtime/user/user.h"

#include <time.h>

u64 time_mono(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (u64)t.tv_sec * 1000000000ULL + (u64)t.tv_nsec;
}

s64 rt_gettimeofday_ns(struct rt_ctx *c)
{
	return (s64)c->now + session.wall_minus_mono;
}

s64 rt_get_cycles(struct rt_ctx *c)
{
	return (s64)c->now;		/* nanoseconds: perf records no cycle counter */
}
