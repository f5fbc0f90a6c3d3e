/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parser.h - one run of the parser: where it stands.
 *
 * Private to parser/.
 */
#ifndef LAPWING_PARSER_PARSER_H
#define LAPWING_PARSER_PARSER_H

#include <glib.h>

struct ast;
struct ast_node;
struct parse_env;
struct token;

/* Symbols on the parser's stack: bounds its memory, and what is nested. */
#define PARSE_DEPTH_MAX	5000
/* Errors after which a file is read no further. */
#define PARSE_ERRORS_MAX 100

/* The tokens of a construct; both NULL for an empty one at the start of a file. */
struct extent {
	const struct token *first, *last;
};

struct parser {
	struct ast	*ast;
	const struct parse_env *env;
	struct ast_node	*file;
	const GArray	*tokens;
	unsigned	at;		/* the token that was pushed last */
	unsigned	next;		/* the one behind it */
	GArray		*open;		/* unsigned: where each bracket stands that is not closed */
	unsigned	errors;
	/* the token at `at` was not expected, and that has been reported */
	int		failed;
	/* set by constructors, for parse.c */
	int		in_function;
	unsigned	blocks;		/* that are open */
	/* where the points of a probe begin, up to its block; 0: outside of them */
	unsigned	points;
	int		deep;		/* too deep a tree: reported for this declaration */
	int		crowded;	/* too many points: reported for this probe */
	/* inside a declaration whose clauses are text: what stands in this one */
	const char	*clause;
};

#endif
