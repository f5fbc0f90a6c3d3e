/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trim.c - drops unused code: functions that are never called, locals and
 * globals that are never read (a user's global that is written is displayed
 * instead), statements without effect, empty probes.  -u keeps everything.
 *
 * In: a bound tree, typed or not. Passes bodies, called and unused run parts of this before types
 * are known, so that dropped code needs no types.
 */
#include "translator/families/family.h"
#include "translator/passes/pass.h"
#include "translator/program/options.h"
#include "translator/program/uses.h"

#include <string.h>

struct trim {
	struct program *prog;
	int changed, keep_functions;
	/*
	 * "start" of the statements that the script was warned of, which several probes may share;
	 * NULL: what is dropped now is only a consequence of that
	 */
	GHashTable *warned;
};

/* Dropped: of the script's own code with -v said. */
static void note(struct trim *t, const struct loc *loc, enum diag_code code, const char *name)
{
	if (t->prog->opt->verbose[2] && program_is_users(t->prog, loc->src))
		diag(t->prog->ast->diag, loc, code, name);
	t->changed = 1;
}

/* The same of what the script cannot mean: said without -v, too, once. */
static void warn(struct trim *t, const struct loc *loc, enum diag_code code, const char *name)
{
	char *place;

	t->changed = 1;
	if (!t->warned || !program_is_users(t->prog, loc->src))
		return;
	place = g_strdup_printf("%p:%u", (void *)loc->src, loc->start);
	if (g_hash_table_add(t->warned, place))
		diag(t->prog->ast->diag, loc, code, name);
}

/* ---- functions ------------------------------------------------------------*/

static void mark_call(struct ast_node *call, void *data)
{
	for (struct function *f = call->u.call.function; f; f = f->overload)
		if (!f->used)
			f->used = 1;
}

static const struct use_visitor marker = { .call = mark_call };

static void mark_used(struct program *prog)
{
	for (unsigned i = 0; i < prog->functions->len; i++)
		((struct function *)prog->functions->pdata[i])->used = 0;
	for (unsigned i = 0; i < prog->probes->len; i++)
		uses_walk(((struct probe *)prog->probes->pdata[i])->body, &marker, NULL);
	for (int grew = 1; grew;) {
		grew = 0;
		for (unsigned i = 0; i < prog->functions->len; i++) {
			struct function *f = prog->functions->pdata[i];

			if (f->used != 1)
				continue;
			f->used = 2;		/* its callees are marked too */
			uses_walk(f->node->u.function.body, &marker, NULL);
			grew = 1;
		}
	}
}

static void drop_functions(struct trim *t)
{
	mark_used(t->prog);
	for (unsigned i = 0; i < t->prog->functions->len;) {
		struct function *f = t->prog->functions->pdata[i];

		if (f->used) {
			f->used = 1;
			i++;
			continue;
		}
		if (f->user)
			note(t, &f->node->mark, D_ELIDED_FUNCTION, f->name);
		g_ptr_array_remove_index(t->prog->functions, i);
	}
}

/* Clears a mark "without effect" if `has` says there is one. 1: the mark was cleared. */
static int unmark(int *mark, int has)
{
	int changed = *mark && has;

	*mark &= !has;
	return changed;
}

/* A function is pure until its body shows an effect; iterates to a fixpoint over calls. */
static void mark_pure(struct program *prog)
{
	for (unsigned i = 0; i < prog->functions->len; i++) {
		struct function *f = prog->functions->pdata[i];

		f->pure = f->harmless = !f->recursive;
	}
	for (int changed = 1; changed;) {
		changed = 0;
		for (unsigned i = 0; i < prog->functions->len; i++) {
			struct function *f = prog->functions->pdata[i];

			changed |= unmark(&f->pure, has_effect(f->node->u.function.body));
			changed |= unmark(&f->harmless,
					  body_changes_something(f->node->u.function.body));
		}
	}
}

/* ---- variables and statements ----------------------------------------------*/

/* The user's globals are shown at the end; without that they are kept, as in SystemTap. */
static int is_dead(const struct var *var)
{
	return var && !var->reads && (!var->global || !var->user);
}

/* True if an expression has to stay though nothing uses its value. NULL: false. */
static int must_stay(const struct trim *t, struct ast_node *e)
{
	return e && (program_is_users(t->prog, e->mark.src) ? script_changes_something(e)
							    : changes_something(e));
}

static int keys_must_stay(const struct trim *t, struct ast_node *n)
{
	if (n->kind == AST_INDEX)
		for (unsigned i = 0; i < n->u.index.keys.n; i++)
			if (must_stay(t, n->u.index.keys.at[i]))
				return 1;
	return 0;
}

static struct var *lvalue_var(struct ast_node *n)
{
	if (n->kind == AST_NAME)
		return n->u.name.var;
	return n->kind == AST_INDEX ? n->u.index.var : NULL;
}

/*
 * dead = expr -> expr; dead++ -> nothing. Returns the remaining expression, or NULL. As SystemTap,
 * warns of what has no effect and of "=", not of operators that read what they change.
 */
