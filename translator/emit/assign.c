/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * assign.c - reading and changing variables, by their representation: plain C
 * (locals, tier-two longs), struct rt_counter, rt_strvar, rt_stat, rt_map.
 */
#include "translator/emit/assign.h"

#include "translator/emit/emit.h"
#include "translator/emit/expr.h"
#include "translator/emit/out.h"
#include "translator/program/uses.h"

#include <string.h>

static int is_counter(const struct var *var)
{
	return var->global && var->tier_one && !var->is_array && var->type == TYPE_LONG;
}

const char *emit_read(struct emitter *e, struct var *var)
{
	if (is_counter(var))
		return emit_text(e, "rt_counter_get(c, &%s)", var->cname);
	if (var->type == TYPE_STRING && !(var->param && !var->writes))
		return emit_text(e, "rt_get(&%s)", var->cname);
	return var->cname;
}

/*
 * Emits "old OP right" as an expression node; the old value is in a C local named old.
 */
static const char *compute(struct emitter *e, const char *op, const char *old,
			   struct ast_node *right, struct ast_node *node)
{
	char *plain = g_strndup(op, strlen(op) - 1);	/* "+=" to "+" */
	struct ast_node *left = ast_node_new(e->prog->ast, AST_NAME, node->loc);
	struct ast_node *sum = ast_node_new(e->prog->ast, AST_BINARY, node->loc);
	struct var *var = ast_alloc(e->prog->ast, sizeof(*var));
	const char *text;

	var->cname = old;
	var->type = left->type = sum->type = TYPE_LONG;
	left->u.name.var = var;
	sum->mark = node->mark;
	sum->u.binary.op = g_intern_string(plain);
	sum->u.binary.left = left;
	sum->u.binary.right = right;
	e->computed = sum;		/* errors point at the assignment */
	e->assignment = node;
	text = emit_expr(e, sum);
	g_free(plain);
	return text;
}

static const char *keep(struct emitter *e, enum ast_type type, const char *text)
{
	const char *name = emit_temp(e, c_type(type), type == TYPE_STRING ? "text" : "value");

	emit_line(e, "%s = %s;", name, text);
	return name;
}

static const char *assign_stat(struct emitter *e, struct ast_node *node)
{
	struct ast_node *left = node->u.binary.left;
	const char *key, *value;

	if (left->kind == AST_NAME) {
		value = emit_expr(e, node->u.binary.right);
		emit_line(e, "rt_stat_add(c, &%s, %s);", left->u.name.var->cname, value);
		return value;
	}
	key = emit_key(e, left->u.index.var, &left->u.index.keys, NULL);
	value = emit_expr(e, node->u.binary.right);
	emit_line(e, "rt_map_stat_add(c, &%s, %s, %s);", left->u.index.var->cname, key, value);
	emit_check(e, left);
	return value;
}

static const char *assign_string(struct emitter *e, struct ast_node *node, struct var *var)
{
	const char *value = emit_expr(e, node->u.binary.right);

	if (node->u.binary.op[0] == '.')
		value = emit_text(e, "rt_concat(c, rt_get(&%s), %s)", var->cname, value);
	emit_line(e, "rt_set(&%s, %s);", var->cname, value);
	return emit_read(e, var);
}

static const char *assign_long(struct emitter *e, struct ast_node *node, struct var *var,
			       int wanted)
{
	const char *op = node->u.binary.op, *value;

	if (is_counter(var)) {
		if (!wanted && (!strcmp(op, "+=") || !strcmp(op, "-="))) {
			value = emit_expr(e, node->u.binary.right);
			emit_line(e,
				  op[0] == '+' ? "rt_counter_add(c, &%s, %s);"
					       : "rt_counter_add(c, &%s, -(%s));",
				  var->cname, value);
			return NULL;
		}
		value = strcmp(op, "=")
				? compute(e, op, emit_read(e, var), node->u.binary.right, node)
				: emit_expr(e, node->u.binary.right);
		emit_line(e, "rt_counter_set(c, &%s, %s);", var->cname, value);
		return emit_read(e, var);
	}
	if (!strcmp(op, "=")) {
		value = emit_expr(e, node->u.binary.right);
	} else if (strchr("+-*&|^", op[0]) && !has_effect(node->u.binary.right)) {
		value = emit_expr(e, node->u.binary.right);
		emit_line(e, "%s %s %s;", var->cname, op, value);
		return var->cname;
	} else {
		value = compute(e, op, var->cname, node->u.binary.right, node);
	}
	emit_line(e, "%s = %s;", var->cname, value);
	return var->cname;
}

