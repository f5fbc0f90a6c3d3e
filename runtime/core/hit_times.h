/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hit_times.h - total time of hits, robust against a few interrupted ones, for the overload guard.
 *
 * A hit's time runs from its begin to its end by the CPU's clock. It includes every interruption of
 * the CPU: a hypervisor that descheduled it, a paused virtual machine, firmware, an NMI. Such time
 * is not a cost of the handler, it cannot be detected reliably, and a single interruption can
 * exceed the time of all hits. So the longest hits, HIT_LONGEST - 1 of them and at most half of
 * all, count as long as the next longest one (a winsorised sum), and a single hit does not count:
 *
 * - a few interruptions are cut off completely, whatever their length;
 * - a handler that is long at each hit loses nothing, however few hits there are: the next one is
 *   as long;
 * - a handler that is long at some hits is detected after HIT_LONGEST of those;
 * - of many interruptions, hits get their share of the total time: the result stays unbiased.
 *
 * Plain arithmetic; the caller serializes additions. Readers may see a partial addition: they read
 * again soon.
 */
#ifndef LAPWING_CORE_HIT_TIMES_H
#define LAPWING_CORE_HIT_TIMES_H

#include "runtime/rt.h"

#define HIT_LONGEST 16

struct hit_times {
	u64	used;			/* of all hits; any unit, the same as below */
	u64	longest[HIT_LONGEST];	/* descending; 0 if there were fewer */
	u64	hits;
	u32	look;			/* number of the current interval; shared by writer and
					 * reader */
};

/* Adds a hit to the current interval; data of another interval is dropped. */
static inline void hit_times_add(struct hit_times *t, u32 look, u64 took)
{
	u32 i;

	if (t->look != look)
		*t = (struct hit_times){ .look = look };
	t->used += took;
	t->hits++;
	if (took <= t->longest[HIT_LONGEST - 1])
		return;
	for (i = HIT_LONGEST - 1; i > 0 && t->longest[i - 1] < took; i--)
		t->longest[i] = t->longest[i - 1];
	t->longest[i] = took;
}

/* The time of handlers, as far as many hits confirm it; at most used. Also 0 during an addition. */
static inline u64 hit_times_robust(const struct hit_times *t)
{
	u64 cut = 0, most = t->hits / 2 + 1, usual;
	u32 i, n;

	if (t->hits < 2)
		return 0;
	n = (u32)(most < HIT_LONGEST ? most : HIT_LONGEST);
	usual = t->longest[n - 1];
	for (i = 0; i + 1 < n; i++)
		cut += t->longest[i] - usual;
	return cut < t->used ? t->used - cut : 0;
}

#endif
