/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * caller.h - one unwind step of a program's stack, by the rows of its image (struct wire_caller).
 * x86-64 and arm64.
 */
#ifndef LAPWING_CORE_CALLER_H
#define LAPWING_CORE_CALLER_H

#include "runtime/rt.h"
#include "runtime/wire.h"

#define STACK_GAP 0ULL		/* takes the place of an address: callers are missing here */

struct caller_frame {
	u64	ip, sp, fp;
	u64	link;		/* arm64's x30 */
	int	arm64;
	int	sp_is_bound;	/* sp is not known, only that it is no lower: on arm64, after a
				 * step along a frame pointer */
	int	exact;		/* ip was interrupted; otherwise ip is a return address */
	int	ends;		/* its caller was requested and it has none: the start of the
				 * thread */
};

/* Flaws of a program's stack, bits. */
enum stack_flaws {
	STACK_CUT = 1,		/* it does not reach the start of its thread */
	STACK_UNCERTAIN = 2,	/* unknown whether the innermost function has a frame record:
				 * callers may be missing after it */
	STACK_SKIPS = 4,	/* callers are known to be missing where an address is STACK_GAP */
};

/* Reads 8 bytes of the program's memory. 0, or -1: unreadable. */
typedef int caller_load(u64 at, u64 *value);

/*
 * Steps from a frame to its caller's. how: the row; NULL: follows frame pointers. 0, or -1: no
 * caller (f->ends), or it cannot be read. A thread starts where the row says so, where the frame
 * pointer is 0 if there is no row, or where the return address is 0.
 */
int caller_find(struct caller_frame *f, const struct wire_caller *how, caller_load *load);
/* The row of a function's first instruction: before any frame is set up. */
struct wire_caller caller_at_entry(int arm64);
/*
 * True if the frame pointer leads to the frame's own record. Then frame pointers lead to all
 * callers that have one.
 */
int caller_has_record(const struct caller_frame *f, const struct wire_caller *how);

#endif
