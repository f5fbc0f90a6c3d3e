/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * global.h - arrays as maps: one, or one per CPU and one for their sum.
 */
#ifndef LAPWING_CORE_GLOBAL_H
#define LAPWING_CORE_GLOBAL_H

#include "runtime/core/map.h"
#include "runtime/core/core.h"

/*
 * Bytes that the per-CPU parts of all arrays may take together (2,048 rows with histograms on 128
 * CPUs would be 400 MB): an array that would exceed them is shared by the CPUs, under one lock. Set
 * before core_load().
 */
extern u64 core_percpu_budget;

/* struct rt_map's impl. */
struct array {
	u32		nparts;
	/* bytes from one CPU's part to the next; 0 if there is one part */
	u32		stride;
	struct map	*map;		/* [nparts], by CPU */
	struct map	*total;		/* map itself when nparts is 1; else rebuilt for loops */
} __attribute__((__aligned__(RT_LINE)));

/*
 * Allocates the memory of all rt_script.globals and sets their parts. 0, or -errno with *name set
 * to the global that failed.
 */
int core_load(const char **name);
void core_unload(void);
/*
 * WIRE_GLOBAL: sets a scalar's initial value, from len untrusted bytes. Between core_load() and the
 * start, process context. 0 or -errno.
 */
int core_assign(const struct wire_global *value, u64 len);
/*
 * Bytes that core_load() allocated, and the number of arrays that are shared because of their size:
 * for -v.
 */
u64 core_bytes(void);
u32 core_shared(void);

#endif
