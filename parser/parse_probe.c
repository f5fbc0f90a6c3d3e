/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parse_probe.c - probes and aliases: points, their alternatives expanded.
 *
 * Input: the token stream behind `probe`; output: a PROBE or ALIAS node with
 * plain points.  Does not know what a point means.
 */
#include "parser/parse.h"

#include <string.h>

/* { {a,b}.{c,d}.{e,f} ... } doubles per component. */
#define POINTS_MAX 10000

struct points {
	struct probe_point *at;
	unsigned	n, room;
};

static void add_point(struct parser *p, struct points *points, struct probe_point point)
{
	if (points->n >= POINTS_MAX)
		parse_fail(p, &point.loc, D_PARSE_ALTERNATIVES);
	if (points->n == points->room) {
		struct probe_point *at = points->at;

		points->room = points->room ? 2 * points->room : 4;
		points->at = ast_alloc(p->ast, points->room * sizeof(*at));
		if (points->n)
			memcpy(points->at, at, points->n * sizeof(*at));
	}
	points->at[points->n++] = point;
}

static int is_name_piece(const struct token *t)
{
	return t->kind == TOKEN_IDENT || t->kind == TOKEN_KEYWORD || token_is(t, "*");
}

static void comp_argument(struct parser *p, struct point_comp *comp)
{
	struct ast_node *literal = parse_literal(p);

	comp->arg_loc = literal->loc;
	if (literal->kind == AST_STRING) {
		char *plain = g_strcompress(literal->u.string.text);

		comp->arg = POINT_STRING;
		comp->string = ast_strdup(p->ast, plain);
		g_free(plain);
	} else {
		comp->arg = POINT_NUMBER;
		comp->number = literal->u.number.value;
	}
	parse_want(p, ")");
}

/* name(argument): adjacent words and stars are one name. */
static struct probe_point *component(struct parser *p)
{
	struct probe_point *point = ast_alloc(p->ast, sizeof(*point));
	const struct token *t = parse_peek(p, 0);
	struct point_comp *comp = ast_alloc(p->ast, sizeof(*comp));

	if (!is_name_piece(t))
		parse_expected(p, "probe point specifier, identifier or '*' or '{'");
	comp->name = t->text;
	comp->loc = parse_take(p)->loc;
	while (is_name_piece(parse_peek(p, 0)) && parse_peek(p, 0)->glued) {
		t = parse_take(p);
		comp->name = ast_printf(p->ast, "%s%s", comp->name, t->text);
		comp->loc = loc_join(comp->loc, t->loc);
	}
	if (parse_accept(p, "("))
		comp_argument(p, comp);
	point->comps = comp;
	point->ncomps = 1;
	point->loc = loc_join(comp->loc, parse_prev(p)->loc);
	return point;
}

static struct probe_point joined(struct parser *p, const struct probe_point *a, const struct probe_point *b)
{
	struct probe_point point = *b;

	if (a->optional || a->sufficient || a->condition)
		parse_fail(p, &b->loc, D_PARSE_SUFFIX);
	point.ncomps = a->ncomps + b->ncomps;
	point.comps = ast_alloc(p->ast, point.ncomps * sizeof(*point.comps));
	memcpy(point.comps, a->comps, a->ncomps * sizeof(*point.comps));
	memcpy(point.comps + a->ncomps, b->comps, b->ncomps * sizeof(*point.comps));
	point.loc = loc_join(a->loc, b->loc);
	return point;
}

static struct points product(struct parser *p, const struct points *left, const struct points *right)
{
	struct points all = { 0 };

	for (unsigned i = 0; i < left->n; i++) {
		for (unsigned k = 0; k < right->n; k++)
			add_point(p, &all, joined(p, &left->at[i], &right->at[k]));
	}
	return all;
}

static void point_list(struct parser *p, struct points *all);

static struct points component_or_braces(struct parser *p)
{
	struct points some = { 0 };

	if (!parse_accept(p, "{")) {
		add_point(p, &some, *component(p));
		return some;
	}
	parse_enter(p);
	point_list(p, &some);
	parse_leave(p);
	parse_want(p, "}");
	return some;
}

static struct points sequence(struct parser *p)
{
	struct points all = component_or_braces(p), right;

	while (parse_accept(p, ".")) {
		right = component_or_braces(p);
		all = product(p, &all, &right);
	}
	return all;
}

/* The marks behind a sequence hold for each point it stands for; conditions add up. */
static void suffix_marks(struct parser *p, struct points *all)
{
	int optional = parse_accept(p, "?"), sufficient = !optional && parse_accept(p, "!");
	struct ast_node *condition = NULL, *both;
	struct loc loc = parse_peek(p, 0)->loc;

	if (parse_accept(p, "if")) {
		parse_want(p, "(");
		condition = parse_expr(p);
		parse_want(p, ")");
	}
	for (unsigned i = 0; i < all->n; i++) {
		struct probe_point *point = &all->at[i];

		point->optional |= optional;
		point->sufficient |= sufficient;
		if (!condition)
			continue;
		both = ast_copy(p->ast, condition);
		if (point->condition) {
			both = parse_node(p, AST_BINARY, loc, loc);
			both->u.binary.op = g_intern_string("&&");
			both->u.binary.left = point->condition;
			both->u.binary.right = ast_copy(p->ast, condition);
			both = parse_done(p, both);
		}
		point->condition = both;
	}
}

static void point_list(struct parser *p, struct points *all)
{
	do {
		struct points some = sequence(p);

		suffix_marks(p, &some);
		for (unsigned i = 0; i < some.n; i++)
			add_point(p, all, some.at[i]);
	} while (parse_accept(p, ","));
}

static struct ast_node *alias(struct parser *p, struct loc start, struct points *names, int epilogue,
			      struct points *points)
{
	struct ast_node *n = parse_node(p, AST_ALIAS, start, names->at[0].loc);

	n->u.alias.names = names->at;
	n->u.alias.nnames = names->n;
	n->u.alias.epilogue = epilogue;
	n->u.alias.points = points->at;
	n->u.alias.npoints = points->n;
	n->u.alias.body = parse_block(p);
	if (parse_at(p, ",") && epilogue)
		parse_fail(p, &parse_peek(p, 0)->loc, D_PARSE_EPILOGUE);
	if (parse_accept(p, ","))
		n->u.alias.epilogue_body = parse_block(p);
	return parse_done(p, n);
}

struct ast_node *parse_probe(struct parser *p)
{
	struct loc start = parse_prev(p)->loc;
	struct points names = { 0 }, points = { 0 }, one;
	int epilogue = 0;
	struct ast_node *n;

	for (;;) {
		one = sequence(p);
		if (!parse_at(p, "=") && !parse_at(p, "+="))
			break;
		if (one.n != 1)
			parse_fail(p, &one.at[0].loc, D_PARSE_ALIAS);
		epilogue |= token_is(parse_take(p), "+=");
		add_point(p, &names, one.at[0]);
	}
	suffix_marks(p, &one);
	for (unsigned i = 0; i < one.n; i++)
		add_point(p, &points, one.at[i]);
	if (parse_accept(p, ","))
		point_list(p, &points);
	if (!parse_at(p, "{"))
		parse_expected(p, "one of '. , ( ? ! { = +='");
	if (names.n)
		return alias(p, start, &names, epilogue, &points);
	n = parse_node(p, AST_PROBE, start, points.at[0].loc);
	n->u.probe.points = points.at;
	n->u.probe.npoints = points.n;
	n->u.probe.body = parse_block(p);
	return parse_done(p, n);
}
