/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * expr.c - expressions.
 *
 * The order of evaluation is SystemTap's, left to right: if an operand has side
 * effects, values read to its left are stored in named locals first.
 */
#include "translator/emit/expr.h"

#include "translator/emit/assign.h"
#include "translator/emit/call.h"
#include "translator/emit/embed.h"
#include "translator/emit/emit.h"
#include "translator/emit/out.h"
#include "translator/emit/print.h"
#include "translator/emit/regex.h"
#include "translator/emit/row.h"
#include "translator/emit/stmt.h"
#include "translator/program/uses.h"

#include <string.h>

const char *c_type(enum ast_type type)
{
	return type == TYPE_STRING ? "struct rt_str " : type == TYPE_LONG ? "s64 " : "void ";
}

/* Puts a value into a named local. */
static const char *hoist(struct emitter *e, enum ast_type type, const char *base, const char *text)
{
	const char *name = emit_temp(e, c_type(type), base);

	emit_line(e, "%s = %s;", name, text);
	return name;
}

static const char *hoist_checked(struct emitter *e, const char *base, const char *text,
				 const struct ast_node *at)
{
	const char *name = hoist(e, TYPE_LONG, base, text);

	emit_check(e, at);
	return name;
}

void emit_check(struct emitter *e, const struct ast_node *node)
{
	emit_leave_if(e, emit_text(e, "rt_failed(c, %u)", emit_near(e, node) + 1));
}

/* True if evaluating one of these could change a value that was read before. */
static int any_effect(struct ast_node **nodes, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (nodes[i] && has_effect(nodes[i]))
			return 1;
	return 0;
}

/* Adds parentheses, unless the text binds tighter than any operator. */
static const char *atom(struct emitter *e, const char *text)
{
	int depth = 0, quoted = 0;

	for (const char *p = text; *p; p++) {
		if (*p == '"' && (p == text || p[-1] != '\\'))
			quoted = !quoted;
		if (quoted)
			continue;
		depth += (*p == '(' || *p == '{') - (*p == ')' || *p == '}');
		if (!depth && (*p == ' ' || (p == text && strchr("-!~", *p))))
			return emit_text(e, "(%s)", text);
	}
	return text;
}

const char *emit_before(struct emitter *e, struct ast_node *node, struct ast_node **later,
			unsigned n)
{
	const char *text = emit_expr(e, node);

	if (node->kind == AST_NUMBER || node->kind == AST_STRING || !any_effect(later, n))
		return text;
	if (node->type == TYPE_STRING)
		return hoist(e, TYPE_STRING, "text", emit_text(e, "rt_dup(c, %s)", text));
	return hoist(e, TYPE_LONG, "value", text);
}

static const char *number_text(struct emitter *e, int64_t v)
{
	if (v == INT64_MIN)
		return "(-9223372036854775807LL - 1)";
	return emit_text(e, v < 0 ? "(%lld%s)" : "%lld%s", (long long)v,
			 v > INT32_MAX || v < INT32_MIN ? "LL" : "");
}

/* True if the C type of this value is s64 in any context. */
static int is_wide(const struct ast_node *n)
{
	return n->kind != AST_NUMBER && n->kind != AST_UNARY && n->kind != AST_TERNARY &&
	       n->kind != AST_IN && !(n->kind == AST_BINARY && strchr("<>=!&|", n->u.binary.op[0]));
}

/* The value of l OP r on longs; a division checks for failure itself. */
static const char *arith(struct emitter *e, const char *op, const char *l, const char *r,
			 struct ast_node *node, struct ast_node *right)
{
	int safe = right->kind == AST_NUMBER && right->u.number.value > 0;

	if (!strcmp(op, "<<"))
		return emit_text(e, "rt_shl(%s, %s)", l, r);
	if (!strcmp(op, ">>"))
		return emit_text(e, "rt_shr(%s, %s)", l, r);
	if (!strcmp(op, ">>>"))
		return emit_text(e, "rt_shru(%s, %s)", l, r);
	if (!safe && !strcmp(op, "/"))
		return hoist_checked(e, "quotient", emit_text(e, "rt_div(c, %s, %s)", l, r), node);
	if (!safe && !strcmp(op, "%"))
		return hoist_checked(e, "remainder", emit_text(e, "rt_mod(c, %s, %s)", l, r), node);
	return emit_text(e, "%s %s %s", atom(e, l), op, atom(e, r));
}

