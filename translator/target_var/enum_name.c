/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * enum_name.c - see enum_name.h. Makes a script function for each enumeration: if (value == 0)
 * return "FIRST" ...
 */
#include "translator/target_var/enum_name.h"

#include "translator/debuginfo/btf.h"
#include "translator/debuginfo/files.h"
#include "translator/families/user_site.h"
#include "translator/target_var/value_type.h"
#include "translator/target_var/variable.h"

#include <string.h>

/* ---- the type ----------------------------------------------------------------*/

static int is_enum(const struct value_type *t)
{
	enum btf_kind kind =
		t->btf && !t->is_pointer ? btf_kind(t->btf, btf_strip(t->btf, t->type)) : BTF_VOID;

	return kind == BTF_ENUM || kind == BTF_ENUM64;
}

/* A type of the kernel, if no probe is involved. */
static struct value_type kernel_enum(struct program *prog, const char *name, const char **why)
{
	static const enum btf_kind kinds[] = { BTF_ENUM, BTF_ENUM64, BTF_TYPEDEF };
	struct value_type t = { .btf = prog->info ? debuginfo_btf(prog->info, NULL, why) : NULL };
	const char *bare = g_str_has_prefix(name, "enum ") ? name + strlen("enum ") : name;

	for (unsigned i = 0; i < G_N_ELEMENTS(kinds) && t.btf; i++) {
		t.type = btf_find(t.btf, bare, kinds[i]);
		if (t.type && is_enum(&t))
			return t;
	}
	return (struct value_type){ 0 };
}

/* The type, as in @cast(0, "type", "module"). */
static struct value_type cast_enum(struct program *prog, const struct probe *probe,
				   const struct ast_node *atop)
{
	const struct ast_list *args = &atop->u.atop.args;
	struct ast_node *cast = ast_node_new(prog->ast, AST_TARGET, atop->loc);

	cast->mark = atop->mark;
	cast->u.target.form = TARGET_CAST;
	cast->u.target.operand = args->at[0];
	cast->u.target.type_name = args->at[1]->u.string.text;
	cast->u.target.module = args->n > 2 ? args->at[2]->u.string.text : NULL;
	return variable_type(prog, probe, cast);
}

static struct value_type type_named(struct program *prog, const struct probe *probe,
				    const struct ast_node *atop, const char **why)
{
	const struct ast_list *args = &atop->u.atop.args;
	struct value_type t;

	if (args->n < 2)
		return value_type_here(prog, probe, args->at[0]);
	t = cast_enum(prog, probe, atop);
	if (!is_enum(&t) && !user_site_of(probe))
		t = kernel_enum(prog, args->at[1]->u.string.text, why);
	return t;
}

/* ---- the function ------------------------------------------------------------*/

static struct ast_node *make(struct program *prog, enum ast_kind kind, const struct ast_node *at)
{
	struct ast_node *n = ast_node_new(prog->ast, kind, at->loc);

	n->mark = at->mark;
	return n;
}

static struct ast_node *make_value(struct program *prog, struct var *value)
{
	struct ast_node *n = ast_node_new(prog->ast, AST_NAME, value->loc);

	n->mark = value->loc;
	n->u.name.name = value->name;
	n->u.name.var = value;
	return n;
}

static struct ast_node *make_return(struct program *prog, const struct ast_node *at,
				    struct ast_node *text)
{
	struct ast_node *n = make(prog, AST_RETURN, at);

	n->u.expr.expr = text;
	return n;
}

/* if (value == number) return "name" */
static struct ast_node *make_case(struct program *prog, const struct ast_node *at,
				  struct var *value, gint64 number, const char *name)
{
	struct ast_node *n = make(prog, AST_IF, at), *is = make(prog, AST_BINARY, at),
			*text = make(prog, AST_STRING, at);

	text->u.string.text = name;
	is->u.binary.op = g_intern_string("==");
	is->u.binary.left = make_value(prog, value);
	is->u.binary.right = make(prog, AST_NUMBER, at);
	is->u.binary.right->u.number.value = number;
	n->u.cond.cond = is;
	n->u.cond.yes = make_return(prog, at, text);
	return n;
}

static struct ast_node *make_decimal(struct program *prog, const struct ast_node *at,
				     struct var *value)
{
	struct ast_node *n = make(prog, AST_PRINT, at);

	n->u.print.name = "sprint";
	n->u.print.to_string = 1;
	ast_append(prog->ast, &n->u.print.args, make_value(prog, value));
	return n;
}

static struct function *make_function(struct program *prog, const struct ast_node *at,
				      const char *name, const struct value_type *t)
{
	guint32 type = btf_strip(t->btf, t->type);
	struct ast_node *n = make(prog, AST_FUNCTION, at);
	struct var *value = ast_alloc(prog->ast, sizeof(*value));
	struct function *f;
	const char *found;
	gint64 number;

	n->u.function.name = name;
	n->u.function.type = TYPE_STRING;
	n->u.function.body = make(prog, AST_BLOCK, at);
	value->name = "value";
	value->cname = "l_value";
	value->loc = value->type_loc = at->mark;
	value->type = TYPE_LONG;
	value->param = 1;
	value->shift = -1;
	for (unsigned i = 0; btf_enumerator(t->btf, type, i, &found, &number); i++)
		ast_append(prog->ast, &n->u.function.body->u.list,
			   make_case(prog, at, value, number, found));
	ast_append(prog->ast, &n->u.function.body->u.list,
		   make_return(prog, at, make_decimal(prog, at, value)));
	f = function_new(prog, n, 0);
	f->cname = ast_printf(prog->ast, "enum_name_%u", prog->functions->len);
	g_ptr_array_add(f->params, value);
	return f;
}

/* Enumerations without a name are distinguished by their position in the debuginfo. */
static struct function *function_of(struct program *prog, const struct ast_node *at,
				    const struct value_type *t)
{
	guint32 type = btf_strip(t->btf, t->type);
	const char *name = ast_printf(prog->ast, "@enumname %s %u %p", btf_name(t->btf, type), type,
				      (const void *)t->btf);

	for (unsigned i = 0; i < prog->functions->len; i++) {
		struct function *f = prog->functions->pdata[i];

		if (!strcmp(f->name, name))
			return f;
	}
	return make_function(prog, at, name, t);
}

struct ast_node *enum_name_lower(struct program *prog, const struct probe *probe,
				 struct ast_node *atop, const char **why)
{
	struct value_type t;
	struct ast_node *call;

	*why = NULL;
	t = type_named(prog, probe, atop, why);
	if (!is_enum(&t)) {
		if (!*why)
			*why = atop->u.atop.args.n > 1
				       ? "an enumeration that the debuginfo knows"
				       : "a value whose type is an enumeration; name one: @enumname(VALUE, \"enum NAME\")";
		return NULL;
	}
	call = make(prog, AST_CALL, atop);
	call->u.call.function = function_of(prog, atop, &t);
	call->u.call.name = "@enumname";
	ast_append(prog->ast, &call->u.call.args, atop->u.atop.args.at[0]);
	return call;
}
