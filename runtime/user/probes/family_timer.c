/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * family_timer.c - timers: due times in the merge, without drift; none is skipped. A handler that
 * reads counters needs an event on a CPU: perf's cpu-clock, with a period that does not vary.
 */
#include "runtime/user/base/time.h"
#include "runtime/user/context/enter.h"
#include "runtime/user/events/merge.h"
#include "runtime/user/events/source.h"
#include "runtime/user/values/pmu.h"

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

static void sampled(const void *row, struct hit *hit)
{
	enter_probe(((const struct rt_timer *)row)->probe, hit);
}

static void stop(const void *rows, u32 n)
{
	merge_drop_timers();
	merge_close(sampled);
}

static int start(const void *rows, u32 n)
{
	static struct merge_tally tally = { .with_own_hits = 1 };
	const struct rt_timer *t = rows;
	u64 now = time_mono();
	int rc = 0;

	for (u32 i = 0; i < n && !rc; i++) {
		struct perf_event_attr attr = {
			.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_CLOCK,
			.sample_period = t[i].jiffies ? t[i].jiffies * JIFFY_NS : t[i].period_ns,
		};

		if (t[i].probe->capture & RT_CAP_PMU)
			rc = merge_open_one(&attr, t[i].probe->point, sampled, &t[i], &tally);
		else
			merge_timer(&t[i], now + period(&t[i]), due);
	}
	if (rc)
		stop(rows, n);
	return rc;
}

const struct rt_family rt_family_timer = {
	.name	= "timer",
	.start	= start,
	.stop	= stop,
};
