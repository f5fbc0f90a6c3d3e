/* SPDX-License-Identifier: GPL-2.0-or-later */
/* symbols.h - names of addresses, from the symbol tables that the consumer sends. */
#ifndef LAPWING_KERNEL_STACKS_SYMBOLS_H
#define LAPWING_KERNEL_STACKS_SYMBOLS_H

#include "runtime/core/core.h"

int symbols_take(const struct wire_symbols *chunk, u32 len);
void symbols_load(void);

struct wire_caller;

struct wire_symtab;

struct mm_struct;
/* Rows of the current process's images, for one stack; interrupts are off from begin to end. */
struct symbols_rows {
	struct mm_struct *mm;		/* NULL: none, or being changed: nothing is known */
	unsigned long	flags;
	/* the last mapping found, and its offset in the image */
	u64		start, end, offset;
	const struct wire_symtab *table;	/* NULL: not present (yet) */
};
void symbols_rows_begin(struct symbols_rows *r);
/* 0, and the row for an address, NULL if none is known; -1: not code. */
int symbols_rows_find(struct symbols_rows *r, u64 addr, const struct wire_caller **how);
void symbols_rows_end(struct symbols_rows *r);
void symbols_unload(void);

#endif
