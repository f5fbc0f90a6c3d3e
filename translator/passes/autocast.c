/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * autocast.c - x->member, where x is a variable, a function's result or another expression whose
 * value was read from a pointer: becomes @cast(x, "struct type", "module")->member.
 *
 * A local, a parameter or a function points to what is assigned to it, passed or returned. Where
 * that is of two types nothing is known, nor of globals, which others may assign. Nothing is
 * converted before all is known of what is no autocast; what was converted then tells more.
 *
 * In and out: bodies of probes and functions, names bound. What stays an autocast is an error in
 * pass context.
 */
#include "parser/ast_walk.h"
#include "translator/passes/pass.h"
#include "translator/program/builtins.h"
#include "translator/target_var/variable.h"

#include <string.h>

struct autocast {
	struct program *prog;
	const struct probe *probe;	/* NULL: a function without target variables */
	struct function *function;	/* NULL in a probe */
	GHashTable *known;		/* struct var or struct function -> struct pointee */
	int progress;
};

static const struct pointee two_types;

/* Functions of the runtime that return an address. */
static const struct {
	const char *name;
	struct pointee to;
} results[] = {
	{ "task_current", { "struct task_struct", "kernel" } },
	{ "pid2task", { "struct task_struct", "kernel" } },
};

static const struct pointee *pointee(struct autocast *a, const struct ast_node *n);

static const struct pointee *known(struct autocast *a, const void *what)
{
	return what ? g_hash_table_lookup(a->known, what) : NULL;
}

/* What points to one or to the other; NULL: that one is not known. */
static const struct pointee *either(const struct pointee *one, const struct pointee *other)
{
	if (!one || !other)
		return one ? one : other;
	if (one == other || (one->type && other->type && !strcmp(one->type, other->type) &&
			     !strcmp(one->module, other->module)))
		return one;
	return &two_types;
}

static void learn(struct autocast *a, void *what, const struct pointee *to)
{
	const struct pointee *have = known(a, what), *now = either(have, to);

	if (!what || now == have)
		return;
	g_hash_table_insert(a->known, what, (void *)now);
	a->progress = 1;
}

static const struct pointee *of_call(struct autocast *a, const struct ast_node *n)
{
	const struct builtin *b = n->u.call.builtin;

	for (unsigned i = 0; b && i < G_N_ELEMENTS(results); i++)
		if (!strcmp(b->name, results[i].name))
			return &results[i].to;
	return known(a, n->u.call.function);
}

/* What the value of an expression points to; NULL: not known yet. */
static const struct pointee *pointee(struct autocast *a, const struct ast_node *n)
{
	switch (n ? n->kind : AST_NUMBER) {
	case AST_TARGET:
		return n->u.target.form == TARGET_AUTOCAST
			       ? NULL
			       : variable_pointee(a->prog, a->probe, n);
	case AST_NAME:
		return known(a, n->u.name.var);
	case AST_BINARY:
		return strcmp(n->u.binary.op, "+") && strcmp(n->u.binary.op, "-")
			       ? NULL
			       : pointee(a, n->u.binary.left);
	case AST_CALL:
		return of_call(a, n);
	case AST_ASSIGN:
		return strcmp(n->u.binary.op, "=") ? NULL : pointee(a, n->u.binary.right);
	case AST_TERNARY:
		return either(pointee(a, n->u.ternary.yes), pointee(a, n->u.ternary.no));
	default:
		return NULL;
	}
}

static int is_autocast(const struct ast_node *n)
{
	return n->kind == AST_TARGET && n->u.target.form == TARGET_AUTOCAST;
}

static int convert(struct ast_node **slot, void *data)
{
	struct autocast *a = data;
	struct ast_node *n = *slot;
	const struct pointee *to = is_autocast(n) ? pointee(a, n->u.target.operand) : NULL;

	if (!to || !to->type)
		return 1;
	n->u.target.form = TARGET_CAST;
	n->u.target.type_name = to->type;
	n->u.target.module = to->module;
	a->progress = 1;
	return 1;
}

static void visit_assign(struct autocast *a, const struct ast_node *left,
			 const struct pointee *to)
{
	if (left->kind == AST_NAME && !left->u.name.var->global)
		learn(a, left->u.name.var, to);
}

static void visit_call(struct autocast *a, const struct ast_node *n)
{
	for (struct function *f = n->u.call.function; f; f = f->overload)
		for (unsigned i = 0; i < n->u.call.args.n && i < f->params->len; i++)
			learn(a, f->params->pdata[i], pointee(a, n->u.call.args.at[i]));
}

static int watch(struct ast_node **slot, void *data)
{
	struct autocast *a = data;
	struct ast_node *n = *slot;

	switch (n->kind) {
	case AST_ASSIGN:
		if (!strcmp(n->u.binary.op, "="))
			visit_assign(a, n->u.binary.left, pointee(a, n->u.binary.right));
		break;
	case AST_RETURN:
		learn(a, a->function, pointee(a, n->u.expr.expr));
		break;
	case AST_CALL:
		visit_call(a, n);
		break;
	default:
		break;
	}
	return 1;
}

/* 1: the visitor has made progress. */
static int one_round(struct autocast *a, ast_visitor *visitor)
{
	a->progress = 0;
	for (unsigned i = 0; i < a->prog->functions->len; i++) {
		a->function = a->prog->functions->pdata[i];
		a->probe = a->function->probe;
		ast_walk(&a->function->node->u.function.body, visitor, a);
	}
	a->function = NULL;
	for (unsigned i = 0; i < a->prog->probes->len; i++) {
		struct probe *p = a->prog->probes->pdata[i];

		a->probe = p;
		ast_walk(&p->body, visitor, a);
	}
	a->probe = NULL;
	return a->progress;
}

static int find(struct ast_node **slot, void *data)
{
	((struct autocast *)data)->progress |= is_autocast(*slot);
	return 1;
}

void pass_autocast(struct program *prog)
{
	struct autocast a = { .prog = prog };

	if (!one_round(&a, find))
		return;		/* types of variables are not asked for in vain */
	a.known = g_hash_table_new(NULL, NULL);
	do
		while (one_round(&a, watch))
			;
	while (one_round(&a, convert));
	g_hash_table_unref(a.known);
}
