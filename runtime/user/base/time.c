/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * time.c - clocks. A handler's time is that of its record, not the time at which it runs.
 */
#include "runtime/user/base/time.h"

#include "lib/clock.h"
#include "runtime/user/user.h"

#include <unistd.h>

u64 time_mono(void)
{
	return clock_ns();
}

s64 rt_gettimeofday_ns(struct rt_ctx *c)
{
	return (s64)c->now + session.wall_minus_mono;
}

s64 rt_local_clock_ns(struct rt_ctx *c) { return (s64)c->now; }
s64 rt_cpu_clock_ns(struct rt_ctx *c, s64 cpu)
{
	return cpu >= 0 && cpu < sysconf(_SC_NPROCESSORS_CONF) ? (s64)c->now : 0;
}
s64 rt_ktime_get_ns(struct rt_ctx *c) { return (s64)c->now; }
s64 rt_HZ(void) { return KERNEL_HZ; }

/* The kernel's jiffies start five minutes before their lower half wraps. */
s64 rt_jiffies(struct rt_ctx *c)
{
	return (1LL << 32) - 300 * KERNEL_HZ + (s64)(c->now / (1000000000 / KERNEL_HZ));
}

s64 rt_get_cycles(struct rt_ctx *c)
{
	return (s64)c->now;		/* nanoseconds: perf records no cycle counter */
}
