/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * family_pmu.c - pmu.profile, perf.type: perf samples by an event, on every CPU, or on the target's
 * threads with --only-target.
 *
 * Periods vary (core/vary.h), so that work which is in step with a period is not misrepresented.
 * perf keeps its period, so it is given another after PERIOD_SAMPLES samples on average. perf then
 * starts counting from 0, so half a sample is lost each time; later periods make up for it.
 */
#include "lib/verdict.h"
#include "perf/spe.h"
#include "runtime/core/event_kind.h"
#include "runtime/core/sampling.h"
#include "runtime/core/vary.h"
#include "runtime/user/base/time.h"
#include "runtime/user/context/enter.h"
#include "runtime/user/events/merge.h"
#include "runtime/user/events/source.h"
#include "runtime/user/events/spe_source.h"
#include "runtime/user/processes/task.h"
#include "runtime/user/values/pmu.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PERIOD_SAMPLES	64
#define PERIOD_SHORT	8	/* shorter periods are not varied */

static struct sampler {
	struct merge_tally tally;
	/* taken with the current periods; and the number after which new periods are drawn */
	u32		samples, enough;
} *samplers;				/* per row */
static const struct rt_pmu *first_row;
static struct vary random_periods;

/* On all CPUs at once: if done on each by itself, a CPU would keep a long period for longer. */
static void vary(const struct rt_pmu *p)
{
	struct sampler *s = &samplers[p - first_row];

	if (p->exact || p->period < PERIOD_SHORT || ++s->samples < s->enough)
		return;
	s->samples = 0;
	s->enough = PERIOD_SAMPLES * source_vary(p, p->period, &random_periods);
}

static void sample(const void *row, struct hit *hit)
{
	const struct rt_pmu *p = row;
	const char *name = p->process ? task_name(hit->tid, hit->time) : NULL;

	vary(p);
	if (name && strncmp(name, p->process, 15))
		return;
	if (p->process && !name)		/* it may be one of those */
		enter_missed(p->probe, 1);
	else if (sampling_off)
		enter_off(p->probe);
	else
		enter_probe(p->probe, hit);
}

s64 rt_sampled(struct rt_ctx *c, s64 what)
{
	const struct hit *hit = c->hit;

	return (s64)(what == RT_SAMPLED_ADDR	      ? hit->data_addr
		     : what == RT_SAMPLED_LATENCY     ? hit->latency
		     : what == RT_SAMPLED_INSTRUCTION ? hit->instruction_latency
		     : what == RT_SAMPLED_RETIRE      ? hit->retire_latency
						      : hit->data_source);
}

static const struct hit_branch *branch(struct rt_ctx *c, s64 n)
{
	static const struct hit_branch none;
	const struct hit *hit = c->hit;

	return n >= 0 && (u64)n < hit->nbranches ? &hit->branches[n] : &none;
}

s64 rt_branch_from(struct rt_ctx *c, s64 n) { return (s64)branch(c, n)->from; }
s64 rt_branch_to(struct rt_ctx *c, s64 n) { return (s64)branch(c, n)->to; }
/* flags: bit fields of struct perf_branch_entry, from the lowest bit on */
s64 rt_branch_missed(struct rt_ctx *c, s64 n) { return branch(c, n)->flags & 1; }
s64 rt_branch_cycles(struct rt_ctx *c, s64 n) { return branch(c, n)->flags >> 4 & 0xffff; }

/* Clocks count all time, whichever part they sample. */
static int counts_what_it_samples(const struct rt_event *e, const struct merge_tally *t)
{
	return !event_is_clock(e->type, e->config[0]) || (!e->exclude && !t->partly);
}

/*
 * Hits that were counted but have no sample, by the counts of events. Of each source one sample may
 * be in flight when it is stopped.
 */
static u64 unsampled(const struct rt_pmu *p, const struct merge_tally *t)
{
	u64 found = t->taken + t->lost + t->asleep,
	    spare = p->exact && p->event.type == PERF_TYPE_SOFTWARE ? 0 : t->sources;

	return t->expected > found + spare ? t->expected - found : 0;
}

static void stop(const void *rows, u32 n)
{
	const struct rt_pmu *p = rows;

	merge_close(sample);
	for (u32 i = 0; samplers && i < n; i++) {
		enter_missed(p[i].probe, samplers[i].tally.lost);
		if (counts_what_it_samples(&p[i].event, &samplers[i].tally))
			enter_unsampled(p[i].probe, unsampled(&p[i], &samplers[i].tally));
		else if (samplers[i].tally.sources)
			enter_skips_unknown(p[i].probe, SKIPS_OF_KERNEL);
		if (spe_source_close(&p[i]))
			enter_skips_unknown(p[i].probe, SKIPS_OF_PROCESSOR);
		if (samplers[i].tally.asleep)
			fprintf(stderr, "lapwing: %s: %llu samples not taken on idle CPUs\n",
				p[i].probe->point, samplers[i].tally.asleep);
	}
	free(samplers);
	samplers = NULL;
}

/* In which form this kernel tells latencies: all of them, or, before Linux 5.12, one. */
static u64 weight_type(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_WEIGHT_STRUCT,
		.exclude_kernel = 1,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return PERF_SAMPLE_WEIGHT;
	close(fd);
	return PERF_SAMPLE_WEIGHT_STRUCT;
}

static int open_row(const struct rt_pmu *p, struct merge_tally *tally)
{
	struct perf_event_attr attr = pmu_describe(&p->event);

	if (!p->period && !p->hertz)
		return 0;			/* it only counts, for handlers that read it */
	attr.sample_period = p->period;
	if (spe_is(attr.type))
		return spe_source_open(&attr, p->probe->point, sample, p, tally);
	if (p->probe->capture & RT_CAP_PRECISE)
		attr.sample_type |= PERF_SAMPLE_ADDR | weight_type() | PERF_SAMPLE_DATA_SRC;
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

	first_row = rows;
	random_periods = vary_seeded(time_mono());
	samplers = calloc(n, sizeof(*samplers));
	if (!samplers)
		return -ENOMEM;
	for (u32 i = 0; i < n; i++)
		session.names |= first_row[i].process != NULL;
	for (u32 i = 0; i < n && !rc; i++)
		rc = open_row(&first_row[i], &samplers[i].tally);
	if (rc)
		stop(rows, n);
	return rc;
}

const struct rt_family rt_family_pmu = {
	.name	= "pmu",
	.start	= start,
	.stop	= stop,
};
