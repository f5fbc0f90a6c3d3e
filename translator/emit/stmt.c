/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stmt.c - statements except loops, and the ways out of them.
 *
 * A failure leaves by return, or inside a try by break out of the do-while that
 * the try becomes; a loop inside a try is left the same way, and after the loop
 * the failure is checked again.  No goto is needed.
 */
#include "translator/emit/stmt.h"

#include "parser/ast_walk.h"
#include "translator/emit/assign.h"
#include "translator/emit/emit.h"
#include "translator/emit/expr.h"
#include "translator/emit/loop.h"
#include "translator/emit/out.h"

#include <string.h>

static int in_try(const struct emitter *e)
{
	for (const struct enclosing *s = e->scope; s; s = s->outer)
		if (s->kind == SCOPE_TRY)
			return 1;
	return 0;
}

void emit_return(struct emitter *e, const char *value)
{
	for (struct enclosing *s = e->scope; s; s = s->outer) {
		if (s->kind == SCOPE_FOREACH)
			emit_line(e, "rt_foreach_end(c, &%s);", s->iter);
		else if (s->kind == SCOPE_TRY)
			emit_line(e, "rt_catch(c, 0);");
	}
	emit_line(e, value ? "return %s;" : "return;", value);
}

static void leave(struct emitter *e)
{
	enum ast_type type = e->function ? e->function->type : TYPE_UNKNOWN;

	if (in_try(e))
		emit_line(e, "break;");
	else
		emit_return(e, type == TYPE_LONG ? "0"
			       : type == TYPE_STRING ? "RT_STR(\"\")"
			       : NULL);
}

void emit_leave_if(struct emitter *e, const char *condition)
{
	GString *way = g_string_new(NULL);
	int several;

	block_open(e, e->block->indent + 1);
	leave(e);
	block_close(e, way);
	several = strchr(way->str, '\n') != way->str + way->len - 1;
	emit_line(e, several ? "if (%s) {" : "if (%s)", condition);
	g_string_append(e->block->body, way->str);
	if (several)
		emit_line(e, "}");
	g_string_free(way, TRUE);
}

static void emit_break(struct emitter *e, int is_continue)
{
	if (e->scope->kind == SCOPE_TRY) {
		if (!e->scope->leave) {
			e->scope->leave = emit_name(e, "leave");
		}
		emit_line(e, "%s = %d;", e->scope->leave, is_continue ? 2 : 1);
		emit_line(e, "break;");
	} else {
		emit_line(e, is_continue ? "continue;" : "break;");
	}
}

/* a nested block's content */
static void emit_body(struct emitter *e, struct ast_node *node)
{
	GString *text = g_string_new(NULL);

	block_open(e, e->block->indent + 1);
	emit_stmt(e, node);
	block_close(e, text);
	g_string_append(e->block->body, text->str);
	g_string_free(text, TRUE);
}

static void emit_if(struct emitter *e, struct ast_node *node)
{
	const char *cond = emit_expr(e, node->u.cond.cond);

	emit_line(e, "if (%s) {", cond);
	emit_body(e, node->u.cond.yes);
	if (node->u.cond.no) {
		emit_line(e, "} else {");
		emit_body(e, node->u.cond.no);
	}
	emit_line(e, "}");
}

/* Emits the break or continue that left a try, for the loop around the try. */
static void go_on_leaving(struct emitter *e, const char *how)
{
	if (!how)
		return;
	for (int is_continue = 0; is_continue < 2; is_continue++) {
		emit_line(e, "if (%s == %d) {", how, is_continue + 1);
		e->block->indent++;
		emit_break(e, is_continue);
		e->block->indent--;
		emit_line(e, "}");
	}
}

static void emit_try(struct emitter *e, struct ast_node *node)
{
	struct enclosing scope = { .outer = e->scope, .kind = SCOPE_TRY };
	struct var *var = node->u.try_.var;
	GString *body = g_string_new(NULL);
	struct block *outer = e->block;

	e->scope = &scope;
	block_open(e, outer->indent + 1);
	emit_stmt(e, node->u.try_.body);
	block_close(e, body);
	e->scope = scope.outer;
	if (scope.leave) {
		emit_decl(e, "s64 %s;", scope.leave);
		emit_line(e, "%s = 0;", scope.leave);
	}
	emit_line(e, "rt_try(c);");
	emit_line(e, "do {");
	g_string_append(e->block->body, body->str);
	g_string_free(body, TRUE);
	emit_line(e, "} while (0);");
	emit_line(e, var ? "if (rt_catch(c, &%s)) {" : "if (rt_catch(c, 0)) {",
		  var ? var->cname : "");
	emit_body(e, node->u.try_.handler);
	emit_line(e, "}");
	emit_leave_if(e, "rt_failed(c, 0)");
	go_on_leaving(e, scope.leave);
}

