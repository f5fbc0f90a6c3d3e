/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vary.h - random times of samples: one per period, at a uniformly random point, independent of
 * earlier ones.
 *
 * So the mean rate is exact: one sample per period. A share of samples has the share of time (or of
 * events) as its mean, with at most binomial variance, whatever the program does and whatever its
 * own period: each sample is independent of all others, and the sum of p(1 - p) is largest if all p
 * are equal. Varying each period slightly is not enough: at +-1/8, a program with the same period
 * is measured with nineteen times that variance.
 */
#ifndef LAPWING_CORE_VARY_H
#define LAPWING_CORE_VARY_H

#include "runtime/rt.h"

/* State of one sampler; written by its CPU only. */
struct vary {
	u64	state;		/* of the random generator: never 0 */
	u64	at;		/* position of the latest sample in its period */
};

static inline struct vary vary_seeded(u64 seed)
{
	return (struct vary){ .state = seed ? seed : 1 };
}

/* Uniform in [0, n); n is not 0. xorshift64 (G. Marsaglia, Xorshift RNGs, 2003). */
static inline u64 vary_draw(struct vary *v, u64 n)
{
	v->state ^= v->state << 13;
	v->state ^= v->state >> 7;
	v->state ^= v->state << 17;
	return v->state % n;
}

/*
 * Time from a sample to the next one: 1 up to 2 * period, which is not 0. Samples closer than 1/64
 * of a period are moved that far apart, so that the machine makes progress; this affects one in
 * 8,000.
 */
static inline u64 vary_next(struct vary *v, u64 period)
{
	u64 before = v->at, least = before + (period >> 6);

	v->at = vary_draw(v, period);
	if (period + v->at < least)
		v->at = least - period;
	return period - before + v->at;
}

/*
 * A period for a whole run, if only one clock with a fixed period is possible: within an eighth of
 * the requested one. The phase differs with each run.
 */
static inline u64 vary_run(struct vary *v, u64 period)
{
	return period - period / 8 + vary_draw(v, period / 8 * 2 + 1);
}

/*
 * A temporary period: its rate is uniform between 1/4 and 7/4 of the requested one, plus `more`
 * thousandths of that, to compensate the earlier periods. With a smaller range, rounds as long as
 * the period would always be sampled at the same point.
 */
static inline u64 vary_while(struct vary *v, u64 period, s64 more)
{
	s64 rate = 250 + (s64)vary_draw(v, 1501) + more;

	rate = rate < 250 ? 250 : rate > 1750 ? 1750 : rate;
	return period / (u64)rate * 1000 + period % (u64)rate * 1000 / (u64)rate;
}

/*
 * For samplers with fixed periods, such as perf's: n clocks in parallel, each with its own period
 * between n / 2 and 3n / 2 times that of a single one, which together have its rate. If one of them
 * is in lockstep with the program, the others are not. There is one period in each n-th of that
 * range, so that no two are equal, scaled so that the rate is exact. Periods of 2^40 and more are
 * not varied.
 */
static inline void vary_periods(struct vary *v, u64 period, u32 n, u64 *periods)
{
	u64 rate = 0;		/* total, in 2^-20 of the requested rate */
	u32 i;

	for (i = 0; i < n; i++) {
		periods[i] = n * period;
		if (n > 1 && period && period < 1ULL << 40)
			periods[i] = n * period / 2 + i * period + vary_draw(v, period);
		if (n > 1 && period)
			rate += (period << 20) / periods[i];
	}
	for (i = 0; n > 1 && period && period < 1ULL << 40 && i < n; i++)
		periods[i] = periods[i] * rate >> 20;
}

#endif