static struct ast_node *strip(struct trim *t, struct ast_node *e)
{
	struct ast_node *left = NULL;

	if (e->kind == AST_ASSIGN)
		left = e->u.binary.left;
	else if (e->kind == AST_CREMENT)
		left = e->u.crement.operand;
	if (left && is_dead(lvalue_var(left)) && !keys_must_stay(t, left)) {
		t->changed = 1;
		if (e->kind != AST_ASSIGN)
			return NULL;
		if (!strcmp(e->u.binary.op, "="))
			warn(t, &left->mark, D_ELIDED_WRITE, lvalue_var(left)->name);
		return must_stay(t, e->u.binary.right) ? strip(t, e->u.binary.right) : NULL;
	}
	if (must_stay(t, e))
		return e;
	warn(t, &e->mark, D_ELIDED_EXPRESSION, NULL);
	return NULL;
}

static void make_empty(struct ast_node *n)
{
	memset(&n->u, 0, sizeof(n->u));
	n->kind = AST_EMPTY;
}

static void trim_expression(struct trim *t, struct ast_node *n)
{
	struct ast_node *whole = n->u.expr.expr;

	n->u.expr.expr = strip(t, whole);
	if (n->u.expr.expr)
		return;
	make_empty(n);
	if (program_is_users(t->prog, whole->mark.src))
		g_ptr_array_add(t->prog->dropped, whole);
}

static int is_empty(const struct ast_node *n)
{
	return !n || n->kind == AST_EMPTY || (n->kind == AST_BLOCK && !n->u.list.n);
}

static void trim_statement(struct trim *t, struct ast_node **slot);

static void trim_block(struct trim *t, struct ast_node *n)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < n->u.list.n; i++) {
		trim_statement(t, &n->u.list.at[i]);
		if (!is_empty(n->u.list.at[i]))
			n->u.list.at[kept++] = n->u.list.at[i];
	}
	n->u.list.n = kept;
}

static void trim_delete(struct trim *t, struct ast_node *n)
{
	struct ast_node *target = n->u.expr.expr;

	if (is_dead(lvalue_var(target)) && !keys_must_stay(t, target)) {
		t->changed = 1;
		make_empty(n);
	}
}

/* if (c) ; else S  ->  if (!c) S */
static void turn_if(struct trim *t, struct ast_node *n)
{
	struct ast_node *not = ast_node_new(t->prog->ast, AST_UNARY, n->u.cond.cond->loc);

	not->mark = n->u.cond.cond->mark;
	not->type = TYPE_LONG;
	not->u.unary.op = g_intern_string("!");
	not->u.unary.operand = n->u.cond.cond;
	n->u.cond.cond = not;
	n->u.cond.yes = n->u.cond.no;
	n->u.cond.no = NULL;
}

static void trim_if(struct trim *t, struct ast_node *n)
{
	trim_statement(t, &n->u.cond.yes);
	if (n->u.cond.no)
		trim_statement(t, &n->u.cond.no);
	if (is_empty(n->u.cond.no))
		n->u.cond.no = NULL;
	if (is_empty(n->u.cond.yes) && n->u.cond.no)
		turn_if(t, n);
	if (is_empty(n->u.cond.yes) && !must_stay(t, n->u.cond.cond))
		make_empty(n);
}

static void trim_foreach(struct trim *t, struct ast_node *n)
{
	trim_statement(t, &n->u.foreach.body);
	for (unsigned i = 0; i < n->u.foreach.nkeys; i++)
		if (n->u.foreach.key_vars[i]->reads || n->u.foreach.key_vars[i]->global)
			return;
	if (n->u.foreach.value_var &&
	    (n->u.foreach.value_var->reads || n->u.foreach.value_var->global))
		return;
	if (is_empty(n->u.foreach.body) && !must_stay(t, n->u.foreach.limit))
		make_empty(n);
}

static void trim_try(struct trim *t, struct ast_node *n)
{
	trim_statement(t, &n->u.try_.body);
	trim_statement(t, &n->u.try_.handler);
	if (is_empty(n->u.try_.body))
		make_empty(n);
}

static void trim_statement(struct trim *t, struct ast_node **slot)
{
	struct ast_node *n = *slot;

	switch (n->kind) {
	case AST_BLOCK:
		trim_block(t, n);
		break;
	case AST_EXPR:
		trim_expression(t, n);
		break;
	case AST_DELETE:
		trim_delete(t, n);
		break;
	case AST_IF:
		trim_if(t, n);
		break;
	case AST_WHILE:
	case AST_FOR:
		trim_statement(t, &n->u.loop.body);
		break;
	case AST_FOREACH:
		trim_foreach(t, n);
		break;
	case AST_TRY:
		trim_try(t, n);
		break;
	default:
		break;
	}
}

static void drop_vars(struct trim *t, GPtrArray *vars)
{
	for (unsigned i = 0; i < vars->len;) {
		struct var *var = vars->pdata[i];

		if (var->reads || var->writes) {
			i++;
			continue;
		}
		note(t, &var->loc, D_ELIDED_VARIABLE, var->name);
		g_ptr_array_remove_index(vars, i);
	}
}

