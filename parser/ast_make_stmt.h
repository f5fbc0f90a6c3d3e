/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ast_make_stmt.h - constructors of statements; `word` is the keyword.
 */
#ifndef LAPWING_PARSER_AST_MAKE_STMT_H
#define LAPWING_PARSER_AST_MAKE_STMT_H

#include "parser/ast.h"

struct extent;
struct parser;
struct token;

/* Of a foreach: direction may be NULL. */
struct loop_key {
	const struct token *name, *direction;
};

struct loop_keys {
	struct loop_key	*at;
	unsigned	n, room;
	struct loop_key	value;		/* name NULL: none */
};

/* How foreach sorts: each may be NULL. */
struct order {
	const struct token *op, *direction;
};

void ast_make_block_begin(struct parser *p);
struct ast_node *ast_make_block(struct parser *p, const struct extent *all,
				struct ast_list *statements);
/* A statement that consists of one keyword. */
struct ast_node *ast_make_word(struct parser *p, enum ast_kind kind, const struct token *word);
struct ast_node *ast_make_expression_statement(struct parser *p, const struct extent *all,
					       struct ast_node *expression);
struct ast_node *ast_make_if(struct parser *p, const struct extent *all, const struct token *word,
			     struct ast_node *condition, struct ast_node *yes, struct ast_node *no);
struct ast_node *ast_make_while(struct parser *p, const struct extent *all,
				const struct token *word, struct ast_node *condition,
				struct ast_node *body);
struct ast_node *ast_make_for(struct parser *p, const struct extent *all, const struct token *word,
			      struct ast_node *init, struct ast_node *condition,
			      struct ast_node *step, struct ast_node *body);
/* direction may be NULL. */
struct loop_keys *ast_make_foreach_key(struct parser *p, struct loop_keys *keys,
				       const struct token *name, const struct token *direction);
struct loop_keys *ast_make_foreach_value(struct parser *p, struct loop_keys *keys,
					 const struct token *name, const struct token *direction);
struct ast_node *ast_make_foreach_head(struct parser *p, const struct token *word,
				       const struct loop_keys *keys, struct ast_node *array,
				       const struct ast_list *slice, struct order order,
				       struct ast_node *limit);
struct ast_node *ast_make_foreach(struct parser *p, const struct extent *all,
				  struct ast_node *head, struct ast_node *body);
struct ast_node *ast_make_try(struct parser *p, const struct extent *all, const struct token *word,
			      struct ast_node *body, const struct token *name,
			      struct ast_node *handler);
struct ast_node *ast_make_return(struct parser *p, const struct extent *all,
				 const struct token *word, struct ast_node *value);
struct ast_node *ast_make_delete(struct parser *p, const struct extent *all,
				 const struct token *word, struct ast_node *what);

#endif
