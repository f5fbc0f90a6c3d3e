// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * time.c - the clocks that handlers and rings read.
 *
 * Where the kernel derives time from the CPUs' counter, we do so too, with the kernel's own
 * parameters and in half as many instructions. Elsewhere we call the kernel's fast clocks: the only
 * ones that may be read in an NMI. Either steps back a little when the parameters change, as the
 * kernel's does.
 */
#include "runtime/kernel/base/time.h"

#include <linux/cpumask.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/sched/clock.h>
#include <linux/timekeeping.h>
#include <linux/timex.h>

#include "runtime/core/core.h"
#include "runtime/kernel/compat/compat.h"

/*
 * A sequence count: turn is odd while the rest is written, and while the recipe is not usable.
 * Readers do not wait, because a reader in an NMI could not.
 */
static struct {
	struct clock_recipe recipe;
	u32		turn;
} time_kept ____cacheline_aligned = { .turn = 1 };

/* Never concurrent: the kernel's timekeeper lock is held. */
static void time_told(const struct clock_recipe *r)
{
	WRITE_ONCE(time_kept.turn, time_kept.turn | 1);
	smp_wmb();
	time_kept.recipe = *r;
	smp_wmb();
	if (r->mult)
		WRITE_ONCE(time_kept.turn, time_kept.turn + 1);
}

CLOCK_FOLLOWER(time_told);

void time_load(void)
{
	clock_follow(time_told);
}

void time_unload(void)
{
	clock_unfollow(time_told);
}

/*
 * Sets *now to monotonic ns and *real to the offset of the wall clock. 0: use the kernel's clock.
 */
static __always_inline int time_now(u64 *now, s64 *real)
{
	const struct clock_recipe *r = &time_kept.recipe;
	u32 turn = READ_ONCE(time_kept.turn);
	u64 since;

	if (unlikely(turn & 1))
		return 0;
	smp_rmb();
	since = clock_counter() - r->cycles;
	if (unlikely((s64)since < 0))			/* this CPU's counter is slightly behind */
		return 0;
	*now = r->base + ((since * r->mult + r->fraction) >> r->shift);
	*real = r->real;
	smp_rmb();
	return likely(READ_ONCE(time_kept.turn) == turn);
}

notrace u64 runtime_clock(void)
{
	s64 real;
	u64 now;

	return likely(time_now(&now, &real)) ? now : ktime_get_mono_fast_ns();
}

notrace s64 rt_gettimeofday_ns(struct rt_ctx *c)
{
	s64 real;
	u64 now;

	return likely(time_now(&now, &real)) ? (s64)now + real : (s64)ktime_get_real_fast_ns();
}

s64 rt_local_clock_ns(struct rt_ctx *c) { return (s64)local_clock(); }
s64 rt_ktime_get_ns(struct rt_ctx *c) { return (s64)runtime_clock(); }
s64 rt_lost_since(s64 ns) { return 0; }
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
