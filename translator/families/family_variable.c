/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * family_variable.c - see family_variable.h. Types are those of the builtins; no kernel is queried.
 */
#include "translator/families/family_variable.h"

#include "translator/families/family.h"

#include <string.h>

int family_variable_has(const struct probe *probe)
{
	return probe && probe->family->variables;
}

static const struct family_variable *find(struct program *prog, const struct probe *probe,
					  const struct ast_node *target, const char **why)
{
	const struct family_variable *v = probe->family->variables(probe);
	char *list;

	for (; v->name; v++)
		if (!strcmp(v->name, target->u.target.name) && !target->u.target.nsuffixes &&
		    !target->u.target.address_of)
			return v;
	list = family_variable_list(probe);
	*why = *list ? ast_printf(prog->ast, "probe point '%s' has%s, and nothing else",
				  probe->point, list)
		     : ast_printf(
			       prog->ast,
			       "probe point '%s' has no target variables; pid() and execname() say where it fired",
			       probe->point);
	g_free(list);
	return NULL;
}

static struct ast_node *call(struct program *prog, const struct ast_node *at,
			     const struct builtin *builtin, struct ast_node *arg)
{
	struct ast_node *n = ast_node_new(prog->ast, AST_CALL, at->loc);

	n->mark = at->mark;
	n->u.call.name = builtin->name;
	n->u.call.builtin = builtin;
	if (arg)
		ast_append(prog->ast, &n->u.call.args, arg);
	return n;
}

static struct ast_node *read_one(struct program *prog, const struct family_variable *v,
				 const struct ast_node *at)
{
	struct ast_node *argument =
		v->argument ? ast_node_new(prog->ast, AST_NUMBER, at->loc) : NULL;

	if (argument) {
		argument->mark = at->mark;
		argument->u.number.value = v->argument;
	}
	return call(prog, at, v->read, argument);
}

/* "arg1=0x3 arg2=0x10 ..." */
static struct ast_node *read_all(struct program *prog, const struct probe *probe,
				 const struct ast_node *at)
{
	struct ast_node *n = ast_node_new(prog->ast, AST_PRINT, at->loc);
	GString *format = g_string_new(NULL);

	n->mark = at->mark;
	for (const struct family_variable *v = probe->family->variables(probe); v->name; v++) {
		if (!v->read)
			continue;
		g_string_append_printf(format, "%s%s=%s", format->len ? " " : "", v->name + 1,
				       v->read->type == TYPE_LONG ? "%#x" : "\\\"%s\\\"");
		ast_append(prog->ast, &n->u.print.args, read_one(prog, v, at));
	}
	n->u.print.name = "sprintf";
	n->u.print.to_string = 1;
	n->u.print.format = ast_strdup(prog->ast, format->str);
	g_string_free(format, TRUE);
	return n;
}

struct ast_node *family_variable_read(struct program *prog, const struct probe *probe,
				      const struct ast_node *target, const char **why)
{
	static const char *const lists[] = { "$$vars", "$$parms", NULL };
	const struct family_variable *v;

	if (g_strv_contains(lists, target->u.target.name) && !target->u.target.nsuffixes)
		return read_all(prog, probe, target);
	v = find(prog, probe, target, why);
	if (v && v->read)
		return read_one(prog, v, target);
	if (v)
		*why = v->why;
	return NULL;
}

struct ast_node *family_variable_write(struct program *prog, const struct probe *probe,
				       const struct ast_node *assign, const char **why)
{
	const struct family_variable *v = find(prog, probe, assign->u.binary.left, why);
	const struct builtin *builtin = NULL;

	if (v)
		builtin = !strcmp(assign->u.binary.op, "=") ? v->set
			  : !strcmp(assign->u.binary.op, ".=") ? v->append
			  : NULL;
	if (builtin)
		return call(prog, assign, builtin, assign->u.binary.right);
	if (v)
		*why = v->why;
	return NULL;
}

char *family_variable_list(const struct probe *probe)
{
	GString *out = g_string_new(NULL);

	for (const struct family_variable *v = probe->family->variables(probe); v->name; v++)
		g_string_append_printf(out, " %s:%s", v->name, v->type);
	return g_string_free(out, FALSE);
}
