/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cfi.h - call frame information of one image: how to find a frame's caller at one place in its
 * code.
 */
#ifndef LAPWING_SYMBOLIZE_CFI_H
#define LAPWING_SYMBOLIZE_CFI_H

#include "runtime/rt.h"

#define CFI_REGS 33		/* DWARF's numbers: x86-64 0 to 16, arm64 0 to 31; 32 is free */

enum cfi_how { CFI_SAME, CFI_UNDEFINED, CFI_OFFSET, CFI_VALUE_OFFSET, CFI_REGISTER, CFI_EXPRESSION, CFI_VALUE_EXPRESSION };

struct cfi_rule {
	u8		how;		/* enum cfi_how */
	s64		n;		/* offset from the CFA, or a register */
	const u8	*at, *end;	/* expression */
};

struct cfi_row {
	/* CFI_REGISTER: register n plus offset; CFI_VALUE_EXPRESSION */
	struct cfi_rule	cfa;
	s64		cfa_offset;
	struct cfi_rule	reg[CFI_REGS];
	u32		ra;		/* the return address register */
	/* a signal frame: its caller was interrupted and made no call */
	int		is_signal;
};

/*
 * Calls each() for every row of a file. A row is valid from its address (not offset) to the next
 * row's; NULL: no row.
 */
typedef void cfi_row_fn(void *arg, u64 address, const struct cfi_row *row);
void cfi_each(const u8 *file, u64 size, cfi_row_fn *each, void *arg);
/* Finds the row for a file offset in an ELF file's bytes. 0, or -1: none, or malformed. */
int cfi_find(const u8 *file, u64 size, u64 offset, struct cfi_row *row);
/*
 * The file offset at which the next function after `offset` begins, in the same segment; ~0:
 * unknown.
 */
u64 cfi_next(const u8 *file, u64 size, u64 offset);

#endif
