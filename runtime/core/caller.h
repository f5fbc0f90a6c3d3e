/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * caller.h - one step up a program's stack, by what its image tells of its frames (struct wire_caller). x86-64 and arm64.
 */
#ifndef LAPWING_CORE_CALLER_H
#define LAPWING_CORE_CALLER_H

#include "runtime/rt.h"
#include "runtime/wire.h"

#define STACK_GAP 0ULL		/* in place of a stack's address: callers are missing here */

struct caller_frame {
	u64	ip, sp, fp;
	u64	link;		/* arm64's x30 */
	int	arm64;
	int	exact;		/* it was interrupted at ip; else ip is where a call returns to */
	int	ends;		/* it was asked for its caller and has none: here its thread began */
};

/* What is wrong with a program's stack, bits. */
enum stack_flaws {
	STACK_CUT = 1,		/* it does not end where its thread began */
	STACK_UNCERTAIN = 2,	/* nothing tells whether the innermost function has a record: callers may be missing behind it */
	STACK_SKIPS = 4,	/* callers are known to be missing where an address is STACK_GAP */
};

/* Reads 8 bytes of the program's memory. 0, or -1: they cannot be read. */
typedef int caller_load(u64 at, u64 *value);

/*
 * From a frame to its caller's; how: NULL where nothing is told, then along frame pointers. 0, or -1: it has no caller (f->ends), or that
 * cannot be read. Where a thread began the row says that there is no caller; without a row the frame pointer is 0; or the address is 0.
 */
int caller_find(struct caller_frame *f, const struct wire_caller *how, caller_load *load);
/* The row of a function's first instruction: no frame is made yet. */
struct wire_caller caller_at_entry(int arm64);
/* Is what its frame pointer leads to its own record of its caller? Then frame pointers lead to all callers that have one, too. */
int caller_has_record(const struct caller_frame *f, const struct wire_caller *how);

#endif
