/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ast_make_decl.h - constructors of globals and functions.
 */
#ifndef LAPWING_PARSER_AST_MAKE_DECL_H
#define LAPWING_PARSER_AST_MAKE_DECL_H

#include "parser/ast_make.h"

struct params {
	struct ast_param *at;
	unsigned	n, room;
};

void ast_make_declaration(struct parser *p, struct ast_node *n);
void ast_make_private(struct parser *p, struct ast_node *function);
struct ast_node *ast_make_global(struct parser *p, const struct extent *all,
				 const struct token *name, const struct token *when_full,
				 struct integer size, const struct token *equals,
				 struct ast_node *init);
void ast_make_globals(struct parser *p, struct ast_list *variables, int private_);
struct params *ast_make_param(struct parser *p, struct params *params, const struct token *name,
			      enum ast_type type);
struct ast_node *ast_make_function_head(struct parser *p, const struct token *word,
					const struct token *name, enum ast_type type,
					struct params *params, struct integer priority);
struct ast_node *ast_make_function(struct parser *p, const struct extent *all,
				   struct ast_node *function, struct ast_node *body);

#endif
