/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fold.c - folds what is known at translation time: arithmetic on literals, @defined; then drops
 * branches that cannot run. Names in dropped branches must still exist and their types agree, as in
 * SystemTap; only their target variables are not checked.
 *
 * In and out: bodies of probes and functions, names bound.  -u folds only @defined.
 * Division by a literal 0 is not folded: it is a run-time error.
 */
#include "parser/ast_walk.h"
#include "translator/passes/pass.h"
#include "translator/program/options.h"
#include "translator/target_var/variable.h"

#include <string.h>

struct fold {
	struct program *prog;
	const struct probe *probe;	/* NULL: a function without target variables */
};

static void fold(struct ast_node **slot, void *data);

static void make_number(struct ast_node *n, int64_t value)
{
	memset(&n->u, 0, sizeof(n->u));
	n->kind = AST_NUMBER;
	n->u.number.value = value;
}

static int is_number(const struct ast_node *n)
{
	return n && n->kind == AST_NUMBER;
}

static void make_empty(struct ast_node *n)
{
	memset(&n->u, 0, sizeof(n->u));
	n->kind = AST_EMPTY;
}

/* ---- @defined ---------------------------------------------------------------*/

static int is_defined(const struct fold *f, const struct ast_node *n)
{
	const char *why;

	return n->kind != AST_TARGET || variable_lower(f->prog, f->probe, n, &why);
}

static void fold_atop(struct fold *f, struct ast_node **slot)
{
	struct ast_node *n = *slot;
	struct ast_list *args = &n->u.atop.args;

	if (!strcmp(n->u.atop.op, "@defined") && args->n == 1)
		make_number(n, is_defined(f, args->at[0]));
}

/* ---- arithmetic ----------------------------------------------------------------*/

static void fold_unary(struct ast_node *n)
{
	uint64_t v;

	if (!is_number(n->u.unary.operand))
		return;
	v = n->u.unary.operand->u.number.value;
	switch (*n->u.unary.op) {
	case '-': make_number(n, -v); break;
	case '~': make_number(n, ~v); break;
	case '!': make_number(n, !v); break;
	default:  make_number(n, v); break;
	}
}

/* One row per operator; 64-bit wrap-around, shift counts modulo 64, as the runtimes do. */
#define LONG_OPS(op) \
	op("+", (int64_t)((uint64_t)a + (uint64_t)b)) \
	op("-", (int64_t)((uint64_t)a - (uint64_t)b)) \
	op("*", (int64_t)((uint64_t)a * (uint64_t)b)) \
	op("&", a & b) \
	op("|", a | b) \
	op("^", a ^ b) \
	op("<<", (int64_t)((uint64_t)a << (b & 63))) \
	op(">>", a >> (b & 63)) \
	op(">>>", (int64_t)((uint64_t)a >> (b & 63))) \
	op("<", a < b) \
	op(">", a > b) \
	op("<=", a <= b) \
	op(">=", a >= b) \
	op("==", a == b) \
	op("!=", a != b) \
	op("&&", a && b) \
	op("||", a || b)

static int compute(const char *op, int64_t a, int64_t b, int64_t *value)
{
#define OP(text, expr) if (!strcmp(op, text)) { *value = (expr); return 1; }
	LONG_OPS(OP)
#undef OP
	if (b == 0 || (strcmp(op, "/") && strcmp(op, "%")))
		return 0;
	if (b == -1)
		*value = *op == '/' ? (int64_t)-(uint64_t)a : 0;
	else
		*value = *op == '/' ? a / b : a % b;
	return 1;
}

static void fold_binary(struct ast_node *n)
{
	struct ast_node *left = n->u.binary.left, *right = n->u.binary.right;
	int64_t value;

	if (!is_number(left))
		return;
	if (!strcmp(n->u.binary.op, "&&") && !left->u.number.value)
		make_number(n, 0);
	else if (!strcmp(n->u.binary.op, "||") && left->u.number.value)
		make_number(n, 1);
	else if (is_number(right) &&
		 compute(n->u.binary.op, left->u.number.value, right->u.number.value, &value))
		make_number(n, value);
}

/* ---- branches ---------------------------------------------------------------------*/

/* cond ? yes : no, and if: the condition first, then only the branch that can run. */
static void fold_ternary(struct fold *f, struct ast_node **slot)
{
	struct ast_node *n = *slot;

	fold(&n->u.ternary.cond, f);
	if (!is_number(n->u.ternary.cond)) {
		fold(&n->u.ternary.yes, f);
		fold(&n->u.ternary.no, f);
		return;
	}
	*slot = n->u.ternary.cond->u.number.value ? n->u.ternary.yes : n->u.ternary.no;
	fold(slot, f);
}

static void fold_if(struct fold *f, struct ast_node **slot)
{
	struct ast_node *n = *slot;

	fold(&n->u.cond.cond, f);
	if (!is_number(n->u.cond.cond)) {
		fold(&n->u.cond.yes, f);
		if (n->u.cond.no)
			fold(&n->u.cond.no, f);
		return;
	}
	if (!n->u.cond.cond->u.number.value && !n->u.cond.no) {
		make_empty(n);
		return;
	}
	*slot = n->u.cond.cond->u.number.value ? n->u.cond.yes : n->u.cond.no;
	fold(slot, f);
}

static void fold_loop(struct ast_node *n)
{
	struct ast_node *init = n->u.loop.init;

	if (!is_number(n->u.loop.cond) || n->u.loop.cond->u.number.value)
		return;
	make_empty(n);
	if (init) {
		n->kind = AST_EXPR;
		n->u.expr.expr = init;
	}
}

static void fold(struct ast_node **slot, void *data)
{
	struct fold *f = data;

	switch ((*slot)->kind) {
	case AST_ATOP:
		fold_atop(f, slot);
		return;
	case AST_TERNARY:
		fold_ternary(f, slot);
		return;
	case AST_IF:
		fold_if(f, slot);
		return;
	default:
		break;
	}
	ast_children(*slot, fold, f);
	if (f->prog->opt->unoptimized)
		return;
	if ((*slot)->kind == AST_UNARY)
		fold_unary(*slot);
	else if ((*slot)->kind == AST_BINARY)
		fold_binary(*slot);
	else if ((*slot)->kind == AST_WHILE || (*slot)->kind == AST_FOR)
		fold_loop(*slot);
}

static void fold_probe(struct program *prog, struct probe *p)
{
	struct fold f = { .prog = prog, .probe = p };

	if (p->condition)
		fold(&p->condition, &f);
	fold(&p->body, &f);
}

void pass_fold(struct program *prog)
{
	for (unsigned i = 0; i < prog->functions->len; i++) {
		struct function *function = prog->functions->pdata[i];
		struct fold f = { .prog = prog, .probe = function->probe };

		fold(&function->node->u.function.body, &f);
	}
	for (unsigned i = 0; i < prog->probes->len; i++)
		fold_probe(prog, prog->probes->pdata[i]);
}
