// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * time.c - the clocks a handler and the rings ask.
 *
 * The fast monotonic clock is the only one that may be read in an NMI; the wall
 * clock is that plus a distance which the timekeeper keeps.
 */
#include <linux/cpumask.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/sched/clock.h>
#include <linux/timekeeping.h>
#include <linux/timex.h>

#include "runtime/core/core.h"

notrace u64 runtime_clock(void)
{
	return ktime_get_mono_fast_ns();
}

s64 rt_gettimeofday_ns(struct rt_ctx *c)
{
	return (s64)ktime_get_real_fast_ns();
}

s64 rt_local_clock_ns(struct rt_ctx *c) { return (s64)local_clock(); }
s64 rt_ktime_get_ns(struct rt_ctx *c) { return (s64)ktime_get_mono_fast_ns(); }
s64 rt_jiffies(struct rt_ctx *c) { return (s64)jiffies; }
s64 rt_HZ(void) { return HZ; }

s64 rt_cpu_clock_ns(struct rt_ctx *c, s64 cpu)
{
	return cpu >= 0 && cpu < nr_cpu_ids && cpu_online((u32)cpu) ? (s64)cpu_clock((int)cpu) : 0;
}

s64 rt_get_cycles(struct rt_ctx *c)
{
	return (s64)get_cycles();
}
