/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * family_profile.c - timer.profile: perf's cpu-clock, on every CPU, or on the target's threads with
 * --only-target. perf does not vary a clock's period, so several clocks share the rate, each with a
 * random period (core/vary.h).
 */
#include "runtime/core/sampling.h"
#include "runtime/user/context/enter.h"
#include "runtime/user/events/merge.h"
#include "runtime/user/events/source.h"
#include "runtime/user/user.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>

#define TICK_NS 1000000ULL	/* 1000 samples a second where the script names no rate */

static struct merge_tally *tallies;	/* per row */

static u64 period_of(const struct rt_profile *p)
{
	return p->period_ns ? p->period_ns : TICK_NS;
}

static void sample(const void *row, struct hit *hit)
{
	const struct rt_profile *p = row;

	if (sampling_off || session.paused) {
		session.samples_off++;
		enter_off(p->probe);
		return;
	}
	session.samples++;
	session.samples_idle += !hit->pid;
	enter_probe(p->probe, hit);
}

/*
 * Each source's count gives the number of samples that there should be. Of the missing ones, some
 * had no room, some were of idle CPUs, and the kernel skipped the rest: ticks that came too late,
 * and those of a CPU that spends too much time on them.
 */
static void settle(const struct rt_profile *p, const struct merge_tally *tally)
{
	u64 found = tally->taken + tally->lost + tally->asleep;

	session.samples_own += tally->own;
	session.samples_asleep += tally->asleep;
	session.samples_no_room += tally->lost;
	session.samples_lost += tally->lost;
	session.sample_clocks += tally->sources;
	if (tally->partly) {
		session.samples_unknown = 1;
		enter_skips_unknown(p->probe, SKIPS_OF_KERNEL);
	} else if (tally->expected > found) {
		session.samples_lost += tally->expected - found;
	}
}

static void stop(const void *rows, u32 n)
{
	const struct rt_profile *p = rows;

	merge_close(sample);
	for (u32 i = 0; tallies && i < n; i++)
		settle(&p[i], &tallies[i]);
	free(tallies);
	tallies = NULL;
}

static int start(const void *rows, u32 n)
{
	const struct rt_profile *p = rows;

	tallies = calloc(n, sizeof(*tallies));
	if (!tallies)
		return -ENOMEM;
	for (u32 i = 0; i < n; i++) {
		u64 period = period_of(&p[i]);
		struct perf_event_attr attr = {
			.type = PERF_TYPE_SOFTWARE,
			.config = PERF_COUNT_SW_CPU_CLOCK,
			.sample_period = period,
		};
		int rc;

		tallies[i].spread = 1;
		rc = merge_open(&attr, p[i].probe->point, sample, &p[i], &tallies[i]);

		if (rc) {
			stop(rows, n);
			return rc;
		}
		fprintf(stderr, "lapwing: %s: %llu samples per second %s\n", p[i].probe->point,
			1000000000ULL / period,
			session.target.only ? "of the target's CPU time" : "and CPU");
	}
	return 0;
}

const struct rt_family rt_family_profile = {
	.name	= "profile",
	.start	= start,
	.stop	= stop,
};
