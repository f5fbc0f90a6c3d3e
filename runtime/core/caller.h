/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * caller.h - one step up a program's stack, by what its image tells of its frames (struct wire_caller). x86-64 and arm64.
 */
#ifndef LAPWING_CORE_CALLER_H
#define LAPWING_CORE_CALLER_H

#include "runtime/rt.h"
#include "runtime/wire.h"

struct caller_frame {
	u64	ip, sp, fp;
	u64	link;		/* arm64's x30 */
	int	arm64;
	int	exact;		/* it was interrupted at ip; else ip is where a call returns to */
};

/* Reads 8 bytes of the program's memory. 0, or -1: they cannot be read. */
typedef int caller_load(u64 at, u64 *value);

/*
 * From a frame to its caller's; how: NULL where nothing is told, then along frame pointers. 0, or -1: the stack ends here or cannot be
 * read.
 */
int caller_find(struct caller_frame *f, const struct wire_caller *how, caller_load *load);

#endif
