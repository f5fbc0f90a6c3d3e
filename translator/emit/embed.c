/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * embed.c - embedded C. The text between %{ and %} is copied unchanged; the names that it may use
 * are defined around it.
 *
 * A function with such a body becomes three definitions: NAME_frame with its arguments and result,
 * NAME_code() with the text, and NAME(), called like any other function. The macros (STAP_ARG_x,
 * STAP_RETVALUE, THIS ...; runtime/embed.h) are undefined after the text.
 */
#include "translator/emit/embed.h"

#include "parser/ast_walk.h"
#include "translator/emit/emit.h"
#include "translator/emit/expr.h"
#include "translator/emit/out.h"
#include "translator/program/privilege.h"

#include <string.h>

static const char *member(const struct function *f, const struct var *param)
{
	return strstr(f->node->u.function.body->u.embed.text, "/* unmangled */") ? param->name
										 : param->cname;
}

static void write_frame(struct emitter *e, const struct function *f)
{
	g_string_append_printf(e->out, "struct %s_frame {\n", f->cname);
	for (unsigned i = 0; i < f->params->len; i++) {
		const struct var *v = g_ptr_array_index(f->params, i);

		g_string_append_printf(e->out, "\t%s%s;\n",
				       v->type == TYPE_STRING ? "char *" : "s64 ", member(f, v));
	}
	g_string_append_printf(e->out, "\t%s__retvalue;\n};\n\n",
			       f->type == TYPE_STRING ? "char *" : "s64 ");
}

/* Writes STAP_GLOBAL_GET_x(keys) and STAP_GLOBAL_SET_x(keys, value) for a global of a pragma. */
static void write_access(struct emitter *e, const struct var *v)
{
	const char *str = v->type == TYPE_STRING ? "_str" : "",
		   *from = v->type == TYPE_STRING ? "rt_from_c" : "";
	GString *keys = g_string_new(NULL), *fields = g_string_new(NULL);

	for (int i = 0; i < v->arity; i++) {
		g_string_append_printf(keys, "%sstap_%d", i ? ", " : "", i + 1);
		g_string_append_printf(fields, "%s.k%d = %s(stap_%d)", i ? ", " : "", i + 1,
				       v->keys[i] == TYPE_STRING ? "rt_from_c" : "", i + 1);
	}
	if (v->is_array) {
		const char *key =
			emit_text(e, "struct %s_key stap_key = { %s };", v->cname, fields->str);
		const char *get =
			emit_text(e, "rt_map_get%s(CONTEXT->c, &%s, &stap_key)", str, v->cname);

		g_string_append_printf(e->out, "#define STAP_GLOBAL_GET_%s(%s) ({ %s %s; })\n",
				       v->name, keys->str, key,
				       v->type == TYPE_STRING
					       ? emit_text(e, "rt_to_c(CONTEXT->c, %s)", get)
					       : get);
		g_string_append_printf(
			e->out,
			"#define STAP_GLOBAL_SET_%s(%s, stap_value) ({ %s rt_map_set%s(CONTEXT->c, &%s, &stap_key, "
			"%s(stap_value)); })\n",
			v->name, keys->str, key, str, v->cname, from);
	} else if (v->type == TYPE_STRING) {
		g_string_append_printf(
			e->out, "#define STAP_GLOBAL_GET_%s() rt_to_c(CONTEXT->c, rt_get(&%s))\n",
			v->name, v->cname);
		g_string_append_printf(
			e->out,
			"#define STAP_GLOBAL_SET_%s(stap_value) rt_set(&%s, rt_from_c(stap_value))\n",
			v->name, v->cname);
	} else {
		g_string_append_printf(e->out, "#define STAP_GLOBAL_GET_%s() (%s)\n", v->name,
				       v->cname);
		g_string_append_printf(
			e->out, "#define STAP_GLOBAL_SET_%s(stap_value) (%s = (stap_value))\n",
			v->name, v->cname);
	}
	g_string_free(keys, TRUE);
	g_string_free(fields, TRUE);
}

/* define: defines the names, before the text; else undefines them, after it. */
static void write_names(struct emitter *e, const struct function *f, int define)
{
	const struct ast_node *body = f->node->u.function.body;

	for (unsigned i = 0; i < f->params->len; i++) {
		const struct var *v = g_ptr_array_index(f->params, i);

		if (define)
			g_string_append_printf(e->out, "#define STAP_ARG_%s (THIS->%s)\n", v->name,
					       member(f, v));
		else
			g_string_append_printf(e->out, "#undef STAP_ARG_%s\n", v->name);
	}
	for (unsigned i = 0; i < body->u.embed.nvars; i++) {
		const struct var *v = body->u.embed.vars[i];

		if (define)
			write_access(e, v);
		else
			g_string_append_printf(
				e->out, "#undef STAP_GLOBAL_GET_%s\n#undef STAP_GLOBAL_SET_%s\n",
				v->name, v->name);
	}
	g_string_append(e->out, define ? "#define STAP_RETVALUE (THIS->__retvalue)\n"
				       : "#undef STAP_RETVALUE\n");
}

