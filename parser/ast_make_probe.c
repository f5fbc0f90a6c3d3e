/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ast_make_probe.c - constructors of probes and aliases: points, with their alternatives expanded.
 *
 * Input: the points after `probe`; output: a PROBE or ALIAS node with plain points. Does not know
 * what a point means.
 */
#include "parser/ast_make_probe.h"

#include "lib/escape.h"
#include "parser/ast_make.h"
#include "parser/parse_message.h"
#include "parser/parser.h"
#include "parser/token.h"

#include <string.h>

/* { {a,b}.{c,d}.{e,f} ... } doubles with each component. */
#define POINTS_MAX 10000

/* Returns 0 if there are too many, reported once per probe. */
static int add_point(struct parser *p, struct points *points, struct probe_point point)
{
	if (points->n >= POINTS_MAX) {
		if (!p->crowded)
			parse_error(p, &point.loc, D_PARSE_ALTERNATIVES);
		p->crowded = 1;
		return 0;
	}
	if (points->n == points->room) {
		struct probe_point *at = points->at;

		points->room = points->room ? 2 * points->room : 4;
		points->at = ast_alloc(p->ast, points->room * sizeof(*at));
		if (points->n)
			memcpy(points->at, at, points->n * sizeof(*at));
	}
	points->at[points->n++] = point;
	return 1;
}

static void add_argument(struct parser *p, struct point_comp *comp, const struct ast_node *literal)
{
	char *plain;

	comp->arg_loc = literal->loc;
	if (literal->kind != AST_STRING) {
		comp->arg = POINT_NUMBER;
		comp->number = literal->u.number.value;
		return;
	}
	plain = escape_resolve(literal->u.string.text);
	comp->arg = POINT_STRING;
	comp->string = ast_strdup(p->ast, plain);
	g_free(plain);
}

struct points *ast_make_component(struct parser *p, const struct extent *all,
				  const struct extent *name, const struct text *text,
				  const struct ast_node *argument)
{
	struct points *points = ast_alloc(p->ast, sizeof(*points));
	struct point_comp *component = ast_alloc(p->ast, sizeof(*component));
	struct probe_point point = { .comps = component, .ncomps = 1 };

	component->name = text->at;
	component->loc = loc_join(name->first->loc, name->last->loc);
	if (argument)
		add_argument(p, component, argument);
	point.loc = loc_join(component->loc, all->last->loc);
	add_point(p, points, point);
	return points;
}

static struct probe_point joined(struct parser *p, const struct probe_point *a,
				 const struct probe_point *b)
{
	struct probe_point point = *b;

	point.ncomps = a->ncomps + b->ncomps;
	point.comps = ast_alloc(p->ast, point.ncomps * sizeof(*point.comps));
	memcpy(point.comps, a->comps, a->ncomps * sizeof(*point.comps));
	memcpy(point.comps + a->ncomps, b->comps, b->ncomps * sizeof(*point.comps));
	point.loc = loc_join(a->loc, b->loc);
	return point;
}

struct points *ast_make_sequence(struct parser *p, const struct points *left,
				 const struct points *right)
{
	struct points *all = ast_alloc(p->ast, sizeof(*all));

	for (unsigned i = 0; i < left->n; i++) {
		const struct probe_point *a = &left->at[i];

		if (!a->optional && !a->sufficient && !a->condition)
			continue;
		parse_error(p, &right->at[0].loc, D_PARSE_SUFFIX);
		break;
	}
	for (unsigned i = 0; i < left->n; i++) {
		for (unsigned k = 0; k < right->n; k++) {
			if (!add_point(p, all, joined(p, &left->at[i], &right->at[k])))
				return all;
		}
	}
	return all;
}

/* The conditions of a point and of its enclosing braces are combined. */
static void add_condition(struct parser *p, struct probe_point *point, const struct token *if_,
			  const struct ast_node *condition, const struct extent *all)
{
	struct ast_node *copy = ast_copy(p->ast, condition), *both;

	if (!point->condition) {
		point->condition = copy;
		return;
	}
	both = ast_begin(p, AST_BINARY, if_->loc, if_->loc);
	both->u.binary.op = g_intern_string("&&");
	both->u.binary.left = point->condition;
	both->u.binary.right = copy;
	point->condition = ast_end(p, both, all);
}

struct points *ast_make_point(struct parser *p, const struct extent *all, struct points *sequence,
			      const struct token *mark, const struct token *if_,
			      const struct ast_node *condition)
{
	for (unsigned i = 0; i < sequence->n; i++) {
		struct probe_point *point = &sequence->at[i];

		point->optional |= mark && *mark->text == '?';
		point->sufficient |= mark && *mark->text == '!';
		if (condition)
			add_condition(p, point, if_, condition, all);
	}
	return sequence;
}

struct points *ast_make_point_list(struct parser *p, struct points *list, const struct points *more)
{
	list->epilogue |= more->epilogue;
	for (unsigned i = 0; i < more->n && add_point(p, list, more->at[i]); i++)
		;
	return list;
}

struct points *ast_make_alias_name(struct parser *p, struct points *name, int epilogue)
{
	if (name->n != 1)
		parse_error(p, &name->at[0].loc, D_PARSE_ALIAS);
	name->n = 1;
	name->epilogue = epilogue;
	return name;
}

void ast_make_probe_begin(struct parser *p)
{
	p->points = p->next;
	p->crowded = 0;
}

struct ast_node *ast_make_alias(struct parser *p, const struct extent *all, struct points *names,
				struct points *points, struct ast_node *body,
				const struct token *comma, struct ast_node *epilogue)
{
	struct ast_node *n = ast_begin(p, AST_ALIAS, all->first->loc, names->at[0].loc);

	n->u.alias.names = names->at;
	n->u.alias.nnames = names->n;
	n->u.alias.epilogue = names->epilogue;
	n->u.alias.points = points->at;
	n->u.alias.npoints = points->n;
	n->u.alias.body = body;
	if (comma && names->epilogue)
		parse_error(p, &comma->loc, D_PARSE_EPILOGUE);
	n->u.alias.epilogue_body = epilogue;
	return ast_end(p, n, all);
}

struct ast_node *ast_make_probe(struct parser *p, const struct extent *all, struct points *points,
				struct ast_node *body)
{
	struct ast_node *n = ast_begin(p, AST_PROBE, all->first->loc, points->at[0].loc);

	n->u.probe.points = points->at;
	n->u.probe.npoints = points->n;
	n->u.probe.body = body;
	return ast_end(p, n, all);
}
