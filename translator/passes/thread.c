/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * thread.c - $thread->NAME: a per-thread variable, freed when the thread exits.
 *
 *	probe F { $thread->NAME = e }
 *
 * becomes, once per name,
 *
 *	global thread_NAME
 *	probe F { thread_NAME[tid()] = e }
 *	probe kernel.trace("sched:sched_process_exit") { delete thread_NAME[tid()] }
 */
#include "parser/ast_walk.h"
#include "parser/parse.h"
#include "translator/passes/pass.h"

#include <string.h>

static const char pattern[] =
	"global __thread_NAME[8192]\n"
	"probe kernel.trace(\"sched:sched_process_exit\") { delete __thread_NAME[tid()] }\n"
	"probe begin { __thread_NAME[tid()] }\n";

enum { VARIABLE, LAST, VALUE };		/* its declarations, in order */

struct threads {
	struct program	*prog;
	GHashTable	*values;	/* name -> AST_INDEX */
	struct ast_node	*file;		/* receives the declarations */
};

static struct ast_node *value_of(struct threads *t, const char *name)
{
	static const struct parse_env env = { .is_tapset = 1 };
	struct ast_node *value = g_hash_table_lookup(t->values, name), *made;
	char **parts, *text;

	if (value)
		return value;
	parts = g_strsplit(pattern, "NAME", -1);
	text = g_strjoinv(name, parts);
	made = ast_parse(t->prog->ast, source_new("<$thread>", text, strlen(text)), &env);
	g_free(text);
	g_strfreev(parts);
	/* its parts are moved to other files */
	g_ptr_array_remove_index(t->prog->ast->files, t->prog->ast->files->len - 1);
	made->u.list.at[VARIABLE]->u.global.hidden = 1;
	for (unsigned i = VARIABLE; i <= LAST; i++)
		ast_append(t->prog->ast, &t->file->u.list, made->u.list.at[i]);
	value = made->u.list.at[VALUE]->u.probe.body->u.list.at[0]->u.expr.expr;
	g_hash_table_insert(t->values, (void *)name, value);
	return value;
}

static int visit(struct ast_node **slot, void *data)
{
	struct threads *t = data;
	const struct ast_node *n = *slot;
	struct ast_node *value;

	if (n->kind != AST_TARGET || n->u.target.form != TARGET_DOLLAR ||
	    strcmp(n->u.target.name, "$thread") || n->u.target.nsuffixes != 1 ||
	    n->u.target.suffixes[0].kind != SUFFIX_MEMBER || n->u.target.address_of)
		return 1;
	value = ast_copy(t->prog->ast, value_of(t, n->u.target.suffixes[0].member));
	value->loc = n->loc;
	value->mark = n->mark;
	*slot = value;
	return 0;
}

void pass_thread(struct program *prog)
{
	struct threads t = { .prog = prog, .values = g_hash_table_new(g_str_hash, g_str_equal) };

	for (unsigned i = 0; i < prog->user_files; i++) {
		t.file = prog->ast->files->pdata[i];
		for (unsigned k = 0, n = t.file->u.list.n; k < n; k++)
			ast_walk(&t.file->u.list.at[k], visit, &t);
	}
	g_hash_table_unref(t.values);
}
