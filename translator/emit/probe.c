/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe.c - probe handlers and arming conditions.
 */
#include "translator/emit/probe.h"

#include "translator/emit/emit.h"
#include "translator/emit/expr.h"
#include "translator/emit/out.h"
#include "translator/emit/stmt.h"
#include "translator/program/options.h"

void emit_locals(struct emitter *e, const GPtrArray *locals)
{
	for (unsigned i = 0; i < locals->len; i++) {
		const struct var *v = g_ptr_array_index(locals, i);

		if (v->type == TYPE_STRING)
			emit_decl(e, "struct rt_strvar %s = rt_strvar(c);", v->cname);
		else
			emit_decl(e, "s64 %s = 0;", v->cname);
	}
}

static void write_condition(struct emitter *e, struct probe *p)
{
	const char *value;

	g_hash_table_remove_all(e->counts);
	block_open(e, 1);
	value = emit_expr(e, p->condition);
	emit_line(e, "return %s != 0;", value[0] == '(' ? value : emit_text(e, "(%s)", value));
	g_string_append_printf(e->out, "\nstatic int %s_if(struct rt_ctx *c)\n{\n", p->cname);
	block_close(e, e->out);
	g_string_append(e->out, "}\n");
}

/*
 * Most handlers of a wildcard's probes have the same code: they share one C function, named after
 * the first probe.
 */
static void share_handler(struct emitter *e, struct probe *p, GString *text)
{
	const char *name = g_hash_table_lookup(e->handlers, text->str);

	p->handler = name ? name : p->cname;
	if (!name) {
		char *comment = source_comment(&p->loc);

		g_string_append_printf(e->out,
				       "\n/* %s */\nstatic void %s(struct rt_ctx *c)\n{\n%s}\n",
				       comment, p->cname, text->str);
		g_hash_table_insert(e->handlers, g_string_free(text, FALSE), (void *)p->cname);
		g_free(comment);
	} else {
		g_string_free(text, TRUE);
	}
}

static void write_handler(struct emitter *e, struct probe *p)
{
	GString *text = g_string_new(NULL);
	int cost = stmt_cost(p->body);

	g_hash_table_remove_all(e->counts);
	block_open(e, 1);
	emit_locals(e, p->locals);
	if (cost > options_maxaction(e->prog->opt)) {
		emit_line(e, "rt_charge(c, %d);", cost);
		emit_check(e, p->body);
	}
	emit_stmt(e, p->body);
	if (p->keeps_for)
		emit_line(e, "rt_keep(c);");
	block_close(e, text);
	share_handler(e, p, text);
}

void emit_probes(struct emitter *e)
{
	for (unsigned i = 0; i < e->prog->probes->len; i++) {
		struct probe *p = g_ptr_array_index(e->prog->probes, i);

		if (p->condition)
			write_condition(e, p);
		write_handler(e, p);
	}
}