/* && || ?: become ifs if their right sides need statements. */
static const char *short_circuit(struct emitter *e, struct ast_node *node)
{
	const char *op = node->u.binary.op, *left = emit_expr(e, node->u.binary.left), *right,
		   *name;
	GString *inner = g_string_new(NULL);

	block_open(e, e->block->indent + 1);
	right = emit_expr(e, node->u.binary.right);
	if (block_close(e, inner)) {
		g_string_free(inner, TRUE);
		return emit_text(e, "%s %s %s", atom(e, left), op, atom(e, right));
	}
	name = hoist(e, TYPE_LONG, "value", emit_text(e, "%s != 0", atom(e, left)));
	emit_line(e, "if (%s%s) {", op[0] == '|' ? "!" : "", name);
	g_string_append(e->block->body, inner->str);
	e->block->indent++;
	emit_line(e, "%s = %s != 0;", name, atom(e, right));
	e->block->indent--;
	emit_line(e, "}");
	g_string_free(inner, TRUE);
	return name;
}

static const char *ternary(struct emitter *e, struct ast_node *node)
{
	const char *cond = emit_expr(e, node->u.ternary.cond), *yes, *no, *name;
	GString *first = g_string_new(NULL), *second = g_string_new(NULL);
	int empty;

	block_open(e, e->block->indent + 1);
	yes = emit_expr(e, node->u.ternary.yes);
	empty = block_close(e, first);
	block_open(e, e->block->indent + 1);
	no = emit_expr(e, node->u.ternary.no);
	empty &= block_close(e, second);
	if (empty) {
		name = emit_text(e, "%s ? %s : %s", atom(e, cond), atom(e, yes), atom(e, no));
	} else {
		name = emit_temp(e, c_type(node->type),
				 node->type == TYPE_STRING ? "text" : "value");
		emit_line(e, "if (%s) {", cond);
		g_string_append(e->block->body, first->str);
		emit_line(e, "\t%s = %s;", name, yes);
		emit_line(e, "} else {");
		g_string_append(e->block->body, second->str);
		emit_line(e, "\t%s = %s;", name, no);
		emit_line(e, "}");
	}
	g_string_free(first, TRUE);
	g_string_free(second, TRUE);
	return name;
}

static const char *binary(struct emitter *e, struct ast_node *node)
{
	struct ast_node *left = node->u.binary.left, *right = node->u.binary.right;
	const char *op = node->u.binary.op, *l, *r;

	if (!strcmp(op, "&&") || !strcmp(op, "||"))
		return short_circuit(e, node);
	l = emit_before(e, left, &right, 1);
	r = emit_expr(e, right);
	if (strchr("<>=!", op[0]) && strcmp(op, "<<") && strcmp(op, ">>") && strcmp(op, ">>>")) {
		if (left->type == TYPE_STRING)
			return emit_text(e, "rt_cmp(%s, %s) %s 0", l, r, op);
		return emit_text(e, "%s %s %s", atom(e, l), op, atom(e, r));
	}
	if (!is_wide(left) && !is_wide(right))		/* C would add two ints */
		l = emit_text(e, "(s64)%s", atom(e, l));
	return arith(e, op, l, r, node, right);
}

static const char *unary(struct emitter *e, struct ast_node *node)
{
	const char *op = node->u.unary.op, *text = atom(e, emit_expr(e, node->u.unary.operand));

	if (op[0] == '+')
		return text;
	if (op[0] == '-' && !is_wide(node->u.unary.operand))
		return emit_text(e, "-(s64)%s", text);
	return emit_text(e, op[0] == '~' ? "%s(s64)%s" : "%s%s", op, text);
}

static const char *concat(struct emitter *e, struct ast_node *node)
{
	const struct ast_list *parts = &node->u.list;
	const char *text = emit_before(e, parts->at[0], parts->at + 1, parts->n - 1);

	for (unsigned i = 1; i < parts->n; i++) {
		const char *next =
			emit_before(e, parts->at[i], parts->at + i + 1, parts->n - i - 1);

		text = emit_text(e, "rt_concat(c, %s, %s)", text, next);
		if (any_effect(parts->at + i + 1, parts->n - i - 1))
			text = hoist(e, TYPE_STRING, "text", text);
	}
	return text;
}

const char *emit_key(struct emitter *e, struct var *var, const struct ast_list *keys,
		     unsigned *wild)
{
	const char *name = emit_temp(e, emit_text(e, "struct %s_key ", var->cname), "key");
	GString *init = g_string_new(NULL);

	if (wild)
		*wild = 0;
	for (unsigned i = 0; i < keys->n; i++) {
		const char *value;

		if (!keys->at[i]) {
			if (wild)
				*wild |= 1u << i;
			continue;
		}
		value = emit_before(e, keys->at[i], keys->at + i + 1, keys->n - i - 1);
		g_string_append_printf(init, "%s.k%u = %s", init->len ? ", " : " ", i + 1, value);
	}
	emit_line(e, "%s = (struct %s_key){%s };", name, var->cname, init->len ? init->str : " 0");
	g_string_free(init, TRUE);
	return emit_text(e, "&%s", name);
}

