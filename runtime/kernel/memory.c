// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * memory.c - memory of the runtime: taken at load, given back at unload, never in a handler.
 *
 * A request that would take more than half of what the machine has to spare is
 * refused before it is tried, so that a script cannot push it into reclaim.
 */
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <linux/vmalloc.h>

#include "runtime/core/core.h"

static uint fail_alloc;
module_param(fail_alloc, uint, 0400);
MODULE_PARM_DESC(fail_alloc, "for tests: which allocation fails; 0: none");

static uint memory_taken;		/* allocations so far; load and start are one thread at a time */

void *runtime_alloc(u64 bytes)
{
	long pages = si_mem_available();

	if (fail_alloc && ++memory_taken == fail_alloc)
		return NULL;

	if (!bytes || pages <= 0 || (bytes >> PAGE_SHIFT) > (u64)pages / 2)
		return NULL;
	return __vmalloc(bytes, GFP_KERNEL | __GFP_NORETRY | __GFP_NOWARN | __GFP_ZERO);
}

void runtime_free(void *p)
{
	vfree(p);
}

u32 runtime_parts(void)
{
	return nr_cpu_ids;
}
