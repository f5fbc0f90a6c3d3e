/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ast_make_value.c - constructors of values: names, calls, the print family, @-operators.
 */
#include "parser/ast_make_value.h"

#include "parser/ast_make.h"
#include "parser/format.h"
#include "parser/parse.h"
#include "parser/parse_message.h"
#include "parser/parser.h"
#include "parser/token.h"

/* A node whose first token is the one shown in errors. */
static struct ast_node *begin_at(struct parser *p, enum ast_kind kind, const struct token *token)
{
	return ast_begin(p, kind, token->loc, token->loc);
}

struct ast_node *ast_make_name(struct parser *p, const struct token *name)
{
	struct ast_node *n = begin_at(p, AST_NAME, name);

	n->u.name.name = name->text;
	return n;
}

struct ast_node *ast_make_call(struct parser *p, const struct extent *all,
			       const struct token *name, const struct ast_list *arguments)
{
	struct ast_node *n = begin_at(p, AST_CALL, name);

	n->u.call.name = name->text;
	if (arguments)
		n->u.call.args = *arguments;
	return ast_end(p, n, all);
}

struct ast_node *ast_make_named(struct parser *p, const struct extent *all,
				const struct token *name, struct ast_node *value)
{
	struct ast_node *n = begin_at(p, AST_NAMED, name);

	n->u.named.name = name->text;
	n->u.named.value = value;
	return ast_end(p, n, all);
}

struct ast_node *ast_make_index(struct parser *p, const struct extent *all,
				const struct token *name, const struct ast_list *keys)
{
	struct ast_node *n = begin_at(p, AST_INDEX, name);

	n->u.index.name = name->text;
	n->u.index.keys = *keys;
	return ast_end(p, n, all);
}

struct ast_node *ast_make_hist_log(struct parser *p, const struct extent *all,
				   const struct token *word, struct ast_node *operand)
{
	struct ast_node *n = begin_at(p, AST_HIST, word);

	n->u.hist.operand = operand;
	return ast_end(p, n, all);
}

struct ast_node *ast_make_hist_linear(struct parser *p, const struct extent *all,
				      const struct token *word, struct ast_node *operand,
				      struct integer low, struct integer high, struct integer step)
{
	struct ast_node *n = begin_at(p, AST_HIST, word);

	n->u.hist.linear = 1;
	n->u.hist.operand = operand;
	n->u.hist.low = ast_integer(p, low, INT64_MIN, INT64_MAX);
	n->u.hist.high = ast_integer(p, high, INT64_MIN, INT64_MAX);
	n->u.hist.step = ast_integer(p, step, INT64_MIN, INT64_MAX);
	return ast_end(p, n, all);
}

struct ast_node *ast_make_bucket(struct parser *p, const struct extent *all,
				 struct ast_node *histogram, struct ast_node *index)
{
	struct ast_node *n = ast_begin(p, AST_BUCKET, histogram->loc, histogram->mark);

	n->u.bucket.hist = histogram;
	n->u.bucket.index = index;
	return ast_end(p, n, all);
}

struct ast_node *ast_make_print(struct parser *p, const struct extent *all,
				const struct token *word, const struct ast_list *arguments)
{
	struct ast_node *n = begin_at(p, AST_PRINT, word);

	n->u.print.name = word->text;
	n->u.print.to_string = *word->text == 's';
	if (arguments)
		n->u.print.args = *arguments;
	return ast_end(p, n, all);
}

struct ast_node *ast_make_printf(struct parser *p, const struct extent *all,
				 const struct token *word, const struct ast_node *format,
				 const struct ast_list *arguments)
{
	struct ast_node *n = ast_make_print(p, all, word, arguments);
	const char *bad = NULL;

	g_free(format_kinds(format->u.string.text, &bad));
	if (bad)
		parse_error(p, &format->loc, D_PARSE_FORMAT, bad);
	if (n->kind == AST_PRINT)
		n->u.print.format = format->u.string.text;
	return n;
}

struct ast_node *ast_make_printd(struct parser *p, const struct extent *all,
				 const struct token *word, const struct ast_node *delimiter,
				 const struct ast_list *arguments)
{
	struct ast_node *n = ast_make_print(p, all, word, arguments);

	if (arguments->n < 2)
		parse_error(p, &word->loc, D_PARSE_PRINT, "a delimiter needs two or more values");
	if (n->kind == AST_PRINT)
		n->u.print.format = delimiter->u.string.text;
	return n;
}

static struct ast_node *statistic(struct parser *p, const struct extent *all,
				  const struct token *op, struct ast_node *operand, int64_t number)
{
	struct ast_node *n = begin_at(p, AST_STATOP, op);

	n->u.statop.op = op->text;
	n->u.statop.operand = operand;
	n->u.statop.number = number;
	return ast_end(p, n, all);
}

struct ast_node *ast_make_statistic(struct parser *p, const struct extent *all,
				    const struct token *op, struct ast_node *operand)
{
	return statistic(p, all, op, operand, -1);
}

struct ast_node *ast_make_statistic_of(struct parser *p, const struct extent *all,
				       const struct token *op, struct ast_node *operand,
				       struct integer number, int64_t most)
{
	return statistic(p, all, op, operand, ast_integer(p, number, 0, most));
}

struct ast_node *ast_make_at(struct parser *p, const struct extent *all, const struct token *op,
			     struct ast_node *first, struct ast_node *second,
			     struct ast_node *third)
{
	struct ast_node *n = begin_at(p, AST_ATOP, op);

	if (token_at_guru(op->text) && !p->env->guru && !p->env->is_tapset)
		parse_error(p, &op->loc, D_PARSE_GURU_WORD, op->text);
	n->u.atop.op = op->text;
	ast_append(p->ast, &n->u.atop.args, first);
	if (second)
		ast_append(p->ast, &n->u.atop.args, second);
	if (third)
		ast_append(p->ast, &n->u.atop.args, third);
	return ast_end(p, n, all);
}
