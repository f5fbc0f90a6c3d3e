/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * legacy_syntax.c - translates the seed's notation of profiling scripts to the language:
 *
 * 	stp(a, b, ...)			printdln("\t", a, b, ...): a record of the trace history, one column per value
 * 	stack($pt_regs->sp)		backtrace(), or ubacktrace() if user code was interrupted
 *
 * A script's own function stp takes precedence. In: the user's files; other uses of these names are
 * left alone.
 */
#include "parser/ast_walk.h"
#include "translator/passes/pass.h"

#include <string.h>

struct words {
	struct program	*prog;
	int		has_stp;	/* the script defines a function stp */
};

static int is_stack_pointer(const struct ast_node *n)
{
	static const char *const names[] = { "sp", "esp", "rsp", NULL };

	return n->kind == AST_TARGET && n->u.target.form == TARGET_DOLLAR &&
	       n->u.target.nsuffixes == 1 && !n->u.target.address_of &&
	       (!strcmp(n->u.target.name, "$pt_regs") || !strcmp(n->u.target.name, "$ptregs")) &&
	       n->u.target.suffixes[0].kind == SUFFIX_MEMBER &&
	       g_strv_contains(names, n->u.target.suffixes[0].member);
}

static struct ast_node *record_of(struct words *w, const struct ast_node *call)
{
	struct ast_node *n = ast_node_new(w->prog->ast, AST_PRINT, call->loc);

	n->mark = call->mark;
	n->u.print.name = call->u.call.args.n > 1 ? "printdln" : "println";
	n->u.print.format = call->u.call.args.n > 1 ? "\\t" : NULL;
	n->u.print.args = call->u.call.args;
	return n;
}

static int visit(struct ast_node **slot, void *data)
{
	struct words *w = data;
	struct ast_node *n = *slot;

	if (n->kind != AST_CALL)
		return 1;
	if (!strcmp(n->u.call.name, "stp") && !w->has_stp && n->u.call.args.n) {
		*slot = record_of(w, n);
		ast_walk(slot, visit, w);
		return 0;
	}
	if (!strcmp(n->u.call.name, "stack") && n->u.call.args.n == 1 &&
	    is_stack_pointer(n->u.call.args.at[0])) {
		n->u.call.name = "__stack_of_hit";
		n->u.call.args.n = 0;
	}
	return 1;
}

void pass_legacy_syntax(struct program *prog)
{
	struct words w = { prog, 0 };

	for (unsigned i = 0; i < prog->user_files; i++) {
		const struct ast_list *list =
			&((struct ast_node *)prog->ast->files->pdata[i])->u.list;

		for (unsigned k = 0; k < list->n; k++)
			w.has_stp |= list->at[k]->kind == AST_FUNCTION &&
				     !strcmp(list->at[k]->u.function.name, "stp");
	}
	for (unsigned i = 0; i < prog->user_files; i++) {
		struct ast_node *file = prog->ast->files->pdata[i];

		for (unsigned k = 0; k < file->u.list.n; k++)
			ast_walk(&file->u.list.at[k], visit, &w);
	}
}
