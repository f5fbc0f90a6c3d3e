/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbols.h - names of addresses, from the consumer's tables, and unwind rows for programs' stacks.
 */
#ifndef LAPWING_KERNEL_SYMBOLS_H
#define LAPWING_KERNEL_SYMBOLS_H

#include "runtime/rt.h"

struct mm_struct;
struct wire_caller;
struct wire_symbols;
struct wire_symtab;

void symbols_load(void);
void symbols_unload(void);
/* WIRE_SYMBOLS: a piece of a table. 0 or -errno. Process context. */
int symbols_receive(const struct wire_symbols *chunk, u32 len);

/* Rows of the current process's images, for one stack; interrupts are off from begin to end. */
struct symbols_rows {
	struct mm_struct *mm;		/* NULL: none, or being changed: nothing is known */
	unsigned long	flags;
	u64		start, end, offset;	/* the last mapping found, and its offset in the
						 * image */
	const struct wire_symtab *table;	/* NULL: not present (yet) */
};
void symbols_rows_begin(struct symbols_rows *r);
/* 0, and the row for an address, NULL if none is known; -1: not code. */
int symbols_rows_find(struct symbols_rows *r, u64 addr, const struct wire_caller **how);
void symbols_rows_end(struct symbols_rows *r);

#endif
