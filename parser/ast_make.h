/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ast_make.h - the constructors that the actions of grammar.y call, and nothing else calls: the
 * shared part. The ast_make_* headers have the others.
 *
 * Each creates a node, or adds to one; `all` is the extent of the construct. An error in a part is
 * reported and replaced by a placeholder: a tree with errors is never used. The ast owns all
 * memory. A NULL list is an empty one.
 */
#ifndef LAPWING_AST_MAKE_H
#define LAPWING_AST_MAKE_H

#include "parser/ast.h"

struct extent;
struct parser;
struct token;

/* A growing text: capacity doubles. */
struct text {
	const char	*at;		/* a token's, or own */
	char		*own;
	size_t		len, room;	/* room: of own */
};

/* token NULL: none given. */
struct integer {
	const struct token *token;
	int		minus;
};

/* A node that begins at start; ast_end() closes it at the end of `all` and bounds its depth. */
struct ast_node *ast_begin(struct parser *p, enum ast_kind kind, struct loc start, struct loc mark);
struct ast_node *ast_end(struct parser *p, struct ast_node *n, const struct extent *all);
/* The value of an integer; values outside low..high are reported. */
int64_t ast_integer(struct parser *p, struct integer integer, int64_t low, int64_t high);
struct ast_list *ast_make_list(struct parser *p, struct ast_list *list, struct ast_node *node);
/* Prepends `first` to the list. */
struct ast_list *ast_make_list_after(struct parser *p, struct ast_node *first,
				     struct ast_list *list);
struct ast_node *ast_make_integer(struct parser *p, const struct extent *all,
				  struct integer integer);
/* A nonnegative integer. */
struct ast_node *ast_make_count(struct parser *p, const struct extent *all, struct integer integer);
/* The concatenated texts of tokens; text NULL: the first. */
struct text *ast_make_text(struct parser *p, struct text *text, const struct token *token);
struct ast_node *ast_make_string(struct parser *p, const struct extent *all,
				 const struct text *text);
struct ast_node *ast_make_embed(struct parser *p, const struct token *token);

#endif
