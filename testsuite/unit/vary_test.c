/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vary_test.c - sampling at random (runtime/core/vary.h): rates are exact, and the 95 % interval
 * that reports state (Wilson's) holds the truth as often as it says, of programs whose rounds are
 * any fraction or multiple of the period. Seeds are fixed: the outcome is no matter of chance.
 */
#include "runtime/core/vary.h"

#include <math.h>
#include <stdio.h>

#define PERIOD	1000000ULL
#define SAMPLES	2000
#define RUNS	200
#define LEAST	172	/* of 200 at 95 %: fewer than that is less likely than 10^-6 */

static int failed;

#define CHECK(what, ...) \
	do { \
		if (!(what)) { \
			printf("FAIL %s:%d: ", __FILE__, __LINE__); \
			printf(__VA_ARGS__); \
			putchar('\n'); \
			failed = 1; \
		} \
	} while (0)

/* A program that spends three quarters of each round in one function, from some time on. */
struct rounds {
	u64 length, from;
};

static int is_in(const struct rounds *r, u64 time)
{
	return (time + r->from) % r->length * 4 < 3 * r->length;
}

static int holds(u64 hits, u64 n, double truth)
{
	double z = 1.96, p = (double)hits / (double)n, z2n = z * z / (double)n,
	       middle = (p + z2n / 2) / (1 + z2n);
	double half = z / (1 + z2n) * sqrt(p * (1 - p) / (double)n + z2n / (4 * (double)n));

	return truth >= middle - half && truth <= middle + half;
}

/* Samples one run: counts all samples and those in the function. */
typedef void sampler(struct vary *v, const struct rounds *r, u64 *n, u64 *hits);

/* The kernel runtime's ticks and overflows. */
static void each(struct vary *v, const struct rounds *r, u64 *n, u64 *hits)
{
	u64 time = vary_draw(v, PERIOD);

	for (v->at = time; *n < SAMPLES; time += vary_next(v, PERIOD)) {
		*hits += (u64)is_in(r, time);
		++*n;
	}
}

static void clocks(struct vary *v, const struct rounds *r, u64 *n, u64 *hits, u32 of)
{
	u64 periods[4];

	vary_periods(v, PERIOD, of, periods);
	for (u32 i = 0; i < of; i++)
		for (u64 time = periods[i]; time <= SAMPLES * PERIOD; time += periods[i]) {
			*hits += (u64)is_in(r, time);
			++*n;
		}
}

static void four(struct vary *v, const struct rounds *r, u64 *n, u64 *hits)
{
	clocks(v, r, n, hits, 4);
}
static void two(struct vary *v, const struct rounds *r, u64 *n, u64 *hits)
{
	clocks(v, r, n, hits, 2);
}

/* One period for the whole run, as lapwing record uses for events that are not clocks. */
static void one(struct vary *v, const struct rounds *r, u64 *n, u64 *hits)
{
	u64 period = vary_run(v, PERIOD);

	for (u64 time = period; *n < SAMPLES; time += period) {
		*hits += (u64)is_in(r, time);
		++*n;
	}
}

/*
 * The user runtime, for events that are not clocks: a new period after 45 to 55 periods, when the
 * reader gets to it; each starts anew and makes up for missing samples.
 */
static void whiles(struct vary *v, const struct rounds *r, u64 *n, u64 *hits)
{
	for (u64 start = 0, end; start < SAMPLES * PERIOD; start = end) {
		s64 behind = (s64)(start / PERIOD) - (s64)*n;
		u64 period = vary_while(v, PERIOD, behind * 1000 / 50);

		end = start + 45 * PERIOD + vary_draw(v, 10 * PERIOD);
		for (u64 time = start + period; time <= end; time += period) {
			*hits += (u64)is_in(r, time);
			++*n;
		}
	}
}

/* The former method, with which this test must fail. */
static void eighth(struct vary *v, const struct rounds *r, u64 *n, u64 *hits)
{
	for (u64 time = 0; *n < SAMPLES; ++*n) {
		time += PERIOD - PERIOD / 8 + vary_draw(v, PERIOD / 4 + 1);
		*hits += (u64)is_in(r, time);
	}
}

static int runs_that_hold(sampler *sample, u64 length)
{
	u64 spare = sample == whiles ? 120 : 4;	/* the last period, and what it makes up for */
	struct vary v = vary_seeded(length), start = vary_seeded(length ^ 0x9e3779b97f4a7c15);
	int good = 0;

	for (int run = 0; run < 100 + RUNS; run++) {
		struct rounds r = { length, vary_draw(&start, length) };
		u64 n = 0, hits = 0;

		sample(&v, &r, &n, &hits);
		good += run >= 100 && holds(hits, n, 0.75);
		CHECK(n + spare >= SAMPLES && n <= SAMPLES + spare,
		      "%llu samples in the time of %d", n, SAMPLES);
	}
	return good;
}

static void test_intervals(void)
{
	static const struct {
		const char *name;
		sampler *sample;
	} ways[] = {
		{ "each sample", each },     { "four clocks", four },	    { "two clocks", two },
		{ "one period a run", one }, { "one for a while", whiles },
	};
	/*
	 * In thousandths of the period: its fractions and multiples, what is next to them, and
	 * others.
	 */
	static const u32 lengths[] = { 50,   112,  125,	 200,  250,  333,   400,  490,	500,
				       510,  600,  667,	 750,  800,  900,   990,  1000, 1010,
				       1100, 1250, 1333, 1500, 1750, 1990,  2000, 2010, 2500,
				       3000, 4000, 5000, 7000, 8000, 10000, 20000 };
	unsigned nways = sizeof(ways) / sizeof(ways[0]),
		 nlengths = sizeof(lengths) / sizeof(lengths[0]);
	int good;

	for (unsigned i = 0; i < nways * nlengths; i++) {
		u32 length = lengths[i / nways];

		good = runs_that_hold(ways[i % nways].sample, length * PERIOD / 1000);
		CHECK(good >= LEAST, "rounds of %u/1000: %d of %d intervals hold the truth, by %s",
		      length, good, RUNS, ways[i % nways].name);
	}
	good = runs_that_hold(eighth, PERIOD);
	CHECK(good < LEAST,
	      "periods that vary by an eighth: %d of %d hold the truth, which they cannot", good,
	      RUNS);
}

/* One sample in each turn, except those that were moved to keep a distance; never two at once. */
static void test_turns(void)
{
	static const u64 periods[] = { 1, 2, 8, 63, 64, 1000, PERIOD, 10000000000ULL, 1ULL << 40 };

	for (unsigned i = 0; i < sizeof(periods) / sizeof(periods[0]); i++) {
		u64 period = periods[i], time, least = ~0ULL, quarter[4] = { 0 };
		struct vary v = vary_seeded(i + 1);

		v.at = time = vary_draw(&v, period);
		for (u64 turn = 0; turn < 100000; turn++) {
			u64 step = vary_next(&v, period);

			CHECK(time >= turn * period && time < (turn + 1) * period + period / 64 + 1,
			      "period %llu, turn %llu: at %llu", period, turn, time);
			quarter[4 * (time % period) / period]++;
			least = step < least ? step : least;
			time += step;
			if (failed)
				return;
		}
		CHECK(least >= 1 && least >= period / 64, "period %llu: two samples %llu apart",
		      period, least);
		for (int q = 0; q < 4 && period >= 64; q++)	/* one standard deviation is 137 */
			CHECK(quarter[q] > 24200 && quarter[q] < 25800,
			      "period %llu: %llu of 100000 in quarter %d", period, quarter[q], q);
	}
}

static void test_rates(void)
{
	static const u64 periods[] = { 10000,   PERIOD,        1003009,
				       4000000, 1000000000ULL, (1ULL << 40) - 1 };
	struct vary v = vary_seeded(1);

	for (unsigned i = 0; i < sizeof(periods) / sizeof(periods[0]); i++)
		for (int n = 0; n < 10000; n++) {
			u64 p[4];
			double rate = 0;

			vary_periods(&v, periods[i], 4, p);
			for (int k = 0; k < 4; k++) {
				rate += (double)periods[i] / (double)p[k];
				CHECK(p[k] > periods[i] && p[k] < 8 * periods[i],
				      "one of four of %llu: %llu", periods[i], p[k]);
			}
			CHECK(fabs(rate - 1) < 0.001, "four of %llu: %.6f of the rate", periods[i],
			      rate);
		}
}

int main(void)
{
	test_turns();
	test_rates();
	test_intervals();
	puts(failed ? "vary_test: failed" : "vary_test: all passed");
	return failed;
}
