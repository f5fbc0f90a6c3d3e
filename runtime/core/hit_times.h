/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hit_times.h - how long hits took, for a judge who must not be misled by the few that were long for reasons of their own.
 *
 * A hit's time is that between its begin and end by the processor's clock. It holds whatever stopped the processor in between: a hypervisor
 * that gave it to others or a virtual machine that was stopped, firmware, an NMI. Such a time is no cost of the handler, nobody tells
 * of it reliably, and one alone can be longer than all hits together. So the longest hits, HIT_LONGEST - 1 of them and at most half of
 * all, are taken to be as long as the next one (a winsorised sum), and one hit alone says nothing:
 *
 *  - few interruptions are cut off wholly, whatever they took;
 *  - a handler that is long at each hit loses nothing, however few hits there are: the next one is as long;
 *  - a handler that is long at some hits is seen when HIT_LONGEST of those came;
 *  - of many interruptions, as many fall into hits as the hits' own share of the time says: the share stays what it was.
 *
 * Plain arithmetic; the caller sees to it that one at a time adds. Readers may see a hit half added: they look again soon.
 */
#ifndef LAPWING_CORE_HIT_TIMES_H
#define LAPWING_CORE_HIT_TIMES_H

#include "runtime/rt.h"

#define HIT_LONGEST 16

struct hit_times {
	u64	used;			/* of all hits; any unit, as the next one */
	u64	longest[HIT_LONGEST];	/* descending; 0 where there were fewer */
	u64	hits;
	u32	look;			/* number of the look that this is of; the writer's and the judge's */
};

/* Adds a hit to those of this look; what is there of another one is forgotten. */
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

/* What handlers took, as far as many hits say it; at most used. 0 too where a hit was half added. */
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
