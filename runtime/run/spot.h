/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spot.h - where an address of a record is: in which function of which image, by what was mapped at
 * the time of the record (track_until()).
 */
#ifndef LAPWING_RUN_SPOT_H
#define LAPWING_RUN_SPOT_H

#include "runtime/run/run.h"

struct fmt_item_source;

struct spot {
	u64			addr, at;	/* at: in the table */
	s32			pid;		/* 0: the kernel */
	const struct wire_symtab *table;	/* NULL: unknown */
	const struct wire_symbol *sym;		/* NULL: in none */
};

/*
 * Kernel addresses have the top bit set. pid: of the record; 0 or ours: of no program, as a timer's,
 * so the address is any process's that maps it.
 */
struct spot spot_of(s32 pid, u64 addr, int is_return);
/*
 * A stack among a record's values, of *len bytes: moves on behind it. NULL: there is none.
 */
const struct wire_stack *spot_stack(struct fmt_item_source *values, u32 *len);
/* The frames of a record's stack, innermost first; returns their number, at most max. */
u32 spots_of_stack(const struct wire_stack *s, u32 len, struct spot *frame, u32 max);

#endif
