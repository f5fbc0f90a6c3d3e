/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parse_stmt.c - statements.  They need no separator: the longest one wins, and
 * one ';' after it belongs to it.
 */
#include "parser/parse.h"

#include <string.h>

static struct ast_node *statement(struct parser *p);

/* A node for the keyword that stands here, taken. */
static struct ast_node *keyword(struct parser *p, enum ast_kind kind)
{
	struct loc loc = parse_take(p)->loc;

	return parse_node(p, kind, loc, loc);
}

static struct ast_node *bracketed(struct parser *p)
{
	struct ast_node *e;

	parse_want(p, "(");
	e = parse_expr(p);
	parse_want(p, ")");
	return e;
}

static struct ast_node *if_(struct parser *p)
{
	struct ast_node *n = keyword(p, AST_IF);

	n->u.cond.cond = bracketed(p);
	n->u.cond.yes = statement(p);
	if (parse_accept(p, "else"))
		n->u.cond.no = statement(p);
	return n;
}

static struct ast_node *while_(struct parser *p)
{
	struct ast_node *n = keyword(p, AST_WHILE);

	n->u.loop.cond = bracketed(p);
	n->u.loop.body = statement(p);
	return n;
}

static struct ast_node *for_(struct parser *p)
{
	struct ast_node *n = keyword(p, AST_FOR);

	parse_want(p, "(");
	if (!parse_at(p, ";"))
		n->u.loop.init = parse_expr(p);
	parse_want(p, ";");
	if (!parse_at(p, ";"))
		n->u.loop.cond = parse_expr(p);
	parse_want(p, ";");
	if (!parse_at(p, ")"))
		n->u.loop.step = parse_expr(p);
	parse_want(p, ")");
	n->u.loop.body = statement(p);
	return n;
}

/* + or -: +1 or -1; neither: 0. */
static int direction(struct parser *p)
{
	return parse_accept(p, "+") ? 1 : parse_accept(p, "-") ? -1 : 0;
}

static void sort_by(struct parser *p, struct ast_node *n, int key, int dir)
{
	if (!dir)
		return;
	if (n->u.foreach.sort_dir)
		parse_fail(p, &parse_prev(p)->loc, D_PARSE_SORT);
	n->u.foreach.sort_key = key;
	n->u.foreach.sort_dir = dir;
}

static void add_key(struct parser *p, struct ast_node *n)
{
	const struct token *t = parse_name(p);
	struct ast_param *all;
	unsigned count = n->u.foreach.nkeys;

	all = ast_alloc(p->ast, (count + 1) * sizeof(*all));
	if (count)
		memcpy(all, n->u.foreach.keys, count * sizeof(*all));
	all[count] = (struct ast_param){ .name = t->text, .loc = t->loc };
	n->u.foreach.keys = all;
	n->u.foreach.nkeys = count + 1;
	sort_by(p, n, count + 1, direction(p));
}

/* [value =] key | [value =] '[' keys ']' */
static void foreach_names(struct parser *p, struct ast_node *n)
{
	unsigned ahead = 1 + (token_is(parse_peek(p, 1), "+") || token_is(parse_peek(p, 1), "-"));

	if (!parse_at(p, "[") && token_is(parse_peek(p, ahead), "=")) {
		const struct token *t = parse_name(p);

		n->u.foreach.value = t->text;
		n->u.foreach.value_loc = t->loc;
		sort_by(p, n, -1, direction(p));
		parse_want(p, "=");
	}
	if (!parse_accept(p, "[")) {
		add_key(p, n);
		return;
	}
	do {
		add_key(p, n);
	} while (parse_accept(p, ","));
	parse_want(p, "]");
}

static void foreach_order(struct parser *p, struct ast_node *n)
{
	const struct token *t = parse_peek(p, 0);
	int dir;

	if (t->kind == TOKEN_OPERATOR && *t->text == '@') {
		if (!strstr(" @count @sum @min @max @avg @variance ", ast_printf(p->ast, " %s ", t->text)))
			parse_expected(p, "sorting statistic operator");
		n->u.foreach.sort_op = g_intern_string(parse_take(p)->text);
		dir = direction(p);
		if (!dir)
			parse_expected(p, "sort direction");
	} else {
		dir = direction(p);
	}
	sort_by(p, n, -1, dir);
}