const char *emit_statval(struct emitter *e, struct ast_node *operand)
{
	const char *it = operand->kind == AST_INDEX ? row_iterator(e, operand) : NULL;

	if (it)
		return emit_text(e, "rt_iter_stat(c, &%s)", it);
	if (operand->kind == AST_NAME)
		return emit_text(e, "rt_stat_read(c, &%s)", operand->u.name.var->cname);
	return emit_text(e, "rt_map_stat(c, &%s, %s)", operand->u.index.var->cname,
			 emit_key(e, operand->u.index.var, &operand->u.index.keys, NULL));
}

static const char *statop(struct emitter *e, struct ast_node *node)
{
	const char *op = node->u.statop.op + 1, *from = emit_statval(e, node->u.statop.operand),
		   *call;

	if (!strcmp(op, "percentile") || !strcmp(op, "median"))
		call = emit_text(e, "rt_percentile(c, %s, %d)", from,
				 *op == 'm' ? 50 : (int)node->u.statop.number);
	else
		call = emit_text(e, "rt_%s(c, %s)", op, from);
	if (!strcmp(op, "count") || !strcmp(op, "sum"))
		return call;
	return hoist_checked(e, op, call, node);
}

static const char *bucket(struct emitter *e, struct ast_node *node)
{
	const char *index = emit_expr(e, node->u.bucket.index);
	const char *from = emit_statval(e, node->u.bucket.hist->u.hist.operand);

	return hoist_checked(e, "bucket", emit_text(e, "rt_hist_bucket(c, %s, %s)", from, index),
			     node);
}

static const char *membership(struct emitter *e, struct ast_node *node)
{
	struct ast_node *array = node->u.in.array;
	unsigned wild;
	const char *key;

	if (array->kind == AST_HIST) {
		const char *i = atom(e, emit_expr(e, node->u.in.keys.at[0]));

		return emit_text(e, "%s >= 0 && %s < rt_hist_size(%s)", i, i,
				 emit_statval(e, array->u.hist.operand));
	}
	key = emit_key(e, array->u.name.var, &node->u.in.keys, &wild);
	return emit_text(e, "rt_map_has(c, &%s, %s, %u)", array->u.name.var->cname, key, wild);
}

static const char *element(struct emitter *e, struct ast_node *node)
{
	struct var *var = node->u.index.var;
	const char *key, *it = row_iterator(e, node);

	if (it)
		return emit_text(e, "rt_iter_%s(&%s)", var->type == TYPE_STRING ? "str" : "long",
				 it);
	key = emit_key(e, var, &node->u.index.keys, NULL);
	return emit_text(e, "rt_map_get%s(c, &%s, %s)", var->type == TYPE_STRING ? "_str" : "",
			 var->cname, key);
}

/* The value of a call or print, whose text is empty if it gives none. */
static const char *value_of(const struct ast_node *node, const char *text)
{
	return *text ? text : node->type == TYPE_STRING ? "RT_STR(\"\")" : "0";
}

const char *emit_expr(struct emitter *e, struct ast_node *node)
{
	switch (node->kind) {		/* flat switch */
	case AST_NUMBER:
		return number_text(e, node->u.number.value);
	case AST_STRING: {
		char *text = c_literal(node->u.string.text, e->maxstring - 1);
		const char *kept = emit_text(e, "RT_STR(%s)", text);

		g_free(text);
		return kept;
	}
	case AST_NAME:
		return emit_read(e, node->u.name.var);
	case AST_INDEX:
		return element(e, node);
	case AST_CALL:
		return value_of(node, emit_call(e, node));
	case AST_PRINT:
		return value_of(node, emit_print(e, node));
	case AST_STATOP:
		return statop(e, node);
	case AST_BUCKET:
		return bucket(e, node);
	case AST_UNARY:
		return unary(e, node);
	case AST_CREMENT:
		return emit_crement(e, node, 1);
	case AST_BINARY:
		return binary(e, node);
	case AST_CONCAT:
		return concat(e, node);
	case AST_ASSIGN:
		return emit_assign(e, node, 1);
	case AST_REGEX:
		return emit_regex(e, node);
	case AST_EMBED:
		return emit_embedded(e, node);
	case AST_TERNARY:
		return ternary(e, node);
	case AST_IN:
		return membership(e, node);
	default:
		g_error("emit: a %s got past the checks", ast_kind_word(node->kind));
	}
}

void emit_effect(struct emitter *e, struct ast_node *node)
{
	const char *text;

	if (node->kind == AST_ASSIGN) {
		emit_assign(e, node, 0);
	} else if (node->kind == AST_CREMENT) {
		emit_crement(e, node, 0);
	} else if (node->kind == AST_EMBED) {
		emit_embedded_statement(e, node);
	} else {
		text = node->kind == AST_CALL ? emit_call(e, node)
		       : node->kind == AST_PRINT ? emit_print(e, node)
						 : emit_expr(e, node);
		if (has_effect(node) && strchr(text, '('))	/* not just a named local */
			emit_line(e, "%s;", text);
	}
}
