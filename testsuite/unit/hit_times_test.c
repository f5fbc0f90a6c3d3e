/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hit_times_test.c - what many hits say about the time that handlers take: time stolen by the
 * hypervisor is cut off, long handlers are not.
 */
#include "runtime/core/hit_times.h"

#include "testsuite/unit/check.h"

#include <stdlib.h>

#define STOP 1000000000ULL	/* cycles that a stopped machine adds to a hit */

static struct hit_times times;
static u32 looks;

static void look(void) { looks++; }
static void hits(unsigned n, u64 each)
{
	while (n--)
		hit_times_add(&times, looks, each);
}

/* The rule, applied literally: all times are kept and sorted. */
static int descending(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? 1 : x > y ? -1 : 0;
}

static u64 model(u64 *each, unsigned n)
{
	unsigned k = n / 2 + 1 < HIT_LONGEST ? n / 2 + 1 : HIT_LONGEST;
	u64 sum = 0;

	if (n < 2)
		return 0;
	qsort(each, n, sizeof(*each), descending);
	for (unsigned i = 0; i < n; i++)
		sum += each[i < k - 1 ? k - 1 : i];
	return sum;
}

static void like_model(void)
{
	for (int round = 0; round < 2000; round++) {
		unsigned n = (unsigned)(random() % 60);
		u64 each[60], used = 0;

		look();
		hit_times_add(&times, looks - 1, 5);	/* times of another look do not count */
		for (unsigned i = 0; i < n; i++) {
			each[i] = (u64)random() % (random() % 4 ? 100 : 1000000);
			used += each[i];
			hits(1, each[i]);
		}
		if (!n)
			continue;
		CHECK(times.used == used && times.hits == n);
		CHECK(hit_times_robust(&times) == model(each, n));
	}
}

int main(void)
{
	/* the run of a bug report: five hits, during one of which the CPU was stolen */
	look();
	hits(4, 2000);
	hits(1, STOP);
	CHECK(times.used == STOP + 8000 && hit_times_robust(&times) == 10000);
	/* one hit says nothing, however long it took; of two the shorter one counts */
	look();
	hits(1, STOP);
	CHECK(hit_times_robust(&times) == 0);
	hits(1, 300);
	CHECK(hit_times_robust(&times) == 600);
	/* long in each hit: nothing is cut off, however few the hits are */
	look();
	hits(3, 300000000);
	CHECK(hit_times_robust(&times) == 900000000);
	/* a machine that was stopped 15 times in a look of 100,000 hits */
	look();
	hits(50000, 700);
	hits(HIT_LONGEST - 1, STOP);
	hits(50000, 700);
	CHECK(hit_times_robust(&times) == 700 * (100000 + HIT_LONGEST - 1));
	/* long in some hits among many short ones: noticed from the 16th on */
	look();
	hits(100000, 100);
	hits(HIT_LONGEST - 1, 30000000);
	CHECK(hit_times_robust(&times) < 20000000);
	hits(1, 30000000);
	CHECK(hit_times_robust(&times) == times.used);
	/* each hit takes a little longer than the one before */
	look();
	for (u64 i = 1; i <= 1000; i++)
		hits(1, i * 1000);
	CHECK(hit_times_robust(&times) > times.used - HIT_LONGEST * HIT_LONGEST * 1000);
	like_model();
	return failures != 0;
}
