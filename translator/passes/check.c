/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * check.c - rules that need names and types: what foreach may change, regex patterns, library
 * functions that need -g, and what each statistic must maintain (statops, histogram, shift).
 */
#include "lib/escape.h"
#include "parser/ast_walk.h"
#include "translator/passes/pass.h"
#include "translator/program/uses.h"
#include "translator/regex/dfa.h"
#include "translator/regex/regex.h"

#include <errno.h>
#include <string.h>

struct check {
	struct diag_sink *diag;
};

static int visit(struct ast_node **slot, void *data);

static void check_below(struct check *c, struct ast_node **slot)
{
	if (*slot)
		ast_walk(slot, visit, c);
}

static void check_keys(struct check *c, struct ast_node *n)
{
	for (unsigned i = 0; i < n->u.index.keys.n; i++)
		if (!n->u.index.keys.at[i]) {
			diag(c->diag, &n->mark, D_WILDCARD_INDEX);
			diag_hint(c->diag,
				  "'*' may stand in '[k, *] in %s', delete and a foreach slice",
				  n->u.index.name);
			return;
		}
}

/* ---- statistics -------------------------------------------------------------*/

static struct var *stat_var(struct ast_node *n)
{
	if (n->kind == AST_NAME)
		return n->u.name.var;
	return n->kind == AST_INDEX ? n->u.index.var : NULL;
}

static void check_statop(struct check *c, struct ast_node *n)
{
	static const struct { const char *op; unsigned bits; } ops[] = {
		{ "@count", RT_COUNT }, { "@sum", RT_SUM }, { "@min", RT_MIN }, { "@max", RT_MAX },
		{ "@avg", RT_COUNT | RT_SUM }, { "@variance", RT_COUNT | RT_SUM | RT_VARIANCE },
		{ "@percentile", RT_QUANTILES }, { "@median", RT_QUANTILES },
	};
	struct var *var = stat_var(n->u.statop.operand);
	int64_t bits = n->u.statop.number;

	for (unsigned i = 0; var && i < G_N_ELEMENTS(ops); i++)
		if (!strcmp(ops[i].op, n->u.statop.op))
			var->statops |= ops[i].bits | RT_COUNT;
	if (!var || strcmp(n->u.statop.op, "@variance"))
		return;
	bits = MAX(bits, 0);		/* default 0, which a later value replaces, as in
					 * SystemTap */
	if (bits > 62)
		diag(c->diag, &n->mark, D_SHIFT_RANGE, (long long)bits);
	else if (var->shift > 0 && var->shift != bits)
		diag(c->diag, &n->mark, D_SHIFT_CONFLICT);
	var->shift = bits;
}

static void check_hist(struct check *c, struct ast_node *n)
{
	unsigned kind = n->u.hist.linear ? RT_HIST_LINEAR : RT_HIST_LOG;
	struct var *var = stat_var(n->u.hist.operand);
	int64_t low = n->u.hist.low, high = n->u.hist.high, step = n->u.hist.step;

	if (!var)
		return;
	if (var->statops & (RT_HIST_LINEAR | RT_HIST_LOG) &&
	    (!(var->statops & kind) || var->low != low || var->high != high || var->step != step))
		diag(c->diag, &n->mark, D_HIST_TYPES, var->name);
	var->statops |= kind | RT_COUNT;
	var->hist_linear = n->u.hist.linear;
	var->low = low;
	var->high = high;
	var->step = step;
}

/* ---- foreach ------------------------------------------------------------------*/

struct modified {
	struct check *check;
	struct var *array;
	GHashTable *calls;		/* functions that were looked into */
	int found;			/* one of them modifies the array */
};

/* `delete a` ends a loop over a, and is allowed. */
static int is_modified(const struct modified *m, const struct var *var, unsigned use,
		       const struct ast_node *node)
{
	return var == m->array && use & USE_CHANGE && (use != USE_CLEAR || node->kind != AST_NAME);
}

static void find_var(struct var *var, unsigned use, struct ast_node *node, void *data)
{
	struct modified *m = data;

	m->found |= is_modified(m, var, use, node);
}

static void find_call(struct ast_node *call, void *data)
{
	static const struct use_visitor visitor = { .var = find_var, .call = find_call };
	struct modified *m = data;

	for (struct function *f = call->u.call.function; f; f = f->overload)
		if (g_hash_table_contains(f->writes, m->array) && g_hash_table_add(m->calls, f))
			uses_walk(f->node->u.function.body, &visitor, m);
}

static void modified_var(struct var *var, unsigned use, struct ast_node *node, void *data)
{
	struct modified *m = data;

	if (is_modified(m, var, use, node))
		diag(m->check->diag, &node->mark, D_FOREACH_MODIFIED, var->name);
}

static void modified_call(struct ast_node *call, void *data)
{
	struct modified *m = data;

	m->calls = g_hash_table_new(NULL, NULL);
	m->found = 0;
	find_call(call, m);
	if (m->found)
		diag(m->check->diag, &call->mark, D_FOREACH_CALL, m->array->name);
	g_hash_table_unref(m->calls);
}

