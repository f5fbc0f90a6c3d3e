/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * family_timer.c - timers: due times in the merge; no drift, none is skipped.
 */
#include "runtime/user/user.h"

#include <stdlib.h>

#define JIFFY_NS (1000000000ULL / KERNEL_HZ)

static s64 spread(u64 most)
{
	return most ? (s64)(((u64)random() << 31 | (u64)random()) % (2 * most + 1)) - (s64)most : 0;
}

static u64 period(const struct rt_timer *t)
{
	u64 base = t->jiffies ? t->jiffies * JIFFY_NS : t->period_ns;
	u64 most = t->jiffies ? t->random_jiffies * JIFFY_NS : t->random_ns;
	s64 ns = (s64)base + spread(most);

	return ns > 0 ? (u64)ns : 1;
}

static u64 due(const void *row, struct hit *hit)
{
	const struct rt_timer *t = row;

	enter_probe(t->probe, hit);
	return hit->time + period(t);
}

static int start(const void *rows, u32 n)
{
	const struct rt_timer *t = rows;
	u64 now = time_mono();

	for (u32 i = 0; i < n; i++)
		merge_timer(&t[i], now + period(&t[i]), due);
	return 0;
}

static void stop(const void *rows, u32 n)
{
	merge_drop_timers();
}

const struct rt_family rt_family_timer = {
	.name	= "timer",
	.start	= start,
	.stop	= stop,
};
