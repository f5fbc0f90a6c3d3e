/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * value_type.c - see value_type.h. Rounds over all bodies continue until nothing changes: a
 * variable with values of two types has none.
 */
#include "translator/target_var/value_type.h"

#include "parser/ast_walk.h"
#include "translator/debuginfo/btf.h"
#include "translator/debuginfo/files.h"
#include "translator/program/builtins.h"
#include "translator/target_var/variable.h"

#include <string.h>

struct inference {
	struct program	*prog;
	const struct probe *probe;	/* NULL in a function */
	struct function	*function;	/* the current one, or NULL */
	int		progress;
};

/* Library functions whose source is not available. */
static const struct { const char *call, *type; } typed_builtins[] = {
	{ "rt_task_current", "task_struct" },
	{ "rt_pid2task", "task_struct" },
};

static struct value_type type_of(struct program *prog, const struct probe *probe,
				 const struct ast_node *n);

static int is_autocast(const struct ast_node *n)
{
	return n->kind == AST_TARGET && n->u.target.form == TARGET_AUTOCAST;
}

/* The same struct may come from two sources: BTF and DWARF, the kernel and a module of it. */
static int is_same(const struct value_type *a, const struct value_type *b)
{
	char *x, *y;
	int same;

	if (a->is_pointer != b->is_pointer || a->user != b->user)
		return 0;
	if (a->btf == b->btf && a->type == b->type)
		return 1;
	x = btf_type_text(a->btf, a->type);
	y = btf_type_text(b->btf, b->type);
	same = !strcmp(x, y) && btf_size(a->btf, a->type) == btf_size(b->btf, b->type);
	g_free(x);
	g_free(y);
	return same;
}

static struct value_type builtin_type(struct program *prog, const struct builtin *b)
{
	struct value_type t = { .is_pointer = 1 };
	const char *why;

	for (unsigned i = 0; i < G_N_ELEMENTS(typed_builtins) && prog->info; i++) {
		if (strcmp(b->call, typed_builtins[i].call))
			continue;
		t.btf = debuginfo_btf(prog->info, NULL, &why);
		t.type = t.btf ? btf_find(t.btf, typed_builtins[i].type, BTF_STRUCT) : 0;
		return t.type ? t : (struct value_type){ 0 };
	}
	return (struct value_type){ 0 };
}

/* The common type of both arms, or that of the one that has a type. */
static struct value_type ternary_type(struct program *prog, const struct probe *probe,
				      const struct ast_node *n)
{
	struct value_type yes = type_of(prog, probe, n->u.ternary.yes),
			  no = type_of(prog, probe, n->u.ternary.no);

	if (!yes.btf || !no.btf)
		return yes.btf ? yes : no;
	return is_same(&yes, &no) ? yes : (struct value_type){ 0 };
}

static struct value_type known(const struct value_type *t)
{
	return t ? *t : (struct value_type){ 0 };
}

static struct value_type type_of(struct program *prog, const struct probe *probe,
				 const struct ast_node *n)
{
	switch (n->kind) {
	case AST_TARGET:
		return variable_type(prog, probe, n);
	case AST_NAME:
		return known(n->u.name.var && !n->u.name.var->global ? n->u.name.var->of : NULL);
	case AST_CALL:
		return n->u.call.builtin
			       ? builtin_type(prog, n->u.call.builtin)
			       : known(n->u.call.function ? n->u.call.function->of : NULL);
	case AST_ASSIGN:
		return strcmp(n->u.binary.op, "=") ? (struct value_type){ 0 }
						   : type_of(prog, probe, n->u.binary.right);
	case AST_TERNARY:
		return ternary_type(prog, probe, n);
	case AST_ATOP:
		if (!strcmp(n->u.atop.op, "@entry") && n->u.atop.args.n == 1)
			return type_of(prog, probe, n->u.atop.args.at[0]);
		return (struct value_type){ 0 };
	default:
		return (struct value_type){ 0 };
	}
}

struct value_type value_type_here(struct program *prog, const struct probe *probe,
				  const struct ast_node *n)
{
	return type_of(prog, probe, n);
}

