/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * global.c - globals: key structs, descriptors, storage.
 */
#include "translator/emit/global.h"

#include "translator/emit/emit.h"
#include "translator/emit/expr.h"
#include "translator/emit/out.h"
#include "translator/program/options.h"

static void write_stat_desc(struct emitter *e, const struct var *v)
{
	static const char *const names[] = { "RT_COUNT",       "RT_SUM",      "RT_MIN",
					     "RT_MAX",	       "RT_VARIANCE", "RT_HIST_LOG",
					     "RT_HIST_LINEAR", "RT_QUANTILES" };
	GString *ops = g_string_new(NULL);

	for (unsigned i = 0; i < G_N_ELEMENTS(names); i++)
		if (v->statops & (1u << i))
			g_string_append_printf(ops, "%s%s", ops->len ? " | " : "", names[i]);
	g_string_append_printf(e->out, "{ .ops = %s", ops->len ? ops->str : "RT_COUNT");
	if (v->statops & RT_HIST_LINEAR)
		g_string_append_printf(e->out, ", .low = %lldLL, .high = %lldLL, .step = %lldLL",
				       (long long)v->low, (long long)v->high, (long long)v->step);
	g_string_append(e->out, " }");
	g_string_free(ops, TRUE);
}

static void write_map(struct emitter *e, const struct var *v)
{
	static const char *const kinds[] = {
		[TYPE_LONG] = "RT_LONG", [TYPE_STRING] = "RT_STRING", [TYPE_STATS] = "RT_STAT"
	};
	gint64 rows = v->size ? v->size : options_define(e->prog->opt, "MAXMAPENTRIES", 2048);

	g_string_append_printf(e->out, "struct %s_key {", v->cname);
	for (int i = 0; i < v->arity; i++)
		g_string_append_printf(e->out, " %sk%d;", c_type(v->keys[i]), i + 1);
	g_string_append_printf(
		e->out,
		" };\nstatic const struct rt_map_desc %s_desc = {\n\t.name = \"%s\", .nkeys = %d, .key = {",
		v->cname, v->name, v->arity);
	for (int i = 0; i < v->arity; i++)
		g_string_append_printf(e->out, "%s %s", i ? "," : "", kinds[v->keys[i]]);
	g_string_append_printf(e->out, " }, .value = %s, .capacity = %lld", kinds[v->type],
			       (long long)rows);
	if (v->wrap)
		g_string_append(e->out, ", .wrap = 1");
	else if (v->drop || e->prog->opt->overflow == OVERFLOW_DROP)
		g_string_append(e->out, ", .drop = 1");
	if (v->tier_one)
		g_string_append(e->out, ", .percpu = 1");
	if (v->size)
		g_string_append(e->out, ", .sized = 1");
	if (v->iterators)
		g_string_append_printf(e->out, ", .iterators = %u", v->iterators);
	if (v->type == TYPE_STATS) {
		g_string_append(e->out, ",\n\t.stat = ");
		write_stat_desc(e, v);
	}
	g_string_append_printf(e->out, ",\n};\nstatic struct rt_map %s = { .desc = &%s_desc };\n",
			       v->cname, v->cname);
}

static void write_scalar(struct emitter *e, const struct var *v)
{
	long long initial = v->init && v->init->kind == AST_NUMBER ? v->init->u.number.value : 0;
	const char *number = initial == G_MININT64 ? "(-9223372036854775807LL - 1)"
						   : emit_text(e, "%lldLL", initial);

	if (v->type == TYPE_STRING) {
		char *text = c_literal(v->init ? v->init->u.string.text : "", e->maxstring - 1);

		g_string_append_printf(
			e->out,
			"static char %s_text[%lld] = %s;\nstatic struct rt_strvar %s = RT_STRVAR(%s_text, %s);\n",
			v->cname, (long long)e->maxstring, text, v->cname, v->cname, text);
		g_free(text);
	} else if (v->type == TYPE_STATS) {
		g_string_append_printf(e->out,
				       "static const struct rt_stat_desc %s_desc = ", v->cname);
		write_stat_desc(e, v);
		g_string_append_printf(e->out,
				       ";\nstatic struct rt_stat %s = { .desc = &%s_desc };\n",
				       v->cname, v->cname);
	} else if (v->tier_one) {
		g_string_append_printf(e->out, "static struct rt_counter %s", v->cname);
		g_string_append_printf(e->out, initial ? " = { .initial = %s };\n" : ";\n", number);
	} else {
		g_string_append_printf(e->out, "static s64 %s", v->cname);
		g_string_append_printf(e->out, initial ? " = %s;\n" : ";\n", number);
	}
}

void emit_globals(struct emitter *e)
{
	for (unsigned i = 0; i < e->prog->globals->len; i++) {
		const struct var *v = g_ptr_array_index(e->prog->globals, i);
		char *comment = source_comment(&v->loc);

		g_string_append_printf(e->out, "\n/* %s */\n", comment);
		g_free(comment);
		if (v->is_array)
			write_map(e, v);
		else
			write_scalar(e, v);
	}
}
