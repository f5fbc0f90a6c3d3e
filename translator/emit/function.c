/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * function.c - the script's functions.
 *
 * A function that recurses or makes strings becomes two: NAME_body() has the
 * script's code and may return anywhere; NAME() wraps it, checks the nesting
 * limit and releases its string memory.
 */
#include "translator/emit/function.h"

#include "translator/emit/embed.h"
#include "translator/emit/emit.h"
#include "translator/emit/expr.h"
#include "translator/emit/out.h"
#include "translator/emit/probe.h"
#include "translator/emit/stmt.h"

static char *signature(const struct function *f, const char *suffix)
{
	GString *out = g_string_new(NULL);

	g_string_printf(out, "static %s%s%s(struct rt_ctx *c", c_type(f->type), f->cname, suffix);
	for (unsigned i = 0; i < f->params->len; i++) {
		const struct var *v = g_ptr_array_index(f->params, i);

		g_string_append_printf(out, ", %s%s%s", c_type(v->type), v->cname,
				       v->type == TYPE_STRING && v->writes ? "_in" : "");
	}
	return g_string_free(g_string_append_c(out, ')'), FALSE);
}

static int needs_wrapper(const struct function *f)
{
	if (f->recursive || f->type == TYPE_STRING || makes_strings(f->node->u.function.body))
		return 1;
	for (unsigned i = 0; i < f->locals->len; i++)
		if (((struct var *)g_ptr_array_index(f->locals, i))->type == TYPE_STRING)
			return 1;
	for (unsigned i = 0; i < f->params->len; i++) {
		const struct var *v = g_ptr_array_index(f->params, i);

		if (v->type == TYPE_STRING && v->writes)
			return 1;
	}
	return 0;
}

static void write_params(struct emitter *e, const struct function *f)
{
	for (unsigned i = 0; i < f->params->len; i++) {
		const struct var *v = g_ptr_array_index(f->params, i);

		if (v->type != TYPE_STRING || !v->writes)
			continue;
		emit_decl(e, "struct rt_strvar %s = rt_strvar(c);", v->cname);
		emit_line(e, "rt_set(&%s, %s_in);", v->cname, v->cname);
	}
}

static void write_body(struct emitter *e, struct function *f, const char *suffix)
{
	char *comment = source_comment(&f->node->loc), *head = signature(f, suffix);

	e->function = f;
	g_hash_table_remove_all(e->counts);
	block_open(e, 1);
	write_params(e, f);
	emit_locals(e, f->locals);
	emit_stmt(e, f->node->u.function.body);
	if (f->type != TYPE_UNKNOWN)
		emit_return(e, f->type == TYPE_LONG ? "0" : "RT_STR(\"\")");
	g_string_append_printf(e->out, "\n/* %s */\n%s\n{\n", comment, head);
	block_close(e, e->out);
	g_string_append(e->out, "}\n");
	e->function = NULL;
	g_free(comment);
	g_free(head);
}

static void write_wrapper(struct emitter *e, struct function *f)
{
	char *head = signature(f, "");
	GString *call = g_string_new(NULL);

	g_string_printf(call, "%s_body(c", f->cname);
	for (unsigned i = 0; i < f->params->len; i++) {
		const struct var *v = g_ptr_array_index(f->params, i);

		g_string_append_printf(call, ", %s%s", v->cname,
				       v->type == TYPE_STRING && v->writes ? "_in" : "");
	}
	g_string_append_c(call, ')');
	g_string_append_printf(e->out, "\n%s\n{\n\tu32 mark = rt_mark(c);\n", head);
	if (f->type != TYPE_UNKNOWN)
		g_string_append_printf(e->out, "\t%svalue = %s;\n", c_type(f->type),
				       f->type == TYPE_LONG ? "0" : "RT_STR(\"\")");
	g_string_append_printf(e->out, "\n\tif (rt_nest(c))\n\t\treturn%s;\n",
			       f->type == TYPE_UNKNOWN ? "" : " value");
	g_string_append_printf(e->out, "\t%s%s;\n\trt_unnest(c);\n",
			       f->type == TYPE_UNKNOWN ? "" : "value = ", call->str);
	if (f->type == TYPE_STRING)
		g_string_append(e->out, "\treturn rt_return_str(c, mark, value);\n}\n");
	else
		g_string_append_printf(e->out, "\trt_release(c, mark);\n%s}\n",
				       f->type == TYPE_LONG ? "\treturn value;\n" : "");
	g_string_free(call, TRUE);
	g_free(head);
}

void emit_functions(struct emitter *e)
{
	GPtrArray *all = e->prog->functions;
	int announced = 0;

	/* callees come first (pass trim), so only recursive functions need prototypes */
	for (unsigned i = 0; i < all->len; i++) {
		struct function *f = g_ptr_array_index(all, i);
		char *head = f->recursive ? signature(f, "") : NULL;

		if (head)
			g_string_append_printf(e->out, "%s%s;\n", announced++ ? "" : "\n", head);
		g_free(head);
	}
	for (unsigned i = 0; i < all->len; i++) {
		struct function *f = g_ptr_array_index(all, i);

		if (f->node->u.function.body->kind == AST_EMBED) {
			char *head = signature(f, "");

			emit_embedded_function(e, f, head);
			g_free(head);
			continue;
		}
		write_body(e, f, needs_wrapper(f) ? "_body" : "");
		if (needs_wrapper(f))
			write_wrapper(e, f);
	}
}
