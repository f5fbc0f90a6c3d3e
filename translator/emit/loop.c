/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loop.c - while, for and foreach. Every iteration is charged to the hit's
 * budget and releases the string memory that it allocated.
 */
#include "translator/emit/loop.h"

#include "translator/emit/emit.h"
#include "translator/emit/expr.h"
#include "translator/emit/out.h"
#include "translator/emit/row.h"
#include "translator/emit/stmt.h"

#include <string.h>

/* After a loop inside a try, a failure in the loop leaves the try, too. */
static void after_loop(struct emitter *e)
{
	for (struct enclosing *s = e->scope; s; s = s->outer)
		if (s->kind == SCOPE_TRY) {
			emit_leave_if(e, "rt_failed(c, 0)");
			return;
		}
}

static void charge(struct emitter *e, struct ast_node *node, const char *mark, int cost)
{
	if (mark)
		emit_line(e, "rt_release(c, %s);", mark);
	emit_line(e, "rt_charge(c, %d);", cost);
	emit_check(e, node);
}

static const char *take_mark(struct emitter *e, struct ast_node *node)
{
	const char *mark;

	if (!makes_strings(node))
		return NULL;
	mark = emit_temp(e, "u32 ", "mark");
	emit_line(e, "%s = rt_mark(c);", mark);
	return mark;
}

/* A loop's step as a C expression, if it is ++ or -- of a local; else NULL. */
static const char *plain_step(struct emitter *e, struct ast_node *step)
{
	struct ast_node *operand;

	if (!step || step->kind != AST_CREMENT)
		return NULL;
	operand = step->u.crement.operand;
	if (operand->kind != AST_NAME || operand->u.name.var->global)
		return NULL;
	return emit_text(e, "%s%s", operand->u.name.var->cname, step->u.crement.op);
}

/* A step that is not a C expression runs at the top of every iteration except the first. */
static void step_block(struct emitter *e, struct ast_node *step, const char *again)
{
	GString *text = g_string_new(NULL);

	block_open(e, e->block->indent + 1);
	emit_effect(e, step);
	block_close(e, text);
	emit_line(e, "if (%s) {", again);
	g_string_append(e->block->body, text->str);
	emit_line(e, "}");
	emit_line(e, "%s = 1;", again);
	g_string_free(text, TRUE);
}

static int is_constant_true(const struct ast_node *cond)
{
	return !cond || (cond->kind == AST_NUMBER && cond->u.number.value);
}

void emit_loop(struct emitter *e, struct ast_node *node)
{
	struct ast_node *cond = node->u.loop.cond, *step = node->u.loop.step;
	struct enclosing scope = { .outer = e->scope, .kind = SCOPE_LOOP };
	const char *c_step = plain_step(e, step), *again = NULL, *mark, *test;
	GString *body = g_string_new(NULL);
	int simple;

	if (node->u.loop.init)
		emit_effect(e, node->u.loop.init);
	mark = take_mark(e, node);
	if (step && !c_step) {
		again = emit_temp(e, "s64 ", "again");
		emit_line(e, "%s = 0;", again);
	}
	e->scope = &scope;
	block_open(e, e->block->indent + 1);
	test = is_constant_true(cond) ? NULL : emit_expr(e, cond);
	simple = !again && !e->block->body->len;
	if (!simple && again) {			/* the step comes before the test */
		GString *test_text = g_string_new(NULL);

		block_close(e, test_text);
		g_string_free(test_text, TRUE);
		block_open(e, e->block->indent + 1);
		step_block(e, step, again);
		test = is_constant_true(cond) ? NULL : emit_expr(e, cond);
	}
	if (!simple && test)
		emit_line(e, "if (!(%s))\n%*s\tbreak;", test, (int)e->block->indent, "");
	charge(e, node, mark, stmt_cost(node->u.loop.body));
	emit_stmt(e, node->u.loop.body);
	block_close(e, body);
	e->scope = scope.outer;
	if (c_step)
		emit_line(e, "for (; %s; %s) {", simple && test ? test : "", c_step);
	else
		emit_line(e, "while (%s) {", simple && test ? test : "1");
	g_string_append(e->block->body, body->str);
	emit_line(e, "}");
	after_loop(e);
	g_string_free(body, TRUE);
}

