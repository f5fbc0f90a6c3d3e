/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * row.c - a[k] inside foreach (k in a): the loop's current row, which needs no lookup.
 *
 * Only if nothing in the body changes the array or the loop's keys; the handler's lock keeps
 * others out.
 */
#include "translator/emit/row.h"

#include "translator/emit/emit.h"
#include "translator/program/uses.h"

struct check {
	const struct ast_node	*loop;
	int			changes;
};

static int is_of_loop(const struct ast_node *loop, const struct var *var)
{
	for (unsigned i = 0; i < loop->u.foreach.nkeys; i++)
		if (loop->u.foreach.key_vars[i] == var)
			return 1;
	return loop->u.foreach.array_var == var;
}

static void check_var(struct var *var, unsigned use, struct ast_node *node, void *data)
{
	struct check *check = data;

	(void)node;
	if (use & USE_CHANGE && is_of_loop(check->loop, var))
		check->changes = 1;
}

static void check_call(struct ast_node *call, void *data)
{
	struct check *check = data;
	const struct function *f = call->u.call.function;
	GHashTableIter it;
	gpointer var;

	if (!f)
		return;
	if (!f->writes) {
		check->changes = 1;
		return;
	}
	g_hash_table_iter_init(&it, f->writes);
	while (g_hash_table_iter_next(&it, &var, NULL))
		if (is_of_loop(check->loop, var))
			check->changes = 1;
}

int row_stays(struct ast_node *loop)
{
	static const struct use_visitor visitor = { check_var, check_call, NULL };
	struct check check = { loop, 0 };

	uses_walk(loop->u.foreach.body, &visitor, &check);
	return !check.changes;
}

/* True if the element is a[k] with the loop's own keys. */
static int is_row_of(const struct ast_node *loop, const struct ast_node *index)
{
	const struct ast_list *keys = &index->u.index.keys;

	if (loop->u.foreach.array_var != index->u.index.var || keys->n != loop->u.foreach.nkeys)
		return 0;
	for (unsigned i = 0; i < keys->n; i++)
		if (!keys->at[i] || keys->at[i]->kind != AST_NAME ||
		    keys->at[i]->u.name.var != loop->u.foreach.key_vars[i])
			return 0;
	return 1;
}

const char *row_iterator(const struct emitter *e, const struct ast_node *index)
{
	for (const struct enclosing *s = e->scope; s; s = s->outer)
		if (s->row_of && is_row_of(s->row_of, index))
			return s->iter;
	return NULL;
}
