// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * memory.c - memory of the runtime: taken at load, given back at unload, never in a handler.
 *
 * A request that would take more than half of what the machine has to spare is
 * refused before it is tried, so that a script cannot push it into reclaim.
 */
#include <linux/mm.h>
#include <linux/vmalloc.h>

#include "runtime/core/core.h"

void *runtime_alloc(u64 bytes)
{
	long pages = si_mem_available();

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
