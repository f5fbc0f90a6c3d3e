/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * library_text.h - the contents of the library's comments, for doc/library.c: read by
 * library_text.c, written as pages by library_pages.c.
 */
#ifndef LAPWING_DOC_LIBRARY_TEXT_H
#define LAPWING_DOC_LIBRARY_TEXT_H

#include "parser/ast.h"

#include <stdio.h>

/* Description of a name; the texts belong to struct library_text. */
struct term {
	const char	*name, *text;
};

/* A function or one name of an alias. */
struct item {
	const char	*name;
	const char	*summary, *more;	/* "": none */
	const char	*returns, *fails, *example;	/* NULL: none */
	/* the synopsis: "ip_ntop:string(addr:long)", "tcp.sendmsg" */
	const char	*call;
	const char	*points;	/* of an alias: its probe points. NULL: a function */
	/* const char *: arguments of the function, or variables of the alias, in order */
	GPtrArray	*names;
	GArray		*terms;		/* struct term, of the item's own comment */
	const struct chapter *chapter;
	const struct item *same;	/* the first name of the alias, NULL: this one */
	const struct ast_node *node;	/* NULL: built in */
};

/* A file. */
struct chapter {
	const char	*name;		/* "inet" */
	const char	*text;		/* sentences of its block */
	/* struct term, of its block; a name with * is a pattern */
	GArray		*terms;
};

struct library_text {
	/* struct item, sorted by kind and name after library_text_finish() */
	GPtrArray	*items;
	GPtrArray	*chapters;	/* struct chapter */
	GHashTable	*aliases;	/* name -> struct item */
	GHashTable	*globals;	/* names that are not variables of aliases */
	GPtrArray	*faults;	/* char *: "tapsets/tcp.stp:12: ..." */
	GStringChunk	*texts;
};

struct library_text *library_text_new(void);
void library_text_free(struct library_text *lib);
/* Adds the functions, aliases and globals of a file with their comments. The tree must stay. */
void library_text_add(struct library_text *lib, const struct ast_node *file);
/*
 * After all files were added: adds builtin functions and the variables that aliases get from other
 * aliases, and finds faults.
 */
void library_text_finish(struct library_text *lib);
/*
 * Description of an argument or a variable, of the item itself or of its whole file; NULL: none.
 */
const char *item_term(const struct item *item, const char *name);
/* True if the name or a part of it begins with __: internal to the library, without a page. */
int item_is_own(const struct item *item);

#endif
