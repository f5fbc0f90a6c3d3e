/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * call.c - calls of script functions and of builtins.
 */
#include "translator/emit/call.h"

#include "translator/emit/emit.h"
#include "translator/emit/expr.h"
#include "translator/emit/out.h"

/*
 * The value of argument i, which must not change while the callee runs: a global string, which the
 * callee may change, is copied.
 */
static const char *argument(struct emitter *e, struct ast_node *call, unsigned i)
{
	struct ast_list *args = &call->u.call.args;
	struct ast_node *arg = args->at[i];
	const char *text = emit_before(e, arg, args->at + i + 1, args->n - i - 1);

	if (call->u.call.function && arg->kind == AST_NAME && arg->type == TYPE_STRING &&
	    arg->u.name.var->global)
		return emit_text(e, "rt_dup(c, %s)", text);
	return text;
}

static GString *arguments(struct emitter *e, struct ast_node *node, int takes_ctx)
{
	GString *out = g_string_new(takes_ctx ? "c" : "");

	for (unsigned i = 0; i < node->u.call.args.n; i++) {
		const char *text = argument(e, node, i);

		g_string_append_printf(out, "%s%s", out->len ? ", " : "", text);
	}
	return out;
}

const char *emit_call(struct emitter *e, struct ast_node *node)
{
	const struct builtin *b = node->u.call.builtin;
	struct function *f = node->u.call.function;
	GString *args = arguments(e, node, b ? !!(b->flags & CTX) : 1);
	const char *call = emit_text(e, "%s(%s)", b ? b->call : f->cname, args->str), *name;
	enum ast_type type = b ? b->type : f->type;

	g_string_free(args, TRUE);
	if (b && !(b->flags & (FAILS | EFFECT)))
		return call;
	if (type == TYPE_UNKNOWN) {
		emit_line(e, "%s;", call);
		name = "";
	} else {
		name = emit_temp(e, c_type(type), "result");
		emit_line(e, "%s = %s;", name, call);
	}
	if (!b || b->flags & FAILS)
		emit_check(e, node);
	return name;
}