static void write_call(struct emitter *e, const struct function *f)
{
	const char *zero = f->type == TYPE_LONG ? "0"
			   : f->type == TYPE_STRING ? "RT_STR(\"\")"
			   : "";
	GString *args = g_string_new("c");

	g_string_append(e->out,
			"{\n\tu32 mark = rt_mark(c);\n\tstruct rt_embed context = { .c = c };\n");
	g_string_append_printf(e->out, "\tstruct %s_frame frame = {", f->cname);
	for (unsigned i = 0; i < f->params->len; i++) {
		const struct var *v = g_ptr_array_index(f->params, i);

		g_string_append_printf(
			e->out, v->type == TYPE_STRING ? " .%s = rt_to_c(c, %s)," : " .%s = %s,",
			member(f, v), v->cname);
		g_string_append_printf(args, ", %s", v->cname);
	}
	g_string_append_printf(e->out, " .__retvalue = %s };\n\n",
			       f->type == TYPE_STRING ? "rt_to_c(c, RT_STR(\"\"))" : "0");
	if (privilege_is_own_only(e->prog, f->node->u.function.body->u.embed.text))
		g_string_append(e->out, "\trt_own_process_only(c);\n");
	g_string_append_printf(e->out, "\tif (!c->failed)\n\t\t%s_code(&context, &frame);\n",
			       f->cname);
	g_string_append_printf(
		e->out,
		"\tif (rt_embed_failed(&context)) {\n\t\trt_release(c, mark);\n\t\treturn%s%s;\n\t}\n",
		*zero ? " " : "", zero);
	if (f->overload)
		g_string_append_printf(
			e->out,
			f->type == TYPE_UNKNOWN
				? "\tif (context.next) {\n\t\t%s(%s);\n\t\treturn;\n\t}\n"
				: "\tif (context.next)\n\t\treturn %s(%s);\n",
			f->overload->cname, args->str);
	else
		g_string_append(
			e->out,
			"\tif (context.next)\n\t\trt_exhausted(c);\n");
	if (f->type == TYPE_STRING)
		g_string_append(
			e->out,
			"\treturn rt_return_str(c, mark, rt_from_c(frame.__retvalue));\n}\n");
	else
		g_string_append_printf(e->out, "\trt_release(c, mark);\n%s}\n",
				       f->type == TYPE_LONG ? "\treturn frame.__retvalue;\n" : "");
	g_string_free(args, TRUE);
}

void emit_embedded_function(struct emitter *e, const struct function *f, const char *signature)
{
	char *comment = source_comment(&f->node->loc);

	g_string_append_printf(e->out, "\n/* %s */\n", comment);
	write_frame(e, f);
	write_names(e, f, 1);
	g_string_append_printf(
		e->out,
		"static void %s_code(struct rt_embed *CONTEXT, struct %s_frame *THIS)\n{\n%s\n"
		"stap_out: __attribute__((unused));\n}\n",
		f->cname, f->cname, f->node->u.function.body->u.embed.text);
	write_names(e, f, 0);
	g_string_append_printf(e->out, "\n%s\n", signature);
	write_call(e, f);
	g_free(comment);
}

const char *emit_embedded(struct emitter *e, struct ast_node *node)
{
	const char *value = emit_temp(e, c_type(node->type), "value");

	emit_line(e,
		  node->type == TYPE_STRING ? "%s = rt_dup(c, rt_from_c((const char *)(%s)));"
					    : "%s = (s64)(%s);",
		  value, node->u.embed.text);
	return value;
}

void emit_embedded_statement(struct emitter *e, struct ast_node *node)
{
	if (!strstr(node->u.embed.text, "STAP_") && !strstr(node->u.embed.text, "CONTEXT")) {
		emit_line(e, "{ %s; }", node->u.embed.text);
		return;
	}
	emit_line(
		e,
		"{ __label__ stap_out; struct rt_embed context = { .c = c }, *CONTEXT __attribute__((unused)) = &context;");
	emit_line(e, "%s\n; stap_out: __attribute__((unused)); }", node->u.embed.text);
	emit_check(e, node);
}

static int find(struct ast_node **slot, void *data)
{
	*(int *)data |= (*slot)->kind == AST_EMBED;
	return 1;
}

/* True for the user's files, and for library files of which a function is called. */
static int is_wanted(const struct emitter *e, unsigned file)
{
	const struct ast_node *node = e->prog->ast->files->pdata[file];

	for (unsigned i = 0; i < e->prog->functions->len; i++)
		if (((struct function *)e->prog->functions->pdata[i])->node->loc.src ==
		    node->loc.src)
			return 1;
	return file < e->prog->user_files;
}

void emit_embedded_texts(struct emitter *e)
{
	GString *texts = g_string_new(NULL);
	int found = 0;

	for (unsigned f = 0; f < e->prog->ast->files->len; f++) {
		const struct ast_list *list =
			&((struct ast_node *)e->prog->ast->files->pdata[f])->u.list;

		for (unsigned i = 0; i < list->n && is_wanted(e, f); i++)
			if (list->at[i]->kind == AST_EMBED)
				g_string_append_printf(texts, "\n%s\n", list->at[i]->u.embed.text);
	}
	for (unsigned i = 0; i < e->prog->functions->len; i++)
		ast_walk(&((struct function *)e->prog->functions->pdata[i])->node->u.function.body,
			 find, &found);
	for (unsigned i = 0; i < e->prog->probes->len; i++)
		ast_walk(&((struct probe *)e->prog->probes->pdata[i])->body, find, &found);
	if (texts->len || found)
		g_string_append_printf(e->out,
				       "#include \"embedded.h\"\n#define STAP_PRINT_FORMAT %u\n%s",
				       emit_format(e, "\"%s\"", "s"), texts->str);
	e->prog->embedded = texts->len || found;
	g_string_free(texts, TRUE);
}
