/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vary.h - when the next sample is due, at random: one in each turn of a period, anywhere in it, whatever was drawn before.
 *
 * So the mean rate is exact: so many turns, so many samples. A share of samples has the share of time (or of events) as its mean, with a
 * variance that is at most the binomial one, whatever the program does and however its rounds stand to the period: each sample is
 * independent of all others, and the sum of p(1 - p) is largest where all p are equal. A period that is drawn a little longer or shorter
 * each time does not do it: at 1/8, what repeats once a period is seen with nineteen times that variance.
 */
#ifndef LAPWING_CORE_VARY_H
#define LAPWING_CORE_VARY_H

#include "runtime/rt.h"

/* One sampler's; whoever runs it writes it. */
struct vary {
	u64	state;		/* of the generator: never 0 */
	u64	at;		/* where in its turn the latest sample that was drawn is */
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
 * From a sample to the next one: 1 up to 2 * period, which is not 0. Those that would come within 1/64 of a period of each other are put
 * that far apart, for the machine to get on; that is one in 8,000.
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
 * A period for a whole run, where there can be but one clock and it keeps to it: an eighth around what it should be. The phase is another
 * with each run.
 */
static inline u64 vary_run(struct vary *v, u64 period)
{
	return period - period / 8 + vary_draw(v, period / 8 * 2 + 1);
}

/*
 * A period for a while: its rate is uniform between 1/4 and 7/4 of what it should be, and `more` thousandths of that are added, to make up
 * for the whiles before. With less, rounds as long as the period are seen at one place all the while.
 */
static inline u64 vary_while(struct vary *v, u64 period, s64 more)
{
	s64 rate = 250 + (s64)vary_draw(v, 1501) + more;

	rate = rate < 250 ? 250 : rate > 1750 ? 1750 : rate;
	return period / (u64)rate * 1000 + period % (u64)rate * 1000 / (u64)rate;
}

/*
 * For who cannot draw each period, as perf keeps to the one that it was given: n clocks beside each other, each with a period of its own
 * between n / 2 and 3n / 2 of what one would have, which have its rate together. What one of them keeps step with the others do not.
 * Periods are one in each n-th of that range, so that no two are alike, and scaled so that the rate is exact. Those of 2^40 and more are
 * not varied.
 */
static inline void vary_periods(struct vary *v, u64 period, u32 n, u64 *periods)
{
	u64 rate = 0;		/* of all, in 2^-20 of what it should be */
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
