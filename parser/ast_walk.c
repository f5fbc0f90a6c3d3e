/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ast_walk.c - the children of a node, in evaluation order.
 *
 * The only place that lists them; copying and walking use it.
 */
#include "parser/ast_walk.h"

#include "parser/ast.h"

struct children {
	void	(*fn)(struct ast_node **slot, void *data);
	void	*data;
};

static void one(const struct children *c, struct ast_node **slot)
{
	if (*slot)
		c->fn(slot, c->data);
}

static void all(const struct children *c, struct ast_list *list)
{
	for (unsigned i = 0; i < list->n; i++)
		one(c, &list->at[i]);
}

static void conditions(const struct children *c, struct probe_point *points, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		one(c, &points[i].condition);
}

static void target(const struct children *c, struct ast_node *node)
{
	one(c, &node->u.target.operand);
	for (unsigned i = 0; i < node->u.target.nsuffixes; i++)
		one(c, &node->u.target.suffixes[i].index);
}

static void loop(const struct children *c, struct ast_node *node)
{
	one(c, &node->u.loop.init);
	one(c, &node->u.loop.cond);
	one(c, &node->u.loop.body);
	one(c, &node->u.loop.step);
}

static void foreach(const struct children *c, struct ast_node *node)
{
	one(c, &node->u.foreach.array);
	all(c, &node->u.foreach.slice);
	one(c, &node->u.foreach.limit);
	one(c, &node->u.foreach.body);
}

static void alias(const struct children *c, struct ast_node *node)
{
	conditions(c, node->u.alias.points, node->u.alias.npoints);
	one(c, &node->u.alias.body);
	one(c, &node->u.alias.epilogue_body);
}

/* flat switch over node kinds */
void ast_children(struct ast_node *node, void (*fn)(struct ast_node **slot, void *data), void *data)
{
	const struct children c = { fn, data };

	switch (node->kind) {
	case AST_TARGET:	target(&c, node); break;
	case AST_INDEX:		all(&c, &node->u.index.keys); break;
	case AST_CALL:		all(&c, &node->u.call.args); break;
	case AST_PRINT:		all(&c, &node->u.print.args); break;
	case AST_NAMED:		one(&c, &node->u.named.value); break;
	case AST_STATOP:	one(&c, &node->u.statop.operand); break;
	case AST_HIST:		one(&c, &node->u.hist.operand); break;
	case AST_BUCKET:
		one(&c, &node->u.bucket.hist);
		one(&c, &node->u.bucket.index);
		break;
	case AST_UNARY:		one(&c, &node->u.unary.operand); break;
	case AST_CREMENT:	one(&c, &node->u.crement.operand); break;
	case AST_BINARY:
	case AST_ASSIGN:
		one(&c, &node->u.binary.left);
		one(&c, &node->u.binary.right);
		break;
	case AST_REGEX:		one(&c, &node->u.regex.left); break;
	case AST_TERNARY:
		one(&c, &node->u.ternary.cond);
		one(&c, &node->u.ternary.yes);
		one(&c, &node->u.ternary.no);
		break;
	case AST_IN:		all(&c, &node->u.in.keys); one(&c, &node->u.in.array); break;
	case AST_ATOP:		all(&c, &node->u.atop.args); break;
	case AST_CONCAT:
	case AST_BLOCK:
	case AST_FILE:		all(&c, &node->u.list); break;
	case AST_EXPR:
	case AST_RETURN:
	case AST_DELETE:	one(&c, &node->u.expr.expr); break;
	case AST_IF:
		one(&c, &node->u.cond.cond);
		one(&c, &node->u.cond.yes);
		one(&c, &node->u.cond.no);
		break;
	case AST_WHILE:
	case AST_FOR:		loop(&c, node); break;
	case AST_FOREACH:	foreach(&c, node); break;
	case AST_TRY:		one(&c, &node->u.try_.body); one(&c, &node->u.try_.handler); break;
	case AST_GLOBAL:	one(&c, &node->u.global.init); break;
	case AST_FUNCTION:	one(&c, &node->u.function.body); break;
	case AST_PROBE:
		conditions(&c, node->u.probe.points, node->u.probe.npoints);
		one(&c, &node->u.probe.body);
		break;
	case AST_ALIAS:		alias(&c, node); break;
	case AST_NUMBER: case AST_STRING: case AST_NAME: case AST_EMBED: case AST_EMPTY:
	case AST_BREAK: case AST_CONTINUE: case AST_NEXT: case AST_KINDS:
		break;
	}
}

struct walk {
	ast_visitor	*visit;
	void		*data;
};

static void walk_slot(struct ast_node **slot, void *data)
{
	struct walk *w = data;

	if (w->visit(slot, w->data) && *slot)
		ast_children(*slot, walk_slot, w);
}

void ast_walk(struct ast_node **slot, ast_visitor *visit, void *data)
{
	struct walk w = { visit, data };

	if (*slot)
		walk_slot(slot, &w);
}
