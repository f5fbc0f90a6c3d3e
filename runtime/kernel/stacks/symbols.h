/* SPDX-License-Identifier: GPL-2.0-or-later */
/* symbols.h - names of addresses, from the tables that the consumer hands over. */
#ifndef LAPWING_KERNEL_STACKS_SYMBOLS_H
#define LAPWING_KERNEL_STACKS_SYMBOLS_H

#include "runtime/kernel/session/session.h"

int symbols_take(const struct wire_symbols *chunk, u32 len);
void symbols_load(void);

struct wire_caller;

struct wire_symtab;

struct mm_struct;
struct symbols_rows {
	struct mm_struct *mm;		/* NULL: it is being changed, or there is none: nothing is known */
	unsigned long	flags;
	u64		start, end, offset;	/* the mapping that was found last, and where in its image it begins */
	const struct wire_symtab *table;	/* NULL: it is not here (yet) */
};
void symbols_rows_begin(struct symbols_rows *r);
/* 0, and the row for an address, NULL if none is known; -1: no code is there. */
int symbols_rows_find(struct symbols_rows *r, u64 addr, const struct wire_caller **how);
void symbols_rows_end(struct symbols_rows *r);
void symbols_unload(void);

#endif
