/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ast_make_value.h - constructors of calls, prints, statistics and other values.
 */
#ifndef LAPWING_PARSER_AST_MAKE_VALUE_H
#define LAPWING_PARSER_AST_MAKE_VALUE_H

#include "parser/ast_make.h"

struct ast_node *ast_make_name(struct parser *p, const struct token *name);
struct ast_node *ast_make_call(struct parser *p, const struct extent *all,
			       const struct token *name, const struct ast_list *arguments);
/* name: value */
struct ast_node *ast_make_named(struct parser *p, const struct extent *all,
				const struct token *name, struct ast_node *value);
struct ast_node *ast_make_index(struct parser *p, const struct extent *all,
				const struct token *name, const struct ast_list *keys);
struct ast_node *ast_make_hist_log(struct parser *p, const struct extent *all,
				   const struct token *word, struct ast_node *operand);
struct ast_node *ast_make_hist_linear(struct parser *p, const struct extent *all,
				      const struct token *word, struct ast_node *operand,
				      struct integer low, struct integer high, struct integer step);
struct ast_node *ast_make_bucket(struct parser *p, const struct extent *all,
				 struct ast_node *histogram, struct ast_node *index);
struct ast_node *ast_make_print(struct parser *p, const struct extent *all,
				const struct token *word, const struct ast_list *arguments);
struct ast_node *ast_make_printf(struct parser *p, const struct extent *all,
				 const struct token *word, const struct ast_node *format,
				 const struct ast_list *arguments);
struct ast_node *ast_make_printd(struct parser *p, const struct extent *all,
				 const struct token *word, const struct ast_node *delimiter,
				 const struct ast_list *arguments);
struct ast_node *ast_make_statistic(struct parser *p, const struct extent *all,
				    const struct token *op, struct ast_node *operand);
/* One with a number, 0..most. */
struct ast_node *ast_make_statistic_of(struct parser *p, const struct extent *all,
				       const struct token *op, struct ast_node *operand,
				       struct integer number, int64_t most);
/* Up to three arguments; the others are NULL. */
struct ast_node *ast_make_at(struct parser *p, const struct extent *all, const struct token *op,
			     struct ast_node *first, struct ast_node *second,
			     struct ast_node *third);

#endif
