/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * emit.h - what the files of emit/ share: one C file under construction.
 *
 * The emitter turns an annotated program into C text. An expression is simple
 * (it can be printed inside another) or complex (it needs statements first).
 * emit_expr() handles both: it writes the statements that a value needs into the
 * open block and returns C text without side effects, which may be printed
 * anywhere in that block.  Each construct has one function with all of its text.
 */
#ifndef LAPWING_EMIT_H
#define LAPWING_EMIT_H

#include "translator/program/program.h"

/* An open { }: kernel C has declarations first, so declarations and body are kept separately. */
struct block {
	struct block	*outer;
	GString		*decls, *body;
	unsigned	indent;
	GPtrArray	*temps;		/* struct temp */
};

/*
 * A local of a block that holds a value for one statement and is reused by later statements:
 * handlers have little stack, and the compiler gives each local its own slot.
 */
struct temp {
	const char	*type, *base, *name;
	unsigned	taken;		/* number in the order of taking; 0: free */
};

/* The construct that encloses the current statement. */
enum enclosing_kind { SCOPE_LOOP, SCOPE_FOREACH, SCOPE_TRY };

struct enclosing {
	struct enclosing	*outer;
	enum enclosing_kind	kind;
	const char	*iter;		/* FOREACH: its rt_iter */
	/* the FOREACH, if its row can be read through iter in the whole body, or NULL */
	const struct ast_node *row_of;
	/* TRY: variable that records a break (1) or continue (2) out of it, or NULL */
	const char	*leave;
};

struct emitter {
	struct program	*prog;
	GString		*out;		/* finished text */
	GHashTable	*format_ids, *near_ids;	/* text -> row */
	GPtrArray	*formats;	/* char *: "text\0kinds" rows as C */
	GPtrArray	*near;		/* char * */
	GPtrArray	*excerpts;	/* char *: the source lines of each near; "": none */
	GHashTable	*regexes;	/* pattern -> number, from 1 */
	GHashTable	*handlers;	/* body as C, owned -> name of the function with it */
	int		keeps_matches;	/* the script calls matched() */
	gint64		maxstring;
	/* of the function being written */
	struct function	*function;	/* NULL in a probe */
	struct block	*block;
	struct enclosing	*scope;
	GHashTable	*counts;	/* base name -> number of names made from it */
	unsigned	taken;		/* temps taken so far */
	const struct ast_node *computed, *assignment;	/* the sum of a +=, and the += */
};

#endif