static void emit_delete(struct emitter *e, struct ast_node *what)
{
	struct var *var = what->kind == AST_NAME ? what->u.name.var : what->u.index.var;
	unsigned wild;
	const char *key;

	if (what->kind == AST_INDEX) {
		key = emit_key(e, var, &what->u.index.keys, &wild);
		emit_line(e, "rt_map_delete(c, &%s, %s, %u);", var->cname, key, wild);
	} else if (var->is_array) {
		emit_line(e, "rt_map_clear(c, &%s);", var->cname);
	} else if (var->type == TYPE_STATS) {
		emit_line(e, "rt_stat_clear(c, &%s);", var->cname);
	} else if (var->type == TYPE_STRING) {
		emit_line(e, "rt_set(&%s, RT_STR(\"\"));", var->cname);
	} else if (var->global && var->tier_one) {
		emit_line(e, "rt_counter_set(c, &%s, 0);", var->cname);
	} else {
		emit_line(e, "%s = 0;", var->cname);
	}
}

static void emit_next(struct emitter *e, struct ast_node *node)
{
	struct function *f = e->function;

	if (!f) {
		emit_return(e, NULL);
		return;
	}
	if (f->overload) {
		GString *call = g_string_new(NULL);

		g_string_printf(call, "%s(c", f->overload->cname);
		for (unsigned i = 0; i < f->params->len; i++)
			g_string_append_printf(call, ", %s",
					       emit_read(e, g_ptr_array_index(f->params, i)));
		g_string_append_c(call, ')');
		if (f->type == TYPE_UNKNOWN)
			emit_line(e, "%s;", call->str);
		emit_return(e, f->type == TYPE_UNKNOWN ? NULL : call->str);
		g_string_free(call, TRUE);
		return;
	}
	emit_line(e, "rt_exhausted(c);");
	emit_check(e, node);
}

void emit_stmt(struct emitter *e, struct ast_node *node)
{
	unsigned taken = e->taken;

	switch (node->kind) {		/* flat switch */
	case AST_BLOCK:
		for (unsigned i = 0; i < node->u.list.n; i++)
			emit_stmt(e, node->u.list.at[i]);
		break;
	case AST_EMPTY:
		break;
	case AST_EXPR:
		emit_effect(e, node->u.expr.expr);
		break;
	case AST_IF:
		emit_if(e, node);
		break;
	case AST_WHILE:
	case AST_FOR:
		emit_loop(e, node);
		break;
	case AST_FOREACH:
		emit_foreach(e, node);
		break;
	case AST_TRY:
		emit_try(e, node);
		break;
	case AST_RETURN:
		emit_return(e, node->u.expr.expr ? emit_expr(e, node->u.expr.expr) : NULL);
		break;
	case AST_DELETE:
		emit_delete(e, node->u.expr.expr);
		break;
	case AST_BREAK:
	case AST_CONTINUE:
		emit_break(e, node->kind == AST_CONTINUE);
		break;
	case AST_NEXT:
		emit_next(e, node);
		break;
	default:
		g_error("emit: a %s is no statement", ast_kind_word(node->kind));
	}
	emit_give_back(e, taken);
}

static int count(struct ast_node **slot, void *data)
{
	struct ast_node *n = *slot;

	if (n->kind == AST_WHILE || n->kind == AST_FOR || n->kind == AST_FOREACH) {
		(*(int *)data)++;
		return 0;
	}
	if (n->kind >= AST_EXPR && n->kind <= AST_NEXT)
		(*(int *)data)++;
	return 1;
}

int stmt_cost(struct ast_node *node)
{
	int n = 0;

	ast_walk(&node, count, &n);
	return n ? n : 1;
}

static int string_maker(struct ast_node **slot, void *data)
{
	struct ast_node *n = *slot;

	if (n->kind == AST_CONCAT || (n->kind == AST_ASSIGN && !strcmp(n->u.binary.op, ".=")) ||
	    (n->kind == AST_PRINT && n->u.print.to_string) ||
	    ((n->kind == AST_CALL || n->kind == AST_INDEX) && n->type == TYPE_STRING))
		*(int *)data = 1;
	return 1;
}

int makes_strings(struct ast_node *node)
{
	int found = 0;

	if (node)
		ast_walk(&node, string_maker, &found);
	return found;
}
