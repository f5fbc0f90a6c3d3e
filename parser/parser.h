/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parser.h - the state of one run of the parser.
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

/* Maximum number of symbols on the parser's stack: limits its memory, and nesting. */
#define PARSE_DEPTH_MAX	5000
/* Errors after which the rest of a file is not read. */
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
	unsigned	at;		/* the token pushed last */
	unsigned	next;		/* the token after it */
	GArray		*open;		/* unsigned: positions of unclosed brackets */
	unsigned	errors;
	/* the token at `at` was unexpected, which has been reported */
	int		failed;
	/* the script is of bpftrace or DTrace, which has been reported: the rest is not read */
	int		other_tool;
	/* set by constructors, for parse.c */
	int		in_function;
	unsigned	blocks;		/* open blocks */
	/* position where a probe's points begin, up to its block; 0: outside of them */
	unsigned	points;
	int		deep;		/* the tree is too deep: reported for this declaration */
	int		crowded;	/* too many points: reported for this probe */
	/* inside a declaration whose clauses are text: what is expected in this clause */
	const char	*clause;
};

#endif
