/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tally_test.c - intervals and tests of shares of samples that do not weigh the same, as those of a recorder whose rate has changed:
 * drawn many times of a known share, with a generator whose seed is fixed.
 */
#include "report/tally.h"
#include "testsuite/unit/check.h"

#include <math.h>
#include <string.h>

#define TRIALS	2000

/* Samples of two weights; the share of what is looked for among those of each. */
struct draw {
	guint		samples;
	double		heavy;			/* so many of them weigh */
	guint64		weight;			/* this, instead of 1 */
	double		share[2];		/* of light ones, of heavy ones */
};

static double truth(const struct draw *d)
{
	double heavy = d->heavy * (double)d->weight, light = 1 - d->heavy;

	return (light * d->share[0] + heavy * d->share[1]) / (light + heavy);
}

static struct tally_share drawn(const struct draw *d, GRand *random)
{
	struct tally_share s = { 0 };

	for (guint i = 0; i < d->samples; i++) {
		int heavy = g_rand_double(random) < d->heavy;
		const struct profile_sample sample = { .count = 1, .weight = heavy ? d->weight : 1 };

		s.all += sample.weight;
		s.all_squares += tally_square(&sample);
		if (g_rand_double(random) >= d->share[heavy])
			continue;
		s.part += sample.weight;
		s.part_squares += tally_square(&sample);
	}
	return s;
}

static double share_of(const struct tally_share *s)
{
	return (double)s->part / (double)s->all;
}

/* How often the interval holds the truth, in percent; by_number: that of as many samples that weigh the same. */
static double covered(const struct draw *d, GRand *random, int by_number)
{
	guint held = 0;

	for (guint i = 0; i < TRIALS; i++) {
		const struct tally_share s = drawn(d, random),
					 same = tally_of_samples((guint64)(share_of(&s) * d->samples + 0.5), d->samples);

		held += fabs(share_of(&s) - truth(d)) <= tally_interval(by_number ? &same : &s);
	}
	return 100.0 * held / TRIALS;
}

/* How often two draws are said to differ, in percent; outside: how often the truth is not in the interval of their change. */
static double differing(const struct draw *a, const struct draw *b, GRand *random, double *outside)
{
	guint differ = 0, missed = 0;

	for (guint i = 0; i < TRIALS; i++) {
		const struct tally_share s = drawn(a, random), t = drawn(b, random);
		double change = share_of(&t) - share_of(&s) - (truth(b) - truth(a));

		differ += (guint)tally_differs(&s, &t);
		missed += fabs(change) > tally_change_interval(&s, &t);
	}
	*outside = 100.0 * missed / TRIALS;
	return 100.0 * differ / TRIALS;
}

int main(void)
{
	static const struct draw draws[] = {
		{ 1000, 0, 1, { 0.2, 0 } },		/* all weigh the same */
		{ 1000, 0.5, 64, { 0.2, 0.2 } },
		{ 2000, 0.1, 64, { 0.3, 0.3 } },
		{ 2000, 0.2, 8, { 0.1, 0.5 } },		/* it changed with the rate */
		{ 3000, 0.05, 64, { 0.5, 0.1 } },
	}, more = { 1000, 0.5, 64, { 0.3, 0.3 } };
	GRand *random = g_rand_new_with_seed(20261130);
	double percent, outside;

	for (guint i = 0; i < G_N_ELEMENTS(draws); i++) {
		percent = covered(&draws[i], random, 0);
		printf("draw %u: the interval has the truth in %.1f %%\n", i, percent);
		CHECK(percent > 92.5 && percent < 98);
		percent = differing(&draws[i], &draws[i], random, &outside);
		printf("draw %u: %.1f %% differ from themselves, %.1f %% of changes are outside\n", i, percent, outside);
		CHECK(percent < 7.5 && outside < 7.5);
	}
	/* by their number alone they would be judged as if they knew ten times as much */
	CHECK(covered(&draws[2], random, 1) < 60);
	percent = differing(&draws[1], &more, random, &outside);
	printf("20 %% and 30 %%: %.1f %% differ, %.1f %% of changes are outside\n", percent, outside);
	CHECK(percent > 90 && outside < 7.5);
	g_rand_free(random);
	return failures != 0;
}
