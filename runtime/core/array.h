/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * array.h - how an array is made of maps: one, or one per CPU and one for their sum.
 */
#ifndef LAPWING_CORE_ARRAY_H
#define LAPWING_CORE_ARRAY_H

#include "runtime/rt.h"

struct map;

/* struct rt_map's impl. */
struct array {
	u32		nparts;
	/* bytes from one CPU's part to the next; 0 where there is one part */
	u32		stride;
	struct map	*map;		/* [nparts], by CPU */
	struct map	*total;		/* map itself when nparts is 1; else rebuilt for loops */
} __attribute__((__aligned__(RT_LINE)));

/*
 * The map that holds the sum of all parts, made anew; with rows of the parts that it had no room
 * for left out. Nothing runs any more.
 */
struct map *array_total(const struct rt_map *m);

#endif
