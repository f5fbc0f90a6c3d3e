// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * memory.c - the runtime's memory: allocated at load, freed at unload, never in a handler.
 *
 * An allocation that would bring the script above half of the memory that the machine can spare is
 * refused before it is tried, so that no script pushes the machine into reclaim.
 */
#include "runtime/kernel/base/memory.h"

#include <linux/mm.h>
#include <linux/module.h>
#include <linux/vmalloc.h>

#include "runtime/core/core.h"
#include "runtime/kernel/base/fault_inject.h"

/*
 * Bytes; the little that is freed before the end is not deducted. Load and start run in one thread
 * at a time.
 */
static u64 memory_taken;

int memory_allows(u64 bytes)
{
	long pages = si_mem_available();
	u64 spare = ((u64)(pages > 0 ? pages : 0) << PAGE_SHIFT) + memory_taken;

	if (bytes > spare || memory_taken + bytes > spare / 2) {
		pr_err("%s: %llu MB are refused: with the %llu MB it has, the script would take more than half of the %llu MB available\n",
		       THIS_MODULE->name, (bytes >> 20) + 1, memory_taken >> 20, spare >> 20);
		return 0;
	}
	memory_taken += bytes;
	return 1;
}

void *runtime_alloc(u64 bytes)
{
	if (!bytes || fault_inject_error() || !memory_allows(bytes))
		return NULL;
	return __vmalloc(bytes, GFP_KERNEL | __GFP_NORETRY | __GFP_NOWARN | __GFP_ZERO);
}

void runtime_free(void *p)
{
	vfree(p);
}

u32 runtime_parts(void)
{
	return rt_script.capture & RT_CAP_NMI ? 2 * nr_cpu_ids : nr_cpu_ids;
}
