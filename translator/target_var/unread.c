/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unread.c - see unread.h. A read in the user's own script is named after the function called, one
 * in a library alias after the variable that the alias sets. Nothing is refused here: the runtime
 * counts the hits at which an unread value was needed.
 */
#include "translator/target_var/unread.h"

#include "parser/ast_walk.h"
#include "translator/families/user_site.h"

#include <string.h>

struct unread {
	struct program	*prog;
	/*
	 * memory is fetched at the hit (uprobe_fetch.c), except the process's arguments and
	 * environment
	 */
	int		is_taken;
	/* the user's name for the current expression; NULL: none */
	const char	*name;
	GPtrArray	*names;
	GHashTable	*seen;		/* visited functions, each with the current name then */
};

static int reads_memory(const struct unread *u, const struct builtin *b)
{
	switch (b->kind) {
	case KIND_USER_STRING: case KIND_USER_LOAD: case KIND_USER_QUOTED:
		return !u->is_taken;
	default:
		return b->kind == KIND_MM_ADDRESS;
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
	if (n->u.call.builtin && reads_memory(u, n->u.call.builtin))
		add(u);
	for (struct function *f = n->u.call.function; f; f = f->overload)
		if (g_hash_table_add(u->seen, ast_printf(u->prog->ast, "%p %s", (void *)f,
							 u->name ? u->name : "")))
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
		.seen = g_hash_table_new(g_str_hash, g_str_equal),
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
