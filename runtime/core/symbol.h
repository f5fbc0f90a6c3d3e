/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbol.h - symbol tables in transport format (struct wire_symtab): checking, searching, and
 * formatting addresses.
 *
 * Used by the runtimes and by the reader. The caller provides the memory; nothing here allocates or
 * locks.
 */
#ifndef LAPWING_CORE_SYMBOL_H
#define LAPWING_CORE_SYMBOL_H

#include "runtime/core/sink.h"
#include "runtime/wire.h"

/* How an address is formatted; an unknown one is its hexadecimal number in all styles. */
enum symbol_style {
	SYMBOL_NAME,		/* name */
	SYMBOL_DATA,		/* name+0x1/0x20 [image] */
	SYMBOL_LINE,		/* a line of a printed stack: " 0xADDR : name+0x1/0x20 [image]\n" */
	SYMBOL_SIMPLE,		/* a line of a stack as a string: "name+0x1 [image]\n" */
	SYMBOL_BRIEF,		/* "name+0x1\n" */
	/* SYMBOL_LINE with the source line, after a line for each inlined call */
	SYMBOL_FILELINE,
	SYMBOL_HEX,		/* "0xADDR " */
};
/*
 * Or-ed to a style: the address is a return address, so function and line are those of the call
 * before it: the code after a call that never returns may be another function.
 */
#define SYMBOL_RETURN	0x80

static inline const struct wire_symbol *symtab_symbols(const struct wire_symtab *t)
{
	return (const struct wire_symbol *)(t + 1);
}
static inline const struct wire_line *symtab_lines(const struct wire_symtab *t)
{
	return (const struct wire_line *)(symtab_symbols(t) + t->nsyms);
}
static inline const struct wire_inlined *symtab_calls(const struct wire_symtab *t)
{
	return (const struct wire_inlined *)(symtab_lines(t) + t->nlines);
}

static inline const struct wire_caller *symtab_callers(const struct wire_symtab *t)
{
	return (const struct wire_caller *)(symtab_calls(t) + t->ninlined);
}

/* 0, or -EINVAL: sorted, NUL-terminated, in bounds */
int symtab_check(const struct wire_symtab *t, u64 bytes);
/* NULL: in no symbol */
const struct wire_symbol *symtab_find(const struct wire_symtab *t, u64 at);
/* The same for a return address. */
const struct wire_symbol *symtab_find_return(const struct wire_symtab *t, u64 at);
/*
 * True for code that the kernel enters on a signal or an interrupt. The frame above it in a stack
 * was interrupted there, and did not call it. A signal handler returns to the first instruction of
 * such code.
 */
int symtab_interrupts(const struct wire_symtab *t, u64 at);
/* The source line of an address; NULL: unknown. */
const struct wire_line *symtab_line(const struct wire_symtab *t, u64 at);
/* The innermost inlined call that contains an address, and the one that contains that; NULL: none. */
const struct wire_inlined *symtab_inlined(const struct wire_symtab *t, u64 at);
const struct wire_inlined *symtab_outer(const struct wire_symtab *t,
					const struct wire_inlined *call);
/* The unwind row of an address; NULL: unknown. */
const struct wire_caller *symtab_caller(const struct wire_symtab *t, u64 at);
static inline const char *symtab_text(const struct wire_symtab *t, u32 offset)
{
	return (const char *)t + offset;
}
static inline const char *symtab_path(const struct wire_symtab *t)
{
	return symtab_text(t, t->names);
}
/* The module or image of an address; NULL: unknown. user: it is a program's. */
const char *symtab_image(const struct wire_symtab *t, u64 at, int user);
enum symbol_part { SYMBOL_FILE = 1, SYMBOL_LINE_NUMBER = 2 };
/* Prints a source position, "file", "line" or "file:line"; line NULL: the address. */
void symbol_place(struct sink *out, const struct wire_symtab *t, const struct wire_line *line,
		  u64 addr, u32 parts);
/*
 * Formats the address addr in image t (NULL: unknown). style: enum symbol_style, possibly with
 * SYMBOL_RETURN.
 */
void symbol_print(struct sink *out, const struct wire_symtab *t, u64 at, u64 addr, u32 style);

#endif
