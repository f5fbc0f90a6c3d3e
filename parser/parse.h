/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parse.h - what the parser's files share: the token stream and one function per
 * part of the grammar.
 *
 * Private to parser/.  A parse function leaves through parse_fail() on an error:
 * all it made lives in the arena, so nothing is lost by the jump.
 */
#ifndef LAPWING_PARSE_H
#define LAPWING_PARSE_H

#include "parser/token.h"

#include <setjmp.h>

/* Nested brackets and statements: keeps the parser's own stack small. */
#define PARSE_NEST_MAX 400

struct parser {
	struct ast	*ast;
	const struct parse_env *env;
	GArray		*tokens;
	unsigned	at;
	unsigned	nest;
	unsigned	errors;
	int		in_function;
	jmp_buf		recover;
};

/* The next token, the one after `ahead` more, and the one last taken. */
const struct token *parse_peek(struct parser *p, unsigned ahead);
const struct token *parse_prev(struct parser *p);
/* Takes the next token; a JUNK one is an error. */
const struct token *parse_take(struct parser *p);
/* Takes the next token if it is this operator or keyword. */
int parse_accept(struct parser *p, const char *text);
int parse_at(struct parser *p, const char *text);
/* Takes this operator or keyword, or leaves with "expected 'text'". */
struct loc parse_want(struct parser *p, const char *text);
const struct token *parse_name(struct parser *p);
/* A string literal, adjacent ones glued. */
struct ast_node *parse_string(struct parser *p);
/* An integer of any sign, within low..high. */
int64_t parse_integer(struct parser *p, int64_t low, int64_t high);
/* Reports, with the arguments of the code's text, and leaves to the next declaration. */
void parse_fail(struct parser *p, const struct loc *loc, enum diag_code code, ...) G_GNUC_NORETURN;
void parse_expected(struct parser *p, const char *what) G_GNUC_NORETURN;
/* Leaves to the next declaration; the error has been reported. */
void parse_leave_declaration(struct parser *p) G_GNUC_NORETURN;
/* Bounds recursion: enter before, leave after. */
void parse_enter(struct parser *p);
void parse_leave(struct parser *p);

/* A node that begins at start; parse_done() closes it at the last token taken and bounds its depth. */
struct ast_node *parse_node(struct parser *p, enum ast_kind kind, struct loc start, struct loc mark);
struct ast_node *parse_done(struct parser *p, struct ast_node *node);

struct ast_node *parse_expr(struct parser *p);
struct ast_node *parse_value(struct parser *p);		/* without suffixes */
struct ast_node *parse_base(struct parser *p);		/* array name or histogram */
struct ast_node *parse_embed(struct parser *p);
void parse_keys(struct parser *p, struct ast_list *keys);	/* after '[' up to and with ']'; '*' is NULL */
struct ast_node *parse_literal(struct parser *p);
struct ast_node *parse_block(struct parser *p);
void parse_file(struct parser *p, struct ast_node *file);
struct ast_node *parse_probe(struct parser *p);
/* Is the next token one of the words that stand for probes at the top level: stopwatch, profile? */
int parse_at_statement(struct parser *p);
/* What it stands for, appended to the file. */
void parse_statement(struct parser *p, struct ast_node *file);

#endif
