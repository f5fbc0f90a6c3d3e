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
		/* size 0: up to the next, or where `next` says that code of no symbol begins */
		u64		start, size;
		const char	*name, *module;
		/* which of several names at one address: the highest */
		int		rank;
	} *sym;
	size_t	n, room;
	int	versions;			/* behind an @ of a name stands its version */
	struct line {
		u64		start;
		const char	*file;
		u32		line;		/* 0: nothing is known from here on */
		/* as they came: of several at one address the last that is known counts */
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
	/* NULL: nothing else is known of what begins behind a place */
	u64	(*next)(const void *of, u64 start);
	const void *of;
	/* entries that were looked at, bytes of names: who adds may stop somewhere */
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
