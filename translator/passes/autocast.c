/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * autocast.c - x->member, where x is a variable, a function's result or another expression whose
 * value was read from a pointer: becomes @cast(x, "struct type", "module")->member.
 *
 * What a local, a parameter or a function points to is what is first seen to be assigned to it,
 * passed or returned; when something else is, too, nothing is known any more, and nothing is known
 * of globals, which others may assign. Rounds are repeated until nothing new is known, as one
 * autocast may tell the type of another.
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
	const struct probe *probe;	/* NULL in a function */
	struct function *function;	/* NULL in a probe */
	/* struct var or struct function -> struct pointee; several types: one without a name */
	GHashTable *known;
	int found;			/* an autocast that is still one */
	int progress;
};

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
	const struct pointee *to = what ? g_hash_table_lookup(a->known, what) : NULL;

	return to && to->type ? to : NULL;
}

static void learn(struct autocast *a, void *what, const struct pointee *to)
{
	const struct pointee *have = what ? g_hash_table_lookup(a->known, what) : NULL;
	struct pointee *copy;

	if (!what || !to || (have && (!have->type || (!strcmp(have->type, to->type) &&
						      !strcmp(have->module, to->module)))))
		return;
	copy = ast_alloc(a->prog->ast, sizeof(*copy));
	if (!have)
		*copy = *to;
	g_hash_table_insert(a->known, what, copy);
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

/* What the value of an expression points to; NULL: not known. */
static const struct pointee *pointee(struct autocast *a, const struct ast_node *n)
{
	const struct pointee *to;

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
		to = pointee(a, n->u.ternary.yes);
		return to ? to : pointee(a, n->u.ternary.no);
	default:
		return NULL;
	}
}

static void visit_autocast(struct autocast *a, struct ast_node *n)
{
	const struct pointee *to = pointee(a, n->u.target.operand);

	if (!to) {
		a->found = 1;
		return;
	}
	n->u.target.form = TARGET_CAST;
	n->u.target.type_name = to->type;
	n->u.target.module = to->module;
	a->progress = 1;
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

static int visit(struct ast_node **slot, void *data)
{
	struct autocast *a = data;
	struct ast_node *n = *slot;

	switch (n->kind) {
	case AST_TARGET:
		if (n->u.target.form == TARGET_AUTOCAST)
			visit_autocast(a, n);
		break;
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

static void one_round(struct autocast *a, ast_visitor *visitor)
{
	a->found = a->progress = 0;
	for (unsigned i = 0; i < a->prog->functions->len; i++) {
		a->function = a->prog->functions->pdata[i];
		ast_walk(&a->function->node->u.function.body, visitor, a);
	}
	a->function = NULL;
	for (unsigned i = 0; i < a->prog->probes->len; i++) {
		struct probe *p = a->prog->probes->pdata[i];

		a->probe = p;
		ast_walk(&p->body, visitor, a);
	}
	a->probe = NULL;
}

static int find(struct ast_node **slot, void *data)
{
	((struct autocast *)data)->found |= (*slot)->kind == AST_TARGET &&
					    (*slot)->u.target.form == TARGET_AUTOCAST;
	return 1;
}

void pass_autocast(struct program *prog)
{
	struct autocast a = { .prog = prog };

	one_round(&a, find);
	if (!a.found)
		return;		/* types of variables are not asked for in vain */
	a.known = g_hash_table_new(NULL, NULL);
	do
		one_round(&a, visit);
	while (a.progress && a.found);
	g_hash_table_unref(a.known);
}
