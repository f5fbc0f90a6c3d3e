/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * memory.c - memory for what a script keeps.
 */
#include "runtime/core/core.h"
#include "runtime/core/num.h"

#include <stdlib.h>
#include <string.h>

void *runtime_alloc(u64 bytes)
{
	void *p = aligned_alloc(RT_LINE, num_align_line(bytes));

	return p ? memset(p, 0, bytes) : NULL;
}

void runtime_free(void *p) { free(p); }
u32 runtime_parts(void) { return 1; }
