/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * global.h - how an array is made of maps: one, or one per CPU and one for their sum.
 */
#ifndef LAPWING_CORE_GLOBAL_H
#define LAPWING_CORE_GLOBAL_H

#include "runtime/core/map.h"

/* struct rt_map's impl. */
struct array {
	u32		nparts;
	struct map	*map;		/* [nparts], by CPU */
	struct map	*total;		/* map itself when nparts is 1; else rebuilt for loops */
} __attribute__((__aligned__(RT_LINE)));

#endif