struct value_type value_type_of(struct program *prog, const struct probe *probe,
				const struct ast_node *n)
{
	return n->u.target.of ? *n->u.target.of : type_of(prog, probe, n->u.target.operand);
}

/* ---- rounds -------------------------------------------------------------------*/

/* Marks a variable with two types: it has none, permanently. */
static const struct value_type mixed = { .btf = NULL };

static void learn(struct inference *in, const struct value_type **have,
		  const struct ast_node *value)
{
	struct value_type t = *have == &mixed ? mixed : type_of(in->prog, in->probe, value);
	struct value_type *kept;

	if (!t.btf || (*have && is_same(*have, &t)))
		return;
	in->progress = 1;
	if (*have) {
		*have = &mixed;
		return;
	}
	kept = ast_alloc(in->prog->ast, sizeof(*kept));
	*kept = t;
	*have = kept;
}

static void learn_arguments(struct inference *in, const struct ast_node *call)
{
	for (struct function *f = call->u.call.function; f; f = f->overload)
		for (unsigned i = 0; i < call->u.call.args.n && i < f->params->len; i++)
			learn(in, &((struct var *)f->params->pdata[i])->of,
			      call->u.call.args.at[i]);
}

static int visit(struct ast_node **slot, void *data)
{
	struct inference *in = data;
	const struct ast_node *n = *slot, *left = n->kind == AST_ASSIGN ? n->u.binary.left : NULL;

	if (left && left->kind == AST_NAME && left->u.name.var && !left->u.name.var->global &&
	    !strcmp(n->u.binary.op, "="))
		learn(in, &left->u.name.var->of, n->u.binary.right);
	else if (n->kind == AST_CALL)
		learn_arguments(in, n);
	else if (n->kind == AST_RETURN && in->function && n->u.expr.expr)
		learn(in, &in->function->of, n->u.expr.expr);
	return 1;
}

/* Visits every body; data says whose it is. */
static void walk_all(struct inference *in, ast_visitor *of_body)
{
	const struct program *prog = in->prog;

	in->probe = NULL;
	for (unsigned i = 0; i < prog->functions->len; i++) {
		in->function = prog->functions->pdata[i];
		ast_walk(&in->function->node->u.function.body, of_body, in);
	}
	in->function = NULL;
	for (unsigned i = 0; i < prog->probes->len; i++) {
		struct probe *p = prog->probes->pdata[i];

		in->probe = p;
		ast_walk(&p->body, of_body, in);
	}
}

static void forget_vars(GPtrArray *vars)
{
	for (unsigned i = 0; vars && i < vars->len; i++)
		((struct var *)vars->pdata[i])->of = NULL;
}

static void forget(struct program *prog)
{
	for (unsigned i = 0; i < prog->functions->len; i++) {
		struct function *f = prog->functions->pdata[i];

		f->of = NULL;
		forget_vars(f->params);
		forget_vars(f->locals);
	}
	for (unsigned i = 0; i < prog->probes->len; i++)
		forget_vars(((struct probe *)prog->probes->pdata[i])->locals);
}

/* True if any expression needs a type. */
static int find_asking(struct ast_node **slot, void *data)
{
	struct inference *in = data;

	in->progress |= (*slot)->kind == AST_ATOP && !strcmp((*slot)->u.atop.op, "@enumname");
	if (is_autocast(*slot)) {
		in->progress = 1;
		(*slot)->u.target.of = NULL;
	}
	return 1;
}

static int report(struct ast_node **slot, void *data)
{
	struct inference *in = data;
	struct ast_node *n = *slot;
	struct value_type *of;

	if (!is_autocast(n))
		return 1;
	of = ast_alloc(in->prog->ast, sizeof(*of));
	*of = type_of(in->prog, in->probe, n->u.target.operand);
	n->u.target.of = of;
	return 1;
}

void value_types_infer(struct program *prog)
{
	struct inference in = { .prog = prog };

	walk_all(&in, find_asking);
	if (!in.progress)
		return;
	forget(prog);
	while (in.progress) {
		in.progress = 0;
		walk_all(&in, visit);
	}
	walk_all(&in, report);
}