static void check_foreach(struct check *c, struct ast_node *n)
{
	static const struct use_visitor visitor = { .var = modified_var, .call = modified_call };
	struct modified m = { .check = c, .array = n->u.foreach.array_var };

	if (m.array) {
		uses_walk(n->u.foreach.limit, &visitor, &m);
		uses_walk(n->u.foreach.body, &visitor, &m);
	}
	if (m.array && n->u.foreach.sort_op) {
		struct ast_node op = { .kind = AST_STATOP, .mark = n->mark };

		op.u.statop.op = n->u.foreach.sort_op;
		op.u.statop.operand = n->u.foreach.array;
		op.u.statop.number = -1;
		if (m.array->type == TYPE_STATS)
			check_statop(c, &op);
		else
			diag(c->diag, &n->mark, D_FOREACH_SORT, n->u.foreach.sort_op, m.array->name,
			     type_word(m.array->type));
	}
	if (!m.array)
		check_below(c, &n->u.foreach.array);
	for (unsigned i = 0; i < n->u.foreach.slice.n; i++)
		check_below(c, &n->u.foreach.slice.at[i]);
	check_below(c, &n->u.foreach.limit);
	check_below(c, &n->u.foreach.body);
}

/* ---- statements -----------------------------------------------------------------*/

static int check_delete(struct check *c, struct ast_node *n)
{
	struct ast_node *target = n->u.expr.expr;

	if (target->kind != AST_NAME && target->kind != AST_INDEX)
		diag(c->diag, &target->mark, D_DELETE_OPERAND);
	for (unsigned i = 0; target->kind == AST_INDEX && i < target->u.index.keys.n; i++)
		check_below(c, &target->u.index.keys.at[i]);
	return 0;
}

static void check_regex(struct check *c, struct ast_node *n)
{
	char *pattern = escape_resolve(n->u.regex.pattern);
	unsigned at = 0;
	const char *error = regex_judge(pattern, &at);

	if (error) {
		diag(c->diag, &n->mark, D_REGEX, error);
		diag_hint(c->diag, "at byte %u of the pattern", at + 1);
	}
	g_free(pattern);
}

/* flat switch */
static int visit(struct ast_node **slot, void *data)
{
	struct check *c = data;
	struct ast_node *n = *slot;

	switch (n->kind) {
	case AST_INDEX:
		check_keys(c, n);
		return 1;
	case AST_STATOP:
		check_statop(c, n);
		return 1;
	case AST_HIST:
		check_hist(c, n);
		return 1;
	case AST_FOREACH:
		check_foreach(c, n);
		return 0;
	case AST_REGEX:
		check_regex(c, n);
		return 1;
	case AST_DELETE:
		return check_delete(c, n);
	default:
		return 1;
	}
}

/* ---- what needs -g ----------------------------------------------------------------*/

struct guru {
	const struct program *prog;
	const struct ast_node *via;	/* the current call in the user's own text, or NULL */
	GHashTable *seen;		/* struct function */
};

static void guru_call(struct ast_node *call, void *data);

static const struct use_visitor guru_visitor = { .call = guru_call };

static void guru_call(struct ast_node *call, void *data)
{
	const struct builtin *b = call->u.call.builtin;
	struct guru *g = data;
	const struct ast_node *before = g->via, *at;

	if (program_is_users(g->prog, call->mark.src))
		g->via = call;
	at = g->via ? g->via : call;
	/* Builtins that the library wraps under other names; pass names checked all other calls. */
	if (b && b->flags & GURU && g_str_has_prefix(b->name, "__"))
		diag(g->prog->ast->diag, &at->mark, D_FUNCTION_GURU, at->u.call.name);
	for (struct function *f = call->u.call.function; f; f = f->overload)
		if (g_hash_table_add(g->seen, f))
			uses_walk(f->node->u.function.body, &guru_visitor, g);
	g->via = before;
}

static void check_guru(const struct program *prog, struct ast_node *body)
{
	struct guru g = { .prog = prog };

	if (!prog->opt || prog->opt->guru)
		return;
	g.seen = g_hash_table_new(NULL, NULL);
	uses_walk(body, &guru_visitor, &g);
	g_hash_table_unref(g.seen);
}

/* Checks values of -G, now that types are known. */
static void check_given(struct diag_sink *sink, const struct var *var)
{
	char *end;

	if (!var->given)
		return;
	if (var->is_array || var->type == TYPE_STATS) {
		diag(sink, &var->loc, D_GIVEN_KIND, var->name,
		     var->is_array ? "an array" : "a statistic");
	} else if (var->type == TYPE_LONG) {
		errno = 0;
		(void)g_ascii_strtoll(var->given, &end, 0);
		if (errno || end == var->given || *end)
			diag(sink, &var->loc, D_GIVEN_NUMBER, var->name, var->given);
	}
}

void pass_check(struct program *prog)
{
	struct check c = { .diag = prog->ast->diag };

	uses_functions(prog);
	for (unsigned i = 0; i < prog->globals->len; i++)
		check_given(c.diag, prog->globals->pdata[i]);
	for (unsigned i = 0; i < prog->functions->len; i++)
		check_below(&c,
			    &((struct function *)prog->functions->pdata[i])->node->u.function.body);
	for (unsigned i = 0; i < prog->probes->len; i++) {
		struct probe *p = prog->probes->pdata[i];

		check_below(&c, &p->body);
		check_guru(prog, p->body);
	}
}
