/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * family_profile.c - timer.profile: perf's cpu-clock, on every CPU, or on the target's threads with --only-target.
 */
#include "runtime/user/user.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <unistd.h>

#define TICK_NS 1000000ULL	/* 1000 samples a second where the script names no rate */

static u64 began, rate;		/* of all probes together, samples a second and CPU */

static void sample(const void *row, struct hit *hit)
{
	const struct rt_profile *p = row;

	session.samples++;
	enter_probe(p->probe, hit);
}

static void stop(void)
{
	merge_close(sample);
	/* Of the target's CPU time nobody knows beforehand. */
	if (!session.target.only)
		session.samples_expected = (time_mono() - began) / 1000000 * rate / 1000 * (u64)sysconf(_SC_NPROCESSORS_ONLN);
}

static int start(const void *rows, u32 n)
{
	const struct rt_profile *p = rows;

	rate = 0;
	began = time_mono();
	for (u32 i = 0; i < n; i++) {
		u64 period = p[i].period_ns ? p[i].period_ns : TICK_NS;
		struct perf_event_attr attr = {
			.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_CLOCK, .sample_period = period,
		};
		int rc = merge_open(&attr, p[i].probe->point, sample, &p[i]);

		if (rc) {
			stop();
			return rc;
		}
		rate += 1000000000ULL / period;
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
