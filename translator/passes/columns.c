/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * columns.c - the columns of stp()'s records: what each value is, so that a handler writes it as it
 * is, and the reader finds its name or image later, when the process may be gone.
 *
 * 	stp(addr())			an address
 * 	stp(associate_image(addr()))	an address, of which the image is shown: nothing is looked up in the handler
 * 	stp(backtrace())		a stack's number
 *
 * In: a typed tree. Out: struct ast_column.kind, and the arguments of such calls in their place.
 */
#include "parser/ast_walk.h"
#include "translator/passes/pass.h"
#include "translator/program/builtins.h"
#include "translator/target_var/perf_counter.h"

#include <string.h>

/* What is said about an address, by functions that the reader can do as well. */
static const struct view { const char *function; char kind; } views[] = {
	{ "symname", RT_COLUMN_FUNCTION }, { "usymname", RT_COLUMN_FUNCTION },
	{ "symdata", RT_COLUMN_SYMBOL }, { "usymdata", RT_COLUMN_SYMBOL },
	{ "associate_image", RT_COLUMN_IMAGE },
	{ "symfile", RT_COLUMN_FILE }, { "usymfile", RT_COLUMN_FILE },
	{ "symline", RT_COLUMN_LINE }, { "usymline", RT_COLUMN_LINE },
	{ "symfileline", RT_COLUMN_PLACE }, { "usymfileline", RT_COLUMN_PLACE },
};

static const char *builtin_name(const struct ast_node *n)
{
	return n->kind == AST_CALL && n->u.call.builtin ? n->u.call.builtin->name : "";
}

/* An address on a stack, which may be of a call's return: then the call before it has the name. */
static int is_frame(const struct ast_node *n)
{
	return !strcmp(builtin_name(n), "stack") || !strcmp(builtin_name(n), "ustack");
}

static struct ast_node *number(struct program *prog, const struct ast_node *at, int64_t value)
{
	struct ast_node *n = ast_node_new(prog->ast, AST_NUMBER, at->loc);

	n->mark = at->mark;
	n->type = TYPE_LONG;
	n->u.number.value = value;
	return n;
}

/* Which stack a call is of, as a long: 0, the kernel's; 1, the program's. NULL: it is no stack. */
static struct ast_node *stack_of(struct program *prog, const struct ast_node *n)
{
	const struct function *f = n->kind == AST_CALL ? n->u.call.function : NULL;
	struct ast_node *call;

	if (!strcmp(builtin_name(n), "backtrace") || !strcmp(builtin_name(n), "ubacktrace"))
		return number(prog, n, *builtin_name(n) == 'u');
	if (!f || strcmp(f->name, "__stack_of_hit") != 0)
		return NULL;
	call = ast_node_new(prog->ast, AST_CALL, n->loc);
	call->mark = n->mark;
	call->type = TYPE_LONG;
	call->u.call.builtin = builtin_find("user_mode", 0);
	call->u.call.name = call->u.call.builtin->name;
	return call;
}

static char kind_of(struct program *prog, struct ast_node **value)
{
	struct ast_node *n = *value, *stack = stack_of(prog, n);
	const char *name = builtin_name(n);

	if (stack) {
		*value = stack;
		return RT_COLUMN_STACK;
	}
	for (unsigned i = 0; i < G_N_ELEMENTS(views); i++)
		if (!strcmp(name, views[i].function) && !is_frame(n->u.call.args.at[0])) {
			*value = n->u.call.args.at[0];
			return views[i].kind;
		}
	return is_frame(n) ? RT_COLUMN_RETURN
	       : !strcmp(name, "addr") || !strcmp(name, "uaddr") || perf_counter_is_address(n)
		       ? RT_COLUMN_ADDRESS
	       : n->type == TYPE_STRING ? RT_COLUMN_STRING
	       : RT_COLUMN_LONG;
}

/* The name of the event that a value counts, unless another column of the record is called so. */
static const char *event_name(const struct program *prog, const struct ast_node *record, unsigned i)
{
	const char *name = perf_counter_name(prog, record->u.print.args.at[i]);

	for (unsigned k = 0; name && k < record->u.print.args.n; k++)
		if (!strcmp(record->u.print.columns[k].name, name))
			return NULL;
	return name;
}

static int visit(struct ast_node **slot, void *data)
{
	struct ast_node *n = *slot;
	const char *name;

	if (n->kind != AST_PRINT || !n->u.print.columns)
		return 1;
	for (unsigned i = 0; i < n->u.print.args.n; i++) {
		struct ast_column *column = &n->u.print.columns[i];

		column->kind = kind_of(data, &n->u.print.args.at[i]);
		name = column->is_named ? NULL : event_name(data, n, i);
		if (name)
			column->name = name;
	}
	return 1;
}

void pass_columns(struct program *prog)
{
	for (unsigned i = 0; i < prog->functions->len; i++) {
		struct function *f = prog->functions->pdata[i];

		ast_walk(&f->node->u.function.body, visit, prog);
	}
	for (unsigned i = 0; i < prog->probes->len; i++) {
		struct probe *p = prog->probes->pdata[i];

		ast_walk(&p->body, visit, prog);
	}
}
