/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * per_probe.c - functions with target variables: $x in a function is that of the probe which calls
 * it, so each such probe gets a copy of its own, and the original goes.
 *
 * In and out: bodies of probes and functions, names bound. Does not look at what the variables are.
 */
#include "parser/ast_walk.h"
#include "translator/passes/pass.h"
#include "translator/target_var/ambient.h"

struct copier {
	struct program *prog;
	struct probe *probe;
	GHashTable *dependent;	/* struct function -> 1: it, or what it calls, has target variables */
	GHashTable *copies;	/* of this probe: struct function -> its copy */
	GHashTable *vars;	/* of the copy being made: struct var -> its copy; NULL: in a probe */
};

/* ---- which functions ------------------------------------------------------------*/

struct search {
	struct copier *c;
	int found;
};

static int find(struct ast_node **slot, void *data)
{
	struct search *s = data;
	const struct ast_node *n = *slot;

	if (n->kind == AST_TARGET &&
	    (n->u.target.form == TARGET_DOLLAR || n->u.target.form == TARGET_VAR))
		s->found |= !ambient_has(n);
	for (const struct function *f = n->kind == AST_CALL ? n->u.call.function : NULL; f;
	     f = f->overload)
		s->found |= g_hash_table_contains(s->c->dependent, f);
	return !s->found;
}

static int is_dependent(const struct copier *c, const struct function *f)
{
	for (; f; f = f->overload)
		if (g_hash_table_contains(c->dependent, f))
			return 1;
	return 0;
}

/* 1: there are such functions. */
static int find_all(struct copier *c)
{
	guint known;

	do {
		known = g_hash_table_size(c->dependent);
		for (unsigned i = 0; i < c->prog->functions->len; i++) {
			struct function *f = c->prog->functions->pdata[i];
			struct search s = { c, 0 };

			ast_walk(&f->node->u.function.body, find, &s);
			if (s.found)
				g_hash_table_add(c->dependent, f);
		}
	} while (g_hash_table_size(c->dependent) > known);
	return known > 0;
}

/* ---- copies -----------------------------------------------------------------------*/

static struct var *var_here(const struct copier *c, struct var *var)
{
	struct var *copy = c->vars && var ? g_hash_table_lookup(c->vars, var) : NULL;

	return copy ? copy : var;
}

static GPtrArray *copy_vars(struct copier *c, const GPtrArray *vars)
{
	GPtrArray *copies = g_ptr_array_new();

	for (unsigned i = 0; i < vars->len; i++) {
		struct var *copy = ast_alloc(c->prog->ast, sizeof(*copy));

		*copy = *(const struct var *)vars->pdata[i];
		g_hash_table_insert(c->vars, vars->pdata[i], copy);
		g_ptr_array_add(copies, copy);
	}
	return copies;
}

static struct function *copy_of(struct copier *c, struct function *f);

static void rebind_foreach(struct copier *c, struct ast_node *n)
{
	struct var **keys = ast_alloc(c->prog->ast, n->u.foreach.nkeys * sizeof(*keys));

	for (unsigned i = 0; i < n->u.foreach.nkeys; i++)
		keys[i] = var_here(c, n->u.foreach.key_vars[i]);
	n->u.foreach.key_vars = keys;
	n->u.foreach.value_var = var_here(c, n->u.foreach.value_var);
}

static int rebind(struct ast_node **slot, void *data)
{
	struct copier *c = data;
	struct ast_node *n = *slot;

	switch (n->kind) {
	case AST_NAME:
		n->u.name.var = var_here(c, n->u.name.var);
		break;
	case AST_FOREACH:
		rebind_foreach(c, n);
		break;
	case AST_TRY:
		n->u.try_.var = var_here(c, n->u.try_.var);
		break;
	case AST_CALL:
		if (is_dependent(c, n->u.call.function))
			n->u.call.function = copy_of(c, n->u.call.function);
		break;
	default:
		break;
	}
	return 1;
}

/* The probe's own copy of a function and of what `next` in it goes on to. */
static struct function *copy_of(struct copier *c, struct function *f)
{
	struct function *copy = g_hash_table_lookup(c->copies, f);
	GHashTable *outer = c->vars;

	if (copy)
		return copy;
	copy = ast_alloc(c->prog->ast, sizeof(*copy));
	*copy = *f;
	g_hash_table_insert(c->copies, f, copy);
	g_ptr_array_add(c->prog->functions, copy);
	copy->probe = c->probe;
	copy->cname = ast_printf(c->prog->ast, "c%u_%s", c->prog->functions->len, f->name);
	copy->node = ast_copy(c->prog->ast, f->node);
	c->vars = g_hash_table_new(NULL, NULL);
	copy->params = copy_vars(c, f->params);
	copy->locals = copy_vars(c, f->locals);
	ast_walk(&copy->node->u.function.body, rebind, c);
	g_hash_table_unref(c->vars);
	c->vars = outer;
	if (f->overload)
		copy->overload = copy_of(c, f->overload);
	return copy;
}

static void rebind_probe(struct copier *c, struct probe *p)
{
	c->probe = p;
	c->copies = g_hash_table_new(NULL, NULL);
	ast_walk(&p->body, rebind, c);
	g_hash_table_unref(c->copies);
}

void pass_per_probe(struct program *prog)
{
	struct copier c = { .prog = prog, .dependent = g_hash_table_new(NULL, NULL) };
	struct function *f;

	if (find_all(&c)) {
		for (unsigned i = 0; i < prog->probes->len; i++)
			rebind_probe(&c, prog->probes->pdata[i]);
		for (unsigned i = 0; i < prog->functions->len;) {
			f = prog->functions->pdata[i];
			if (g_hash_table_contains(c.dependent, f))
				g_ptr_array_remove_index(prog->functions, i);
			else
				i++;
		}
	}
	g_hash_table_unref(c.dependent);
}
