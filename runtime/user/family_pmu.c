/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * family_pmu.c - pmu.profile, perf.type: perf samples by an event, on every CPU, or on the target's threads with --only-target.
 *
 * perf offers no periods that vary: the kernel runtime has them.
 */
#include "runtime/core/sampling.h"
#include "runtime/user/pmu.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct merge_tally *tallies;	/* per row */

static void sample(const void *row, struct hit *hit)
{
	const struct rt_pmu *p = row;

	if (p->process && strncmp(task_name(hit->tid), p->process, 15))
		return;
	if (sampling_off)
		enter_off(p->probe);
	else
		enter_probe(p->probe, hit);
}

s64 rt_sampled(struct rt_ctx *c, s64 what)
{
	const struct hit *hit = c->hit;

	return (s64)(what == RT_SAMPLED_ADDR ? hit->data_addr : hit->latency);
}

static const struct hit_branch *branch(struct rt_ctx *c, s64 n)
{
	static const struct hit_branch none;
	const struct hit *hit = c->hit;

	return n >= 0 && (u64)n < hit->nbranches ? &hit->branches[n] : &none;
}

s64 rt_branch_from(struct rt_ctx *c, s64 n) { return (s64)branch(c, n)->from; }
s64 rt_branch_to(struct rt_ctx *c, s64 n) { return (s64)branch(c, n)->to; }

static void stop(const void *rows, u32 n)
{
	const struct rt_pmu *p = rows;

	merge_close(sample);
	for (u32 i = 0; tallies && i < n; i++)
		enter_missed(p[i].probe, tallies[i].lost);
	free(tallies);
	tallies = NULL;
}

static int open_row(const struct rt_pmu *p, struct merge_tally *tally)
{
	struct perf_event_attr attr = pmu_describe(&p->event);

	if (!p->period && !p->hertz)
		return 0;			/* it only counts, for who reads it */
	attr.sample_period = p->period;
	if (p->probe->capture & RT_CAP_PRECISE)
		attr.sample_type |= PERF_SAMPLE_ADDR | PERF_SAMPLE_WEIGHT;
	if (p->probe->capture & RT_CAP_BRANCHES) {
		attr.sample_type |= PERF_SAMPLE_BRANCH_STACK;
		attr.branch_sample_type = PERF_SAMPLE_BRANCH_ANY;
	}
	if (!p->period) {
		attr.freq = 1;
		attr.sample_freq = p->hertz;
	}
	return merge_open(&attr, p->probe->point, sample, p, tally);
}

static int start(const void *rows, u32 n)
{
	int rc = 0;

	tallies = calloc(n, sizeof(*tallies));
	if (!tallies)
		return -ENOMEM;
	for (u32 i = 0; i < n && !rc; i++)
		rc = open_row((const struct rt_pmu *)rows + i, &tallies[i]);
	if (rc)
		stop(rows, n);
	return rc;
}

const struct rt_family rt_family_pmu = {
	.name	= "pmu",
	.start	= start,
	.stop	= stop,
};
