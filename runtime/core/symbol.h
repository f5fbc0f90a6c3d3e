/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbol.h - symbol tables as they travel (struct wire_symtab): checked, searched, and an address's text made of them.
 *
 * Used by the runtimes and by the reader. Memory is the caller's; nothing here allocates or locks.
 */
#ifndef LAPWING_CORE_SYMBOL_H
#define LAPWING_CORE_SYMBOL_H

#include "runtime/core/sink.h"
#include "runtime/wire.h"

/* How an address is written; an unknown one is its hexadecimal number in all of them. */
enum symbol_style {
	SYMBOL_NAME,		/* name */
	SYMBOL_DATA,		/* name+0x1/0x20 [image] */
	SYMBOL_LINE,		/* a line of a printed stack: " 0xADDR : name+0x1/0x20 [image]\n" */
	SYMBOL_SIMPLE,		/* a line of a stack as a string: "name+0x1 [image]\n" */
	SYMBOL_BRIEF,		/* "name+0x1\n" */
	SYMBOL_HEX,		/* "0xADDR " */
};

int symtab_check(const struct wire_symtab *t, u64 bytes);	/* 0, or -EINVAL: sorted, NUL-terminated, in bounds */
const struct wire_symbol *symtab_find(const struct wire_symtab *t, u64 at);	/* NULL: in no symbol */
static inline const char *symtab_text(const struct wire_symtab *t, u32 offset) { return (const char *)t + offset; }
static inline const char *symtab_path(const struct wire_symtab *t) { return symtab_text(t, t->names); }
/* Where in image t (NULL: unknown) the address addr is. */
void symbol_print(struct sink *out, const struct wire_symtab *t, u64 at, u64 addr, u32 style);

#endif
