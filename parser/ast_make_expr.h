/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ast_make_expr.h - constructors of operators and target variables.
 */
#ifndef LAPWING_PARSER_AST_MAKE_EXPR_H
#define LAPWING_PARSER_AST_MAKE_EXPR_H

struct ast_list;
struct ast_node;
struct extent;
struct parser;
struct token;

struct ast_node *ast_make_binary(struct parser *p, const struct extent *all, struct ast_node *left,
				 const struct token *op, struct ast_node *right);
struct ast_node *ast_make_assignment(struct parser *p, const struct extent *all,
				     struct ast_node *left, const struct token *op,
				     struct ast_node *right);
struct ast_node *ast_make_regex(struct parser *p, const struct extent *all, struct ast_node *left,
				const struct token *op, const struct ast_node *pattern);
struct ast_node *ast_make_ternary(struct parser *p, const struct extent *all,
				  struct ast_node *condition, const struct token *op,
				  struct ast_node *yes, struct ast_node *no);
struct ast_node *ast_make_in(struct parser *p, const struct extent *all,
			     const struct ast_list *keys, const struct token *word,
			     struct ast_node *array);
struct ast_node *ast_make_concatenated(struct parser *p, struct ast_node *left,
				       const struct token *op, struct ast_node *right);
struct ast_node *ast_make_concatenated_more(struct parser *p, struct ast_node *n,
					    struct ast_node *right);
struct ast_node *ast_make_concatenation(struct parser *p, const struct extent *all,
					struct ast_node *n);
struct ast_node *ast_make_unary(struct parser *p, const struct extent *all, const struct token *op,
				struct ast_node *operand);
struct ast_node *ast_make_crement(struct parser *p, const struct extent *all,
				  const struct token *op, struct ast_node *operand, int prefix);
struct ast_node *ast_make_address(struct parser *p, const struct extent *all,
				  const struct token *op, struct ast_node *n);
/* A target variable grows by its suffixes; this ends it. */
struct ast_node *ast_make_target(struct parser *p, const struct extent *all, struct ast_node *n);
struct ast_node *ast_make_dollar(struct parser *p, const struct token *name);
/* module may be NULL. */
struct ast_node *ast_make_cast(struct parser *p, const struct token *word,
			       struct ast_node *operand, const struct ast_node *type,
			       const struct ast_node *module);
struct ast_node *ast_make_var(struct parser *p, const struct token *word,
			      const struct ast_node *name, const struct ast_node *module);
struct ast_node *ast_make_autocast(struct parser *p, struct ast_node *value);
struct ast_node *ast_make_member(struct parser *p, struct ast_node *target,
				 const struct token *name);
struct ast_node *ast_make_element(struct parser *p, struct ast_node *target,
				  const struct token *bracket, struct ast_node *index);
struct ast_node *ast_make_pretty(struct parser *p, struct ast_node *target,
				 const struct token *mark);

#endif