static void one_round(struct trim *t)
{
	struct program *prog = t->prog;

	if (!t->keep_functions)
		drop_functions(t);
	uses_functions(prog);
	mark_pure(prog);
	uses_count(prog);
	for (unsigned i = 0; i < prog->functions->len; i++)
		trim_statement(
			t, &((struct function *)prog->functions->pdata[i])->node->u.function.body);
	for (unsigned i = 0; i < prog->probes->len; i++)
		trim_statement(t, &((struct probe *)prog->probes->pdata[i])->body);
	uses_count(prog);
	drop_vars(t, prog->globals);
	for (unsigned i = 0; i < prog->functions->len; i++)
		drop_vars(t, ((struct function *)prog->functions->pdata[i])->locals);
	for (unsigned i = 0; i < prog->probes->len; i++)
		drop_vars(t, ((struct probe *)prog->probes->pdata[i])->locals);
}

static void trim(struct trim *t)
{
	if (t->prog->opt->unoptimized) {
		for (unsigned i = 0; i < t->prog->functions->len; i++)
			((struct function *)t->prog->functions->pdata[i])->used = 1;
		return;
	}
	if (t->keep_functions)
		drop_functions(t);
	do {
		t->changed = 0;
		one_round(t);
		g_clear_pointer(&t->warned, g_hash_table_unref);
	} while (t->changed);
}

/* Drops unused code; sets function->used and ->pure. */
static void trim_program(struct program *prog)
{
	struct trim t = { .prog = prog };

	trim(&t);
}

void pass_bodies(struct program *prog)
{
	struct trim t = { .prog = prog, .keep_functions = 1 };

	if (!prog->opt->unoptimized)
		t.warned = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	trim(&t);
}

void pass_called(struct program *prog)
{
	struct trim t = { .prog = prog, .keep_functions = 1 };

	trim(&t);
	drop_functions(&t);
}

void pass_unused(struct program *prog)
{
	trim_program(prog);
}

/*
 * perf.type().config().counter("NAME") never fires: it exists for @perf("NAME") and may be empty.
 */
static int is_counter(const struct probe *p)
{
	u64 period = 1;

	return p->family->samples && p->family->samples(p, &period) && !period;
}

static int all_empty(const struct program *prog)
{
	for (unsigned i = 0; i < prog->probes->len; i++)
		if (!is_empty(((struct probe *)prog->probes->pdata[i])->body))
			return 0;
	return 1;
}

static void drop_probes(struct program *prog)
{
	for (unsigned i = 0; i < prog->probes->len;) {
		struct probe *p = prog->probes->pdata[i];

		if (!is_empty(p->body) || prog->opt->unoptimized) {
			i++;
			continue;
		}
		if (!is_counter(p) && program_is_users(prog, p->loc.src))
			diag(prog->ast->diag, &p->loc, D_ELIDED_PROBE,
			     p->written ? p->written : p->point);
		g_ptr_array_remove_index(prog->probes, i);
	}
}

/* ---- order of functions -----------------------------------------------------*/

struct order {
	GPtrArray *done;
	GHashTable *seen;
};

static void place(struct order *o, struct function *f);

static void place_callees(struct ast_node *call, void *data)
{
	for (struct function *f = call->u.call.function; f; f = f->overload)
		place(data, f);
}

static void place(struct order *o, struct function *f)
{
	static const struct use_visitor visitor = { .call = place_callees };

	if (!g_hash_table_add(o->seen, f))
		return;
	uses_walk(f->node->u.function.body, &visitor, o);
	if (f->overload)
		place(o, f->overload);
	g_ptr_array_add(o->done, f);
}

/* Callees first, so that C needs prototypes only for recursion. */
static void order_functions(struct program *prog)
{
	struct order o = { g_ptr_array_new(), g_hash_table_new(NULL, NULL) };

	for (unsigned i = 0; i < prog->functions->len; i++)
		place(&o, prog->functions->pdata[i]);
	for (unsigned i = 0; i < prog->functions->len; i++)
		prog->functions->pdata[i] = o.done->pdata[i];
	g_ptr_array_unref(o.done);
	g_hash_table_unref(o.seen);
}

/*
 * Overloads after a function without next are unreachable; they are not checked against its types.
 */
static void cut_overloads(struct program *prog)
{
	for (unsigned i = 0; i < prog->functions->len; i++) {
		struct function *f = prog->functions->pdata[i];

		if (!f->hands_over)
			f->overload = NULL;
	}
}

void pass_trim(struct program *prog)
{
	cut_overloads(prog);
	trim_program(prog);
	if (all_empty(prog) && types_of_dropped(prog))
		return;
	drop_probes(prog);
	if (!prog->probes->len) {
		diag(prog->ast->diag, NULL, D_NO_PROBES);
		diag_hint(
			prog->ast->diag,
			"a handler must print something, or change a global that is read; -u keeps those that do not");
	}
	trim_program(prog);
	order_functions(prog);
	program_number(prog);
}
