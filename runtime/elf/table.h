/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table.h - a symbol table (struct wire_symtab) under construction: names and modules stay the caller's until it is finished.
 */
#ifndef LAPWING_ELF_TABLE_H
#define LAPWING_ELF_TABLE_H

#include "runtime/rt.h"
#include "runtime/wire.h"

#include <stddef.h>

struct table {
	struct symbol {
		u64		start, size;	/* size 0: up to the next */
		const char	*name, *module;
		int		rank;		/* which of several names at one address: the highest */
	} *sym;
	size_t	n, room;
};

/* 0, or -1: no memory. */
int table_add(struct table *b, u64 start, u64 size, const char *name, const char *module, int rank);
/* Sorts, keeps one name an address, gives sizeless symbols the room up to the next. */
void table_tidy(struct table *b);
/* The finished table: header, symbols, the path, names. NULL: no memory. Caller frees; b->sym too. */
struct wire_symtab *table_finish(struct table *b, const char *path, u64 *bytes);

#endif
