/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unread.c - see unread.h. A read in the user's own script is named by its function, one in an
 * alias of the library by the variable that the alias sets. Nothing is refused here: the runtime
 * counts the hits that used it, and pass unset refuses variables that never have a value.
 */
#include "translator/target_var/unread.h"

#include "parser/ast_walk.h"
#include "translator/families/user_site.h"
#include "translator/program/builtins.h"
#include "translator/program/uses.h"

#include <string.h>

struct unread {
	struct program	*prog;
	int		is_taken;	/* memory is fetched at the hit (uprobe_fetch.c), except
					 * the process's arguments and environment */
	const char	*name;		/* the user's name for the current expression; NULL: none */
	GPtrArray	*names;
	GHashTable	*seen;		/* struct function under this name */
};

static int reads_memory(const struct unread *u, const struct builtin *b)
{
	switch (b->kind) {
	case BUILTIN_IS_USER_TEXT:
	case BUILTIN_IS_USER_LOAD:
	case BUILTIN_IS_USER_QUOTED:
		return !u->is_taken;
	case BUILTIN_IS_MM_ADDRESS:
	case BUILTIN_IS_UNREAD:
		return 1;
	default:
		return 0;
	}
}

static void add(struct unread *u)
{
	for (guint i = 0; u->name && i < u->names->len; i++)
		if (!strcmp(u->names->pdata[i], u->name))
			return;
	if (u->name)
		g_ptr_array_add(u->names, (void *)u->name);
}

static int visit(struct ast_node **slot, void *data);

static void visit_call(struct unread *u, struct ast_node *n)
{
	const char *before = u->name;

	for (unsigned i = 0; i < n->u.call.args.n; i++)
		ast_walk(&n->u.call.args.at[i], visit, u);
	if (program_is_users(u->prog, n->mark.src))
		u->name = ast_printf(u->prog->ast, "%s()", n->u.call.name);
	if (u->name != before)
		g_hash_table_remove_all(u->seen);
	if (n->u.call.builtin && reads_memory(u, n->u.call.builtin))
		add(u);
	for (struct function *f = n->u.call.function; f; f = f->overload)
		if (g_hash_table_add(u->seen, f))
			ast_walk(&f->node->u.function.body, visit, u);
	u->name = before;
}

static int visit(struct ast_node **slot, void *data)
{
	struct unread *u = data;
	struct ast_node *n = *slot;
	const char *before = u->name;

	if (n->kind == AST_CALL) {
		visit_call(u, n);
		return 0;
	}
	if (n->kind != AST_ASSIGN || before || n->u.binary.left->kind != AST_NAME ||
	    program_is_users(u->prog, n->mark.src))
		return 1;
	u->name = n->u.binary.left->u.name.name;
	g_hash_table_remove_all(u->seen);
	ast_walk(&n->u.binary.right, visit, u);
	u->name = before;
	return 0;
}

const char *unread_names(struct program *prog, struct probe *probe)
{
	struct unread u = {
		.prog = prog,
		.is_taken = user_site_of(probe) != NULL,
		.names = g_ptr_array_new(),
		.seen = g_hash_table_new(NULL, NULL),
	};
	const char *text = NULL;

	ast_walk(&probe->body, visit, &u);
	if (probe->condition)
		ast_walk(&probe->condition, visit, &u);
	for (guint i = 0; i < u.names->len; i++)
		text = ast_printf(prog->ast, "%s%s%s", i ? text : "", i ? ", " : "",
				  (const char *)u.names->pdata[i]);
	g_ptr_array_unref(u.names);
	g_hash_table_unref(u.seen);
	return text;
}

/* ---- variables that have no value ---------------------------------------------------------*/

struct look {
	const struct program *prog;
	const struct probe *probe;
	GHashTable	*without;	/* struct var */
	const struct var *var;
	unsigned	writes;		/* of var */
	unsigned	none, others;	/* variables without and with a value */
	unsigned	targets;
};

static void count_write(struct var *var, unsigned use, struct ast_node *node, void *data)
{
	struct look *l = data;

	l->writes += var == l->var && use & USE_CHANGE;
}

static void count_read(struct var *var, unsigned use, struct ast_node *node, void *data)
{
	struct look *l = data;

	l->none += use & USE_READ && g_hash_table_contains(l->without, var);
	l->others += use & USE_READ && !g_hash_table_contains(l->without, var);
}

static int count_target(struct ast_node **slot, void *data)
{
	((struct look *)data)->targets += (*slot)->kind == AST_TARGET;
	return 1;
}

static int has_none(struct look *l, struct ast_node *value)
{
	static const struct use_visitor reads = { .var = count_read };

	if (program_is_users(l->prog, value->mark.src))
		return 0;
	if (value->kind == AST_CALL && value->u.call.builtin &&
	    value->u.call.builtin->kind == BUILTIN_IS_UNREAD)
		return 1;
	l->none = l->others = l->targets = 0;
	uses_walk(value, &reads, l);
	ast_walk(&value, count_target, l);
	return l->none && !l->others && !l->targets;
}

/* Statements that are always executed, in order. */
static void collect(struct look *l, const struct ast_node *n)
{
	static const struct use_visitor writes = { .var = count_write };
	const struct ast_node *set = n->kind == AST_EXPR ? n->u.expr.expr : NULL;

	for (unsigned i = 0; n->kind == AST_BLOCK && i < n->u.list.n; i++)
		collect(l, n->u.list.at[i]);
	if (!set || set->kind != AST_ASSIGN || strcmp(set->u.binary.op, "=") ||
	    set->u.binary.left->kind != AST_NAME || !has_none(l, set->u.binary.right))
		return;
	l->var = set->u.binary.left->u.name.var;
	if (!l->var || l->var->global)
		return;
	l->writes = 0;
	uses_walk(l->probe->body, &writes, l);
	if (l->writes == 1)
		g_hash_table_add(l->without, (void *)l->var);
}

GHashTable *unread_variables(const struct program *prog, const struct probe *probe)
{
	struct look l = { .prog = prog, .probe = probe, .without = g_hash_table_new(NULL, NULL) };

	collect(&l, probe->body);
	return l.without;
}
