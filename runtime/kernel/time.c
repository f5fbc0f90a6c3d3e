// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * time.c - the clocks a handler and the rings ask.
 *
 * Where the kernel makes the time from the CPUs' counter, so do we, from its own recipe and in half as many instructions. Elsewhere the
 * kernel's fast clocks are asked: the only ones that may be read in an NMI. Either steps back by a little when the recipe changes, as
 * the kernel's does.
 */
#include <linux/cpumask.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/sched/clock.h>
#include <linux/timekeeping.h>
#include <linux/timex.h>

#include "runtime/core/core.h"
#include "runtime/kernel/compat.h"
#include "runtime/kernel/session.h"

/* Two copies, so that one stands still while the other is written: a reader in an NMI cannot wait. */
static struct clock_recipe time_recipe[2] ____cacheline_aligned;
static u32 time_turn;			/* its low bit: which copy to read */

/* One at a time: the kernel's timekeeper lock is held. */
static void time_told(const struct clock_recipe *r)
{
	u32 i;

	for (i = 0; i < 2; i++) {
		smp_wmb();
		WRITE_ONCE(time_turn, time_turn + 1);
		smp_wmb();
		time_recipe[!(time_turn & 1)] = *r;
	}
}

CLOCK_FOLLOWER(time_told);

void time_load(void)
{
	if (clock_follow(time_told))
		time_recipe[0].mult = time_recipe[1].mult = 0;
}

void time_unload(void)
{
	clock_unfollow(time_told);
}

/* Monotonic ns, and what is to be added for the wall clock; 0: ask the kernel. */
static __always_inline u64 time_now(s64 *real)
{
	const struct clock_recipe *r;
	u64 now, since;
	u32 turn;

	do {
		turn = READ_ONCE(time_turn);
		smp_rmb();
		r = &time_recipe[turn & 1];
		if (unlikely(!r->mult))
			return 0;
		since = clock_counter() - r->cycles;
		if (unlikely((s64)since < 0))		/* this CPU's counter is a little behind */
			since = 0;
		now = r->base + ((since * r->mult + r->fraction) >> r->shift);
		*real = r->real;
		smp_rmb();
	} while (unlikely(READ_ONCE(time_turn) != turn));
	return now;
}

notrace u64 runtime_clock(void)
{
	s64 real;
	u64 now = time_now(&real);

	return likely(now) ? now : ktime_get_mono_fast_ns();
}

notrace s64 rt_gettimeofday_ns(struct rt_ctx *c)
{
	s64 real;
	u64 now = time_now(&real);

	return likely(now) ? (s64)now + real : (s64)ktime_get_real_fast_ns();
}

s64 rt_local_clock_ns(struct rt_ctx *c) { return (s64)local_clock(); }
s64 rt_ktime_get_ns(struct rt_ctx *c) { return (s64)runtime_clock(); }
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
