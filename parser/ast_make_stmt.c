/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ast_make_stmt.c - constructors of statements.
 */
#include "parser/ast_make_stmt.h"

#include "parser/ast_make.h"
#include "parser/ast_make_probe.h"
#include "parser/parse_message.h"
#include "parser/parser.h"
#include "parser/token.h"

#include <string.h>

void ast_make_block_begin(struct parser *p)
{
	p->points = 0;
	p->blocks++;
}

struct ast_node *ast_make_block(struct parser *p, const struct extent *all,
				struct ast_list *statements)
{
	struct ast_node *n = ast_begin(p, AST_BLOCK, all->first->loc, all->first->loc);

	p->blocks--;
	if (statements)
		n->u.list = *statements;
	return ast_end(p, n, all);
}

struct ast_node *ast_make_word(struct parser *p, enum ast_kind kind, const struct token *word)
{
	return ast_begin(p, kind, word->loc, word->loc);
}

struct ast_node *ast_make_expression_statement(struct parser *p, const struct extent *all,
					       struct ast_node *expression)
{
	struct ast_node *n = ast_begin(p, AST_EXPR, all->first->loc, expression->mark);

	n->u.expr.expr = expression;
	return ast_end(p, n, all);
}

struct ast_node *ast_make_if(struct parser *p, const struct extent *all, const struct token *word,
			     struct ast_node *condition, struct ast_node *yes, struct ast_node *no)
{
	struct ast_node *n = ast_make_word(p, AST_IF, word);

	n->u.cond.cond = condition;
	n->u.cond.yes = yes;
	n->u.cond.no = no;
	return ast_end(p, n, all);
}

struct ast_node *ast_make_while(struct parser *p, const struct extent *all,
				const struct token *word, struct ast_node *condition,
				struct ast_node *body)
{
	struct ast_node *n = ast_make_word(p, AST_WHILE, word);

	n->u.loop.cond = condition;
	n->u.loop.body = body;
	return ast_end(p, n, all);
}

struct ast_node *ast_make_for(struct parser *p, const struct extent *all, const struct token *word,
			      struct ast_node *init, struct ast_node *condition,
			      struct ast_node *step, struct ast_node *body)
{
	struct ast_node *n = ast_make_word(p, AST_FOR, word);

	n->u.loop.init = init;
	n->u.loop.cond = condition;
	n->u.loop.step = step;
	n->u.loop.body = body;
	return ast_end(p, n, all);
}

/* key: 1..n, or -1 for the value. direction NULL: not sorted by this one. */
static void sort_by(struct parser *p, struct ast_node *n, int key, const struct token *direction)
{
	if (!direction)
		return;
	if (n->u.foreach.sort_dir)
		parse_error(p, &direction->loc, D_PARSE_SORT);
	n->u.foreach.sort_key = key;
	n->u.foreach.sort_dir = *direction->text == '+' ? 1 : -1;
}

struct loop_keys *ast_make_foreach_key(struct parser *p, struct loop_keys *keys,
				       const struct token *name, const struct token *direction)
{
	if (!keys)
		keys = ast_alloc(p->ast, sizeof(*keys));
	if (keys->n == keys->room) {
		struct loop_key *at = keys->at;

		keys->room = keys->room ? 2 * keys->room : 4;
		keys->at = ast_alloc(p->ast, keys->room * sizeof(*at));
		if (keys->n)
			memcpy(keys->at, at, keys->n * sizeof(*at));
	}
	keys->at[keys->n++] = (struct loop_key){ name, direction };
	return keys;
}

struct loop_keys *ast_make_foreach_value(struct parser *p, struct loop_keys *keys,
					 const struct token *name, const struct token *direction)
{
	(void)p;
	keys->value = (struct loop_key){ name, direction };
	return keys;
}

static void add_keys(struct parser *p, struct ast_node *n, const struct loop_keys *keys)
{
	struct ast_param *at = ast_alloc(p->ast, keys->n * sizeof(*at));

	if (keys->value.name) {
		n->u.foreach.value = keys->value.name->text;
		n->u.foreach.value_loc = keys->value.name->loc;
		sort_by(p, n, -1, keys->value.direction);
	}
	for (unsigned i = 0; i < keys->n; i++) {
		at[i].name = keys->at[i].name->text;
		at[i].loc = keys->at[i].name->loc;
		sort_by(p, n, (int)i + 1, keys->at[i].direction);
	}
	n->u.foreach.keys = at;
	n->u.foreach.nkeys = keys->n;
}

struct ast_node *ast_make_foreach_head(struct parser *p, const struct token *word,
				       const struct loop_keys *keys, struct ast_node *array,
				       const struct ast_list *slice, struct order order,
				       struct ast_node *limit)
{
	struct ast_node *n = ast_make_word(p, AST_FOREACH, word);

	add_keys(p, n, keys);
	n->u.foreach.array = array;
	if (slice)
		n->u.foreach.slice = *slice;
	if (order.op)
		n->u.foreach.sort_op = order.op->text;
	sort_by(p, n, -1, order.direction);
	n->u.foreach.limit = limit;
	return n;
}

struct ast_node *ast_make_foreach(struct parser *p, const struct extent *all,
				  struct ast_node *head, struct ast_node *body)
{
	head->u.foreach.body = body;
	return ast_end(p, head, all);
}

struct ast_node *ast_make_try(struct parser *p, const struct extent *all, const struct token *word,
			      struct ast_node *body, const struct token *name,
			      struct ast_node *handler)
{
	struct ast_node *n = ast_make_word(p, AST_TRY, word);

	n->u.try_.body = body;
	if (name) {
		n->u.try_.name = name->text;
		n->u.try_.name_loc = name->loc;
	}
	n->u.try_.handler = handler;
	return ast_end(p, n, all);
}

struct ast_node *ast_make_return(struct parser *p, const struct extent *all,
				 const struct token *word, struct ast_node *value)
{
	struct ast_node *n = ast_make_word(p, AST_RETURN, word);

	if (!p->in_function)
		parse_error(p, &word->loc, D_PARSE_RETURN);
	n->u.expr.expr = value;
	return ast_end(p, n, all);
}

struct ast_node *ast_make_delete(struct parser *p, const struct extent *all,
				 const struct token *word, struct ast_node *what)
{
	struct ast_node *n = ast_make_word(p, AST_DELETE, word);

	n->u.expr.expr = what;
	return ast_end(p, n, all);
}
