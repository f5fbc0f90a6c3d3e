/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table.h - a symbol table (struct wire_symtab) under construction: the caller keeps its strings
 * valid until it is finished.
 */
#ifndef LAPWING_SYMBOLIZE_TABLE_H
#define LAPWING_SYMBOLIZE_TABLE_H

#include "runtime/rt.h"
#include "runtime/wire.h"

#include <stddef.h>

struct table {
	struct symbol {
		/* size 0: up to the next symbol, or to code without one, as `next` says */
		u64		start, size;
		const char	*name, *module;
		/* of several names at one address, the one with the highest rank is kept */
		int		rank;
	} *sym;
	size_t	n, room;
	int	versions;			/* names may have a version after an @ */
	struct line {
		u64		start;
		const char	*file;
		u32		line;		/* 0: unknown from here on */
		/* in which they were added: of several at one address, the last known is kept */
		u32		order;
	} *line;
	size_t	nlines, line_room;
	struct inlined {
		u64		start, end;
		const char	*name, *file;	/* file and line of the call */
		u32		line, depth;	/* depth: calls around it */
	} *inlined;
	size_t	ninlined, inlined_room;
	struct wire_caller *caller;
	size_t	ncallers, caller_room;
	/* where the next code after a place begins; NULL: unknown */
	u64	(*next)(const void *of, u64 start);
	const void *of;
	/* entries examined, and bytes of names: for the limits of a caller */
	u64	looked, text;
};

/* 0, or -1: no memory. */
int table_add(struct table *b, u64 start, u64 size, const char *name, const char *module, int rank);
int table_add_line(struct table *b, u64 start, const char *file, u32 line);
int table_add_inlined(struct table *b, const struct inlined *call);
int table_add_caller(struct table *b, const struct wire_caller *c);
/* Sorts, keeps one name per address, extends symbols without size to the next one. */
void table_tidy(struct table *b);
/* The finished table. NULL: no memory. Caller frees. */
struct wire_symtab *table_finish(struct table *b, const char *path, u64 *bytes);
void table_free(struct table *b);

#endif
