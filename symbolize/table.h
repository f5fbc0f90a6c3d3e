/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table.h - a symbol table (struct wire_symtab) under construction: texts stay the caller's until
 * it is finished.
 */
#ifndef LAPWING_SYMBOLIZE_TABLE_H
#define LAPWING_SYMBOLIZE_TABLE_H

#include "runtime/rt.h"
#include "runtime/wire.h"

#include <stddef.h>

struct table {
	struct symbol {
		u64		start, size;	/* size 0: up to the next symbol */
		const char	*name, *module;
		int		rank;		/* of several names at one address the highest
						 * rank wins */
	} *sym;
	size_t	n, room;
	int	versions;			/* names have a version after @ */
	struct line {
		u64		start;
		const char	*file;
		u32		line;		/* 0: no line from here on */
		u32		order;		/* of several lines at one address the last known
						 * one wins */
	} *line;
	size_t	nlines, line_room;
	struct inlined {
		u64		start, end;
		const char	*name, *file;	/* of the call site */
		u32		line, depth;	/* depth: number of enclosing inlined calls */
	} *inlined;
	size_t	ninlined, inlined_room;
	struct wire_caller *caller;
	size_t	ncallers, caller_room;
	u64	looked, text;			/* entries read, bytes of names: for callers'
						 * limits */
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