static const char *order_name(struct emitter *e, const struct ast_node *node)
{
	static const struct {
		const char *op, *order;
	} ops[] = {
		{ "@count", "RT_BY_COUNT" }, { "@sum", "RT_BY_SUM" },
		{ "@min", "RT_BY_MIN" },     { "@max", "RT_BY_MAX" },
		{ "@avg", "RT_BY_AVG" },     { "@variance", "RT_BY_VARIANCE" },
	};

	if (!node->u.foreach.sort_key)
		return "RT_BY_NONE";
	if (node->u.foreach.sort_key > 0)
		return emit_text(e, node->u.foreach.sort_key > 1 ? "RT_BY_KEY + %d" : "RT_BY_KEY",
				 node->u.foreach.sort_key - 1);
	for (unsigned i = 0; node->u.foreach.sort_op && i < G_N_ELEMENTS(ops); i++)
		if (!strcmp(ops[i].op, node->u.foreach.sort_op))
			return ops[i].order;
	return "RT_BY_VALUE";
}

/* Sets the loop variables from the current row. */
static void take_row(struct emitter *e, struct ast_node *node, const char *it, const char *row)
{
	struct var *value = node->u.foreach.value_var;

	for (unsigned i = 0; i < node->u.foreach.nkeys; i++) {
		struct var *key = node->u.foreach.key_vars[i];

		if (key->type == TYPE_STRING)
			emit_line(e, "rt_set(&%s, %s.k%u);", key->cname, row, i + 1);
		else
			emit_line(e, "%s = %s.k%u;", key->cname, row, i + 1);
	}
	if (!value)
		return;
	if (value->type == TYPE_STRING)
		emit_line(e, "rt_set(&%s, rt_iter_str(&%s));", value->cname, it);
	else
		emit_line(e, "%s = rt_iter_long(&%s);", value->cname, it);
}

/* Sets the loop variables to the index and count of the bucket of iteration n. */
static void take_bucket(struct emitter *e, struct ast_node *node, const char *n, const char *size,
			const char *at)
{
	struct ast_node *operand = node->u.foreach.array->u.hist.operand;
	const char *key = node->u.foreach.key_vars[0]->cname;
	int up = node->u.foreach.sort_dir > 0;

	if (at)
		emit_line(e, "%s = rt_hist_next(%s, %d, %s ? %s : -1);", at,
			  emit_statval(e, operand), up, n, at);
	if (node->u.foreach.sort_key > 0 && !up)
		emit_line(e, "%s = %s - 1 - %s;", key, size, n);
	else
		emit_line(e, "%s = %s;", key, at ? at : n);
	if (!node->u.foreach.value_var)
		return;
	emit_line(e, "%s = rt_hist_bucket(c, %s, %s);", node->u.foreach.value_var->cname,
		  emit_statval(e, operand), key);
	emit_check(e, node);
}

/* What an iteration costs more than its body: each reads the whole histogram. */
static unsigned bucket_cost(const struct ast_node *hist)
{
	guint64 range = (guint64)hist->u.hist.high - (guint64)hist->u.hist.low;

	return hist->u.hist.linear ? (unsigned)(range / (guint64)hist->u.hist.step / 128) : 0;
}

