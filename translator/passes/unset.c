/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unset.c - reports what a script uses of the library's aliases and that has no value here.
 *
 *	probe a = kernel.trace("t") { v = @choose_defined($x->m, __unread()) }
 *
 * In: bodies from pass fold, which has left one alternative where the kernel decides. Where a branch
 * at run time decides, and in a text made of several variables, __unread() is kept: the run counts
 * it. Out: messages only; a variable that nobody uses is dropped silently by other passes.
 */
#include "translator/passes/pass.h"
#include "translator/program/options.h"
#include "translator/program/uses.h"
#include "translator/target_var/unread.h"

struct look {
	struct program	*prog;
	const struct probe *probe;
	GHashTable	*without;	/* struct var: no value */
	struct ast_node	*read;		/* the first use by the user's script */
	struct var	*var;
};

static void find_read(struct var *var, unsigned use, struct ast_node *node, void *data)
{
	struct look *l = data;

	if (!l->read && use & USE_READ && g_hash_table_contains(l->without, var) &&
	    program_is_users(l->prog, node->mark.src)) {
		l->read = node;
		l->var = var;
	}
}

static void report(const struct look *l)
{
	struct diag_sink *diags = l->prog->ast->diag;

	diag(diags, &l->read->mark, D_ALIAS_UNSET, l->var->name, l->probe->written,
	     l->prog->opt->runtime == RUNTIME_USER
		     ? "events have no such field, and the user runtime reads nothing else of the "
		       "kernel: add --target=vm, or --runtime=kernel on a machine that loads modules"
		     : "this kernel does not have what it is made of");
	diag_hint(diags, "@defined(%s) is 0 where it has no value: if (@defined(%s)) ...",
		  l->var->name, l->var->name);
}

void pass_unset(struct program *prog)
{
	static const struct use_visitor reader = { .var = find_read };

	for (guint i = 0; i < prog->probes->len; i++) {
		struct look l = { .prog = prog, .probe = prog->probes->pdata[i] };

		l.without = unread_variables(prog, l.probe);
		if (g_hash_table_size(l.without))
			uses_walk(l.probe->body, &reader, &l);
		if (l.read)
			report(&l);
		g_hash_table_unref(l.without);
	}
}
