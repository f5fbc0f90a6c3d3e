/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * family_profile.c - timer.profile: perf's cpu-clock, on every CPU, or on the target's threads with --only-target.
 */
#include "runtime/core/sampling.h"
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

/* cpu-clock counts ns, so each source knows how many samples there should be. */
static void settle(const struct rt_profile *p, const struct merge_tally *tally)
{
	session.samples_own += tally->own;
	session.samples_lost += tally->lost;
	session.samples_expected += tally->counted / period_of(p);
	session.sample_clocks += tally->sources;
	session.samples_unknown |= tally->partly;
}

static void stop(const void *rows, u32 n)
{
	u64 found;

	merge_close(sample);
	for (u32 i = 0; tallies && i < n; i++)
		settle((const struct rt_profile *)rows + i, &tallies[i]);
	free(tallies);
	tallies = NULL;
	if (session.samples_unknown)
		session.samples_expected = 0;
	/* The kernel leaves out samples of a CPU that spends too much time on them, and ticks that come too late. */
	found = session.samples + session.samples_own + session.samples_off + session.samples_lost + session.sample_clocks;
	if (session.samples_expected > found)
		session.samples_lost += session.samples_expected - found;
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
			.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_CLOCK, .sample_period = period,
		};
		int rc = merge_open(&attr, p[i].probe->point, sample, &p[i], &tallies[i]);

		if (rc) {
			stop(rows, n);
			return rc;
		}
		fprintf(stderr, "lapwing: %s: %llu samples per second %s\n", p[i].probe->point, 1000000000ULL / period,
			session.target.only ? "of the target's CPU time" : "and CPU");
	}
	return 0;
}

const struct rt_family rt_family_profile = {
	.name	= "profile",
	.start	= start,
	.stop	= stop,
};
