/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * emit.h - what the files of emit/ share: one C file under construction.
 *
 * The emitter turns an annotated program into C text. An expression is simple
 * (it prints inside another) or complex (it needs statements first); emit_expr()
 * decides by doing: it writes the statements a value needs into the open block
 * and returns C text that is free of side effects and may be printed anywhere
 * in that block.  Each construct has one function that holds its text whole.
 */
#ifndef LAPWING_EMIT_H
#define LAPWING_EMIT_H

#include "translator/program/program.h"

/* An open { }: declarations come first in C as kernels are compiled, so both parts grow apart. */
struct block {
	struct block	*outer;
	GString		*decls, *body;
	unsigned	indent;
	GPtrArray	*temps;		/* struct temp */
};

/*
 * A local of a block that holds a value for one statement and is reused by later ones: handlers
 * have little stack, and the compiler gives each local its own slot.
 */
struct temp {
	const char	*type, *base, *name;
	unsigned	taken;		/* an increasing number, or 0: free */
};

/* The construct that encloses the current statement. */
enum enclosing_kind { SCOPE_LOOP, SCOPE_FOREACH, SCOPE_TRY };

struct enclosing {
	struct enclosing	*outer;
	enum enclosing_kind	kind;
	const char	*iter;		/* FOREACH: its rt_iter */
	/* the FOREACH, when its row can be read through iter all the time, or NULL */
	const struct ast_node *row_of;
	/* TRY: variable that remembers a break (1) or continue (2) through it, or NULL */
	const char	*leave;
};

struct emitter {
	struct program	*prog;
	GString		*out;		/* finished text */
	GHashTable	*format_ids, *near_ids;	/* text -> row */
	GPtrArray	*formats;	/* char *: "text\0kinds" rows as C */
	GPtrArray	*near;		/* char * */
	GHashTable	*regexes;	/* pattern -> number, from 1 */
	GHashTable	*handlers;	/* body as C, owned -> name of the function that has it */
	int		keeps_matches;	/* the script asks for matched() */
	gint64		maxstring;
	/* of the function being written */
	struct function	*function;	/* NULL in a probe */
	struct block	*block;
	struct enclosing	*scope;
	GHashTable	*counts;	/* base name -> how many */
	unsigned	taken;		/* temps taken so far */
	const struct ast_node *computed, *assignment;	/* what += computes, and the += */
};

#endif
