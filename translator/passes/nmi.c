/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nmi.c - what a handler that runs in an NMI must not do: the interrupted code may hold any lock,
 * be writing to the ring, or be in the middle of a context switch.
 *
 * In: each probe's locks (pass locks) and capture mask (pass capture). Out: messages only. In the
 * user runtime, handlers run later and may do anything.
 */
#include "parser/ast_walk.h"
#include "translator/passes/pass.h"
#include "translator/program/options.h"
#include "translator/program/uses.h"

#include <string.h>

/*
 * Values of a hit that can be read without touching data that others may be changing. Kept up to
 * date by the NMI-safe parts of runtime/kernel.
 */
#define ALLOWED (RT_CAP_TASK | RT_CAP_COMM | RT_CAP_TIME | RT_CAP_CPU | RT_CAP_IP | RT_CAP_CRED | RT_CAP_REGS | \
		 RT_CAP_PRECISE | RT_CAP_BRANCHES)

struct look {
	struct diag_sink *diag;
	GHashTable	*seen;		/* struct function */
};

static const char *why_not(const struct builtin *b)
{
	if (b->kind == KIND_PMU)
		return "counts of threads change in a switch, which it may have interrupted; .system counts the CPU";
	if (b->kind == KIND_PMU_SYSTEM || b->kind == KIND_LOAD || b->flags & SAFE_IN_NMI)
		return NULL;
	if (b->flags & EFFECT)
		return "count or collect in a statistic or an array, and print in an end probe";
	if (b->capture & ~ALLOWED || b->flags & NOT_IN_NMI)
		return "keep the address or the number, and ask in an end probe";
	return NULL;
}

/* The program's stack is not known to be mapped where the kernel was interrupted. */
static int reads_user_stack(const struct ast_node *record)
{
	for (unsigned i = 0; i < record->u.print.args.n; i++) {
		const struct ast_node *arg = record->u.print.args.at[i];

		if (record->u.print.columns[i].kind == RT_COLUMN_STACK &&
		    arg->kind == AST_NUMBER && arg->u.number.value)
			return 1;
	}
	return 0;
}

static int visit(struct ast_node **slot, void *data)
{
	struct look *l = data;
	struct ast_node *n = *slot;
	const char *why = NULL;
	char *what;

	if (n->kind == AST_PRINT && n->u.print.columns)
		why = reads_user_stack(n) ? "only the stack of what was interrupted, stack($pt_regs->sp), or "
					    "the kernel's, backtrace()"
					  : NULL;
	else if (n->kind == AST_PRINT && strncmp(n->u.print.name, "sprint", 6))
		why = "count or collect in a statistic or an array, trace by stp(), or print in an end probe";
	else if (n->kind == AST_CALL && n->u.call.builtin)
		why = why_not(n->u.call.builtin);
	if (why) {
		what = g_strdup_printf("'%s'",
				       n->kind == AST_PRINT ? n->u.print.name : n->u.call.name);
		diag(l->diag, &n->mark, D_NMI, what, why);
		g_free(what);
	}
	for (struct function *f = n->kind == AST_CALL ? n->u.call.function : NULL; f;
	     f = f->overload)
		if (g_hash_table_add(l->seen, f))
			ast_walk(&f->node->u.function.body, visit, l);
	return 1;
}

/* The handler takes no locks: it may only change per-CPU parts that nobody reads meanwhile. */
static void check_locks(struct program *prog, const struct probe *p)
{
	for (unsigned i = 0; i < p->locks->len; i++) {
		const struct rt_lockuse *use = &g_array_index(p->locks, struct rt_lockuse, i);
		const struct var *var = prog->globals->pdata[use->global];
		char *what;

		if (use->mode == RT_LOCAL && var->only_local)
			continue;
		what = g_strdup_printf("this use of '%s'", var->name);
		diag(prog->ast->diag, &p->loc, D_NMI, what,
		     "of globals that change it may only add to those that nobody reads or sets "
		     "before the end: ++, +=, <<<");
		g_free(what);
	}
}

void pass_nmi(struct program *prog)
{
	for (unsigned i = 0; i < prog->probes->len; i++) {
		struct probe *p = prog->probes->pdata[i];
		struct look l = { prog->ast->diag, NULL };

		if (!(p->capture & RT_CAP_NMI) || (prog->opt && prog->opt->runtime == RUNTIME_USER))
			continue;
		l.seen = g_hash_table_new(NULL, NULL);
		ast_walk(&p->body, visit, &l);
		g_hash_table_unref(l.seen);
		check_locks(prog, p);
	}
}
