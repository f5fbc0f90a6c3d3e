/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * family_profile.c - timer.profile: perf's cpu-clock, on every CPU, or on the target's threads with
 * --only-target. perf keeps to the period that a clock has, so several share the rate, each with a
 * period at random (core/vary.h).
 */
#include "runtime/core/sampling.h"
#include "runtime/user/base/run_state.h"
#include "runtime/user/context/enter.h"
#include "runtime/user/events/hit.h"
#include "runtime/user/events/merge.h"
#include "runtime/user/events/perf_open.h"
#include "runtime/user/events/perf_source.h"
#include "runtime/user/probes/family.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>

#define TICK_NS 1000000ULL	/* 1000 samples a second by default */

static struct perf_tally *tallies;	/* per row */

static u64 period_of(const struct rt_profile *p)
{
	return p->period_ns ? p->period_ns : TICK_NS;
}

static void sample(const void *row, struct hit *hit)
{
	const struct rt_profile *p = row;

	if (sampling_off || run_state.paused) {
		run_state.samples_off++;
		enter_off(p->probe);
		return;
	}
	run_state.samples++;
	run_state.samples_idle += !hit->pid;
	enter_probe(p->probe, hit);
}

/*
 * Each source knows by its count how many samples there should be. Of those that did not come, some
 * had no room, some were of idle CPUs, and the rest the kernel left out: ticks that came too late,
 * and those of a CPU that spends too much time on them.
 */
static void settle(const struct perf_tally *tally)
{
	u64 found = tally->taken + tally->lost + tally->asleep;

	run_state.samples_own += tally->own;
	run_state.samples_asleep += tally->asleep;
	run_state.samples_no_room += tally->lost;
	run_state.samples_lost += tally->lost;
	run_state.sample_clocks += tally->sources;
	run_state.samples_unknown |= tally->user_only;
	if (tally->expected > found && !tally->user_only)
		run_state.samples_lost += tally->expected - found;
}

static void stop(const void *rows, u32 n)
{
	merge_close(sample);
	for (u32 i = 0; tallies && i < n; i++)
		settle(&tallies[i]);
	free(tallies);
	tallies = NULL;
	run_state.samples_expected = run_state.samples_unknown ? 0 :
		run_state.samples + run_state.samples_own + run_state.samples_off +
		run_state.samples_asleep + run_state.samples_lost;
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
		rc = perf_open(&attr, p[i].probe->point, sample, &p[i], &tallies[i]);

		if (rc) {
			stop(rows, n);
			return rc;
		}
		fprintf(stderr, "lapwing: %s: %llu samples per second %s\n", p[i].probe->point,
			1000000000ULL / period,
			run_state.target.only ? "of the target's CPU time" : "and CPU");
	}
	return 0;
}

const struct rt_family rt_family_profile = {
	.name	= "profile",
	.start	= start,
	.stop	= stop,
};