/* foreach over the buckets of a histogram. */
static void foreach_bucket(struct emitter *e, struct ast_node *node)
{
	struct enclosing scope = { .outer = e->scope, .kind = SCOPE_LOOP };
	const char *size = emit_temp(e, "s64 ", "size"), *n = emit_temp(e, "s64 ", "bucket"), *mark,
		   *rows = size;
	const char *at = node->u.foreach.sort_key < 0 ? emit_temp(e, "s64 ", "at") : NULL;
	GString *body = g_string_new(NULL);

	if (node->u.foreach.limit) {
		rows = emit_temp(e, "s64 ", "rows");
		emit_line(e, "%s = %s;", rows, emit_expr(e, node->u.foreach.limit));
	}
	emit_line(e, "%s = rt_hist_size(%s);", size,
		  emit_statval(e, node->u.foreach.array->u.hist.operand));
	mark = take_mark(e, node->u.foreach.body);
	e->scope = &scope;
	block_open(e, e->block->indent + 1);
	take_bucket(e, node, n, size, at);
	charge(e, node, mark,
	       stmt_cost(node->u.foreach.body) + bucket_cost(node->u.foreach.array));
	emit_stmt(e, node->u.foreach.body);
	block_close(e, body);
	e->scope = scope.outer;
	if (rows == size)
		emit_line(e, "for (%s = 0; %s < %s; %s++) {", n, n, size, n);
	else
		emit_line(e, "for (%s = 0; %s < %s && %s < %s; %s++) {", n, n, size, n, rows, n);
	g_string_append(e->block->body, body->str);
	emit_line(e, "}");
	after_loop(e);
	g_string_free(body, TRUE);
}

/* None below 0, which to the runtime is no limit. */
static const char *take_limit(struct emitter *e, struct ast_node *node)
{
	const char *limit = emit_expr(e, node), *rows;

	if (node->kind == AST_NUMBER && node->u.number.value >= 0)
		return limit;
	rows = emit_temp(e, "s64 ", "rows");
	emit_line(e, "%s = %s;", rows, limit);
	return emit_text(e, "%s < 0 ? 0 : %s", rows, rows);
}

void emit_foreach(struct emitter *e, struct ast_node *node)
{
	struct var *array = node->u.foreach.array_var;
	const char *it, *row, *limit, *slice = NULL, *mark, *start;
	struct enclosing scope = { .outer = e->scope, .kind = SCOPE_FOREACH };
	int up = node->u.foreach.sort_dir > 0;
	GString *body;
	unsigned wild = 0;

	if (node->u.foreach.array->kind == AST_HIST) {
		foreach_bucket(e, node);
		return;
	}
	it = emit_temp(e, "struct rt_iter ", "it");
	row = emit_temp(e, emit_text(e, "struct %s_key ", array->cname), "row");
	limit = node->u.foreach.limit ? take_limit(e, node->u.foreach.limit) : "-1";
	if (node->u.foreach.slice.n)
		slice = emit_key(e, array, &node->u.foreach.slice, &wild);
	mark = take_mark(e, node->u.foreach.body);
	start = emit_text(e, "c, &%s, &%s, %s, %s, %s", it, array->cname, order_name(e, node),
			  up ? "RT_UP" : "RT_DOWN", limit);
	if (slice)
		emit_line(e, "rt_foreach_slice(%s, %s, %u);", start, slice, wild);
	else
		emit_line(e, "rt_foreach(%s);", start);
	scope.iter = it;
	scope.row_of = row_stays(node) ? node : NULL;
	emit_check(e, node);
	e->scope = &scope;
	body = g_string_new(NULL);
	block_open(e, e->block->indent + 1);
	charge(e, node, mark, stmt_cost(node->u.foreach.body));
	take_row(e, node, it, row);
	emit_stmt(e, node->u.foreach.body);
	block_close(e, body);
	e->scope = scope.outer;
	emit_line(e, "while (rt_next(c, &%s, &%s)) {", it, row);
	g_string_append(e->block->body, body->str);
	emit_line(e, "}");
	emit_line(e, "rt_foreach_end(c, &%s);", it);
	after_loop(e);
	g_string_free(body, TRUE);
}