static struct ast_node *foreach(struct parser *p)
{
	struct ast_node *n = keyword(p, AST_FOREACH);

	parse_want(p, "(");
	foreach_names(p, n);
	parse_want(p, "in");
	n->u.foreach.array = parse_base(p);
	if (parse_accept(p, "["))
		parse_keys(p, &n->u.foreach.slice);
	foreach_order(p, n);
	if (parse_accept(p, "limit"))
		n->u.foreach.limit = parse_expr(p);
	parse_want(p, ")");
	n->u.foreach.body = statement(p);
	return n;
}

static struct ast_node *try_(struct parser *p)
{
	struct ast_node *n = keyword(p, AST_TRY);
	const struct token *t;

	n->u.try_.body = parse_block(p);
	parse_want(p, "catch");
	if (parse_accept(p, "(")) {
		t = parse_name(p);
		n->u.try_.name = t->text;
		n->u.try_.name_loc = t->loc;
		parse_want(p, ")");
	}
	n->u.try_.handler = parse_block(p);
	return n;
}

static struct ast_node *return_(struct parser *p)
{
	if (!p->in_function)
		parse_fail(p, &parse_peek(p, 0)->loc, D_PARSE_RETURN);
	struct ast_node *n = keyword(p, AST_RETURN);

	if (!parse_at(p, ";") && !parse_at(p, "}"))
		n->u.expr.expr = parse_expr(p);
	return n;
}

static struct ast_node *delete(struct parser *p)
{
	struct ast_node *n = keyword(p, AST_DELETE);

	n->u.expr.expr = parse_expr(p);
	return n;
}

static struct ast_node *break_(struct parser *p)
{
	return keyword(p, AST_BREAK);
}

static struct ast_node *continue_(struct parser *p)
{
	return keyword(p, AST_CONTINUE);
}

static struct ast_node *next(struct parser *p)
{
	return keyword(p, AST_NEXT);
}

static const struct {
	const char	*word;
	struct ast_node	*(*parse)(struct parser *p);
	int		semicolon;	/* a ';' behind belongs to it */
} statements[] = {
	{ "if", if_, 0 }, { "while", while_, 0 }, { "for", for_, 0 }, { "foreach", foreach, 0 }, { "try", try_, 0 },
	{ "return", return_, 1 }, { "delete", delete, 1 }, { "break", break_, 1 }, { "continue", continue_, 1 },
	{ "next", next, 1 }, { "{", parse_block, 0 },
};

static struct ast_node *simple(struct parser *p)
{
	struct loc start = parse_peek(p, 0)->loc;
	enum token_kind kind = parse_peek(p, 0)->kind;
	struct ast_node *n;

	if (parse_at(p, ";"))
		return parse_done(p, keyword(p, AST_EMPTY));
	if (kind == TOKEN_KEYWORD || kind == TOKEN_EOF)
		parse_expected(p, "statement");
	n = parse_node(p, AST_EXPR, start, start);
	n->u.expr.expr = parse_expr(p);
	n->mark = n->u.expr.expr->mark;
	n = parse_done(p, n);
	parse_accept(p, ";");
	return n;
}

static struct ast_node *statement(struct parser *p)
{
	struct ast_node *n = NULL;

	parse_enter(p);
	for (size_t i = 0; i < G_N_ELEMENTS(statements) && !n; i++) {
		if (!parse_at(p, statements[i].word))
			continue;
		n = parse_done(p, statements[i].parse(p));
		if (statements[i].semicolon)
			parse_accept(p, ";");
	}
	if (!n)
		n = simple(p);
	parse_leave(p);
	return n;
}

struct ast_node *parse_block(struct parser *p)
{
	struct loc start = parse_want(p, "{");
	struct ast_node *n = parse_node(p, AST_BLOCK, start, start);

	while (!parse_accept(p, "}"))
		ast_append(p->ast, &n->u.list, statement(p));
	return parse_done(p, n);
}
