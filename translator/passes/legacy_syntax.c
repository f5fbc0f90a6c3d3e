/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * legacy_syntax.c - translates the seed's notation of profiling scripts to the language:
 *
 * 	stp(a, name: b, ...)		a record of the trace history, with named columns (pass columns)
 * 	stack($pt_regs->sp)		backtrace(), or ubacktrace() if user code was interrupted
 *
 * A column without a name gets that of its value: $current->pid is pid, associate_image(...) is
 * image. A script's own function stp takes precedence. In: the user's files; other uses of these
 * names are left alone.
 */
#include "parser/ast_walk.h"
#include "translator/passes/pass.h"

#include <string.h>

struct words {
	struct program	*prog;
	int		has_stp;	/* the script defines a function stp */
};

static int is_pt_regs(const struct ast_node *n, const char *const *members)
{
	return n->kind == AST_TARGET && n->u.target.form == TARGET_DOLLAR &&
	       n->u.target.nsuffixes == 1 && !n->u.target.address_of &&
	       (!strcmp(n->u.target.name, "$pt_regs") || !strcmp(n->u.target.name, "$ptregs")) &&
	       n->u.target.suffixes[0].kind == SUFFIX_MEMBER &&
	       g_strv_contains(members, n->u.target.suffixes[0].member);
}

static int is_stack_pointer(const struct ast_node *n)
{
	static const char *const names[] = { "sp", "esp", "rsp", NULL };

	return is_pt_regs(n, names);
}

/* ---- names of columns ------------------------------------------------------------*/

/* Calls and variables that are known by a shorter name. */
static const char *short_name(const char *name)
{
	static const char *const names[][2] = {
		{ "execname", "name" },		{ "$pid_name", "name" },
		{ "addr", "ip" },		{ "uaddr", "ip" },
		{ "symname", "function" },	{ "usymname", "function" },
		{ "symdata", "symbol" },	{ "usymdata", "symbol" },
		{ "symfile", "file" },		{ "usymfile", "file" },
		{ "symline", "line" },		{ "usymline", "line" },
		{ "symfileline", "line" },	{ "usymfileline", "line" },
		{ "associate_image", "image" },	{ "backtrace", "stack" },
		{ "ubacktrace", "stack" },
	};

	for (unsigned i = 0; i < G_N_ELEMENTS(names); i++)
		if (!strcmp(name, names[i][0]))
			return names[i][1];
	return *name == '$' ? name + 1 : name;
}

static const char *target_name(const struct ast_node *n)
{
	static const char *const ips[] = { "ip", "eip", "rip", "pc", NULL };

	if (is_pt_regs(n, ips))
		return "ip";
	for (unsigned i = n->u.target.nsuffixes; i--; )
		if (n->u.target.suffixes[i].kind == SUFFIX_MEMBER)
			return n->u.target.suffixes[i].member;
	return n->u.target.name ? short_name(n->u.target.name) : NULL;
}

/* NULL: the value has no name. */
static const char *value_name(const struct ast_node *n)
{
	switch (n->kind) {
	case AST_NAME:		return n->u.name.name;
	case AST_INDEX:		return n->u.index.name;
	case AST_CALL:		return short_name(n->u.call.name);
	case AST_TARGET:	return target_name(n);
	default:		return NULL;
	}
}

static int is_taken(const struct ast_column *columns, unsigned n, const char *name)
{
	for (unsigned i = 0; i < n; i++)
		if (!g_strcmp0(columns[i].name, name))
			return 1;
	return 0;
}

/* Names that the script gives come first; other values of such a name have their position, from 1. */
static void name_columns(struct ast *ast, struct ast_column *columns, const struct ast_list *values)
{
	for (unsigned i = 0; i < values->n; i++) {
		const struct ast_node *value = values->at[i];

		if (value->kind != AST_NAMED)
			continue;
		if (is_taken(columns, i, value->u.named.name))
			diag(ast->diag, &value->mark, D_COLUMN_TWICE, value->u.named.name);
		columns[i].name = value->u.named.name;
		columns[i].is_named = 1;
	}
	for (unsigned i = 0; i < values->n; i++) {
		const char *name = value_name(values->at[i]);

		if (columns[i].name)
			continue;
		columns[i].name = name && !is_taken(columns, values->n, name)
					  ? name
					  : ast_printf(ast, "%s%u", name ? name : "column", i + 1);
	}
}

/* ---- the pass --------------------------------------------------------------------*/

static struct ast_node *record_of(struct words *w, const struct ast_node *call)
{
	struct ast_node *n = ast_node_new(w->prog->ast, AST_PRINT, call->loc);
	const struct ast_list *args = &call->u.call.args;
	struct ast_column *columns = ast_alloc(w->prog->ast, args->n * sizeof(*columns));

	n->mark = call->mark;
	n->u.print.name = "stp";
	n->u.print.args = *args;
	n->u.print.columns = columns;
	name_columns(w->prog->ast, columns, args);
	for (unsigned i = 0; i < args->n; i++)
		if (args->at[i]->kind == AST_NAMED)
			args->at[i] = args->at[i]->u.named.value;
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
