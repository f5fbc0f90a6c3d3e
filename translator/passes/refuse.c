/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * refuse.c - refuses what can be analysed but not translated, so that -p2 accepts it, as
 * SystemTap's does: break outside loops, ++ of a non-variable, prints of a raw statistic or of too
 * many values, arrays with too many keys, histograms with too many buckets, conflicting probes.
 *
 * In: the trimmed tree: dropped code is not checked. Out: messages only.
 */
#include "parser/ast_walk.h"
#include "translator/families/family.h"
#include "translator/passes/pass.h"

#include <string.h>

#define MANY_BUCKETS	126	/* SystemTap has no more, by default */

struct refuse {
	struct diag_sink *diag;
	int loops;		/* number of loops around the statement */
};

static void refuse_print(struct refuse *r, const struct ast_node *n)
{
	const struct ast_list *args = &n->u.print.args;

	unsigned most = n->u.print.columns ? RT_MAXARGS - 2 : RT_MAXARGS;	/* thread and probe */

	if (!strcmp(n->u.print.name, "print_char") ? args->n > 1 : args->n > most)
		diag(r->diag, &n->mark, D_PRINT_MANY, args->n);
	for (unsigned i = 0; i < args->n; i++)
		if (args->at[i]->type == TYPE_STATS && args->at[i]->kind != AST_HIST) {
			diag(r->diag, &args->at[i]->mark, D_PRINT_STATS);
			diag_hint(r->diag, "print @count(), @sum(), @avg() or @hist_log() of it");
		}
}

static void refuse_hist(struct refuse *r, const struct ast_node *n)
{
	const struct ast_node *stat = n->u.hist.operand;
	const char *name = stat->kind == AST_NAME ? stat->u.name.name : stat->u.index.name;
	int64_t low = n->u.hist.low, high = n->u.hist.high, step = n->u.hist.step;
	uint64_t last = step > 0 ? ((uint64_t)high - (uint64_t)low) / (uint64_t)step : 0;

	if (n->u.hist.linear && (step <= 0 || low >= high || last >= RT_HIST_LINEAR_MAX))
		diag(r->diag, &n->mark, D_HIST_BUCKETS, name);
	else if (n->u.hist.linear && last >= MANY_BUCKETS)
		diag(r->diag, &n->mark, D_HIST_MANY, name, 8 * ((unsigned)last + 3),
		     (unsigned)last + 1);
}

static int visit(struct ast_node **slot, void *data);

static void visit_child(struct ast_node **slot, void *data)
{
	ast_walk(slot, visit, data);
}

static int visit(struct ast_node **slot, void *data)
{
	struct refuse *r = data;
	struct ast_node *n = *slot;

	switch (n->kind) {
	case AST_PRINT:
		refuse_print(r, n);
		return 1;
	case AST_HIST:
		refuse_hist(r, n);
		return 1;
	case AST_CREMENT:
		if (n->u.crement.operand->kind != AST_NAME &&
		    n->u.crement.operand->kind != AST_INDEX)
			diag(r->diag, &n->mark, D_LVALUE);
		return 1;
	case AST_BREAK:
	case AST_CONTINUE:
		if (!r->loops)
			diag(r->diag, &n->mark, D_BREAK,
			     n->kind == AST_BREAK ? "break" : "continue");
		return 1;
	case AST_WHILE:
	case AST_FOR:
	case AST_FOREACH:
		r->loops++;		/* only statements in the body can break */
		ast_children(n, visit_child, r);
		r->loops--;
		return 0;
	default:
		return 1;
	}
}

static void refuse_conflicts(struct refuse *r, const struct program *prog, unsigned at)
{
	const struct probe *p = prog->probes->pdata[at];
	char *why = NULL;

	for (unsigned i = 0; p->family->conflict && i < at && !why; i++) {
		const struct probe *other = prog->probes->pdata[i];

		if (other->family == p->family)
			why = p->family->conflict(other, p);
	}
	if (why)
		diag(r->diag, &p->loc, D_POINT_VALUE, why);
	g_free(why);
}

void pass_refuse(struct program *prog)
{
	struct refuse r = { .diag = prog->ast->diag };

	for (unsigned i = 0; i < prog->globals->len; i++) {
		const struct var *var = prog->globals->pdata[i];

		if (var->arity > RT_MAXKEYS)
			diag(r.diag, &var->arity_loc, D_ARRAY_KEYS, var->name, var->arity,
			     RT_MAXKEYS);
	}
	for (unsigned i = 0; i < prog->functions->len; i++)
		ast_walk(&((struct function *)prog->functions->pdata[i])->node->u.function.body,
			 visit, &r);
	for (unsigned i = 0; i < prog->probes->len; i++) {
		ast_walk(&((struct probe *)prog->probes->pdata[i])->body, visit, &r);
		refuse_conflicts(&r, prog, i);
	}
}