static const char *assign_element(struct emitter *e, struct ast_node *node, int wanted)
{
	struct ast_node *left = node->u.binary.left;
	struct var *var = left->u.index.var;
	const char *op = node->u.binary.op, *value, *key, *m = var->cname;

	key = emit_key(e, var, &left->u.index.keys, NULL);
	if (var->type == TYPE_STRING) {
		value = emit_expr(e, node->u.binary.right);
		if (op[0] == '.')
			value = emit_text(e, "rt_concat(c, rt_map_get_str(c, &%s, %s), %s)", m, key,
					  value);
		if (wanted)
			value = keep(e, TYPE_STRING, value);
		emit_line(e, "rt_map_set_str(c, &%s, %s, %s);", m, key, value);
		emit_check(e, left);
		return value;
	}
	if (!wanted && (!strcmp(op, "+=") || !strcmp(op, "-="))) {
		value = emit_expr(e, node->u.binary.right);
		emit_line(e,
			  op[0] == '+' ? "rt_map_add(c, &%s, %s, %s);"
				       : "rt_map_add(c, &%s, %s, -(%s));",
			  m, key, value);
		emit_check(e, left);
		return NULL;
	}
	if (!strcmp(op, "="))
		value = emit_expr(e, node->u.binary.right);
	else
		value = compute(e, op, emit_text(e, "rt_map_get(c, &%s, %s)", m, key),
				node->u.binary.right, node);
	if (wanted)
		value = keep(e, TYPE_LONG, value);
	emit_line(e, "rt_map_set(c, &%s, %s, %s);", m, key, value);
	emit_check(e, left);
	return value;
}

const char *emit_assign(struct emitter *e, struct ast_node *node, int wanted)
{
	struct ast_node *left = node->u.binary.left;

	if (!strcmp(node->u.binary.op, "<<<"))
		return assign_stat(e, node);
	if (left->kind == AST_INDEX)
		return assign_element(e, node, wanted);
	if (left->u.name.var->type == TYPE_STRING)
		return assign_string(e, node, left->u.name.var);
	return assign_long(e, node, left->u.name.var, wanted);
}

const char *emit_crement(struct emitter *e, struct ast_node *node, int wanted)
{
	struct ast_node *operand = node->u.crement.operand;
	const char *op = node->u.crement.op, *by = op[0] == '+' ? "1" : "-1", *value;
	struct var *var;

	if (operand->kind == AST_INDEX) {
		var = operand->u.index.var;
		value = emit_text(e, "rt_map_add(c, &%s, %s, %s)", var->cname,
				  emit_key(e, var, &operand->u.index.keys, NULL), by);
		if (wanted)
			value = keep(e, TYPE_LONG, node->u.crement.prefix ? value :
				     emit_text(e, "%s %c 1", value, op[0] == '+' ? '-' : '+'));
		else
			emit_line(e, "%s;", value);
		emit_check(e, operand);
		return value;
	}
	var = operand->u.name.var;
	if (!is_counter(var)) {
		if (!wanted) {
			emit_line(e, "%s%s;", var->cname, op);
			return NULL;
		}
		return keep(e, TYPE_LONG,
			    node->u.crement.prefix ? emit_text(e, "%s%s", op, var->cname)
						   : emit_text(e, "%s%s", var->cname, op));
	}
	value = wanted && !node->u.crement.prefix ? keep(e, TYPE_LONG, emit_read(e, var)) : NULL;
	emit_line(e, "rt_counter_add(c, &%s, %s);", var->cname, by);
	return wanted && node->u.crement.prefix ? keep(e, TYPE_LONG, emit_read(e, var)) : value;
}
