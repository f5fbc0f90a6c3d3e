/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * uses.c - see uses.h.  One walk over the tree, and the sets and counts that
 * passes derive from it.
 */
#include "translator/program/uses.h"
#include "parser/ast_walk.h"

#include <string.h>

struct walk {
	const struct use_visitor *visitor;
	void *data;
};

static void walk(struct walk *w, struct ast_node *n, int value);

static void tell(struct walk *w, struct var *var, unsigned use, struct ast_node *node)
{
	if (w->visitor->var)
		w->visitor->var(var, use, node, w->data);
}

static void walk_list(struct walk *w, struct ast_list *list)
{
	for (unsigned i = 0; i < list->n; i++)
		walk(w, list->at[i], 1);
}

/* Reports a use of the variable of a NAME or INDEX; keys are walked separately. */
static void use(struct walk *w, struct ast_node *n, unsigned kind)
{
	struct var *var = NULL;

	if (n->kind == AST_NAME)
		var = n->u.name.var;
	else if (n->kind == AST_INDEX)
		var = n->u.index.var;
	if (var)
		tell(w, var, kind, n);
}

static void walk_keys(struct walk *w, struct ast_node *n)
{
	if (n->kind == AST_INDEX)
		walk_list(w, &n->u.index.keys);
}

static int is_lvalue(const struct ast_node *n)
{
	return n->kind == AST_NAME || n->kind == AST_INDEX;
}

static int is_op(const char *op, const char *const *set)
{
	for (; *set; set++)
		if (!strcmp(op, *set))
			return 1;
	return 0;
}

static void walk_assign(struct walk *w, struct ast_node *n, int value)
{
	static const char *const adds[] = { "+=", "-=", "<<<", NULL };
	struct ast_node *left = n->u.binary.left;
	unsigned kind;

	if (!is_lvalue(left)) {
		walk(w, left, 1);
		walk(w, n->u.binary.right, 1);
		return;
	}
	walk_keys(w, left);
	walk(w, n->u.binary.right, 1);
	if (!strcmp(n->u.binary.op, "="))
		kind = USE_WRITE;
	else if (is_op(n->u.binary.op, adds) && (!value || !strcmp(n->u.binary.op, "<<<")))
		kind = USE_ADD;
	else
		kind = value ? USE_READ | USE_WRITE : USE_WRITE;
	use(w, left, kind);
}

static void walk_crement(struct walk *w, struct ast_node *n, int value)
{
	struct ast_node *operand = n->u.crement.operand;

	if (!is_lvalue(operand)) {
		walk(w, operand, 1);
		return;
	}
	walk_keys(w, operand);
	use(w, operand, value ? USE_READ | USE_WRITE : USE_ADD);
}

static void walk_foreach(struct walk *w, struct ast_node *n)
{
	struct ast_node *array = n->u.foreach.array;

	for (unsigned i = 0; i < n->u.foreach.slice.n; i++)
		walk(w, n->u.foreach.slice.at[i], 1);
	walk(w, n->u.foreach.limit, 1);
	if (n->u.foreach.array_var)
		tell(w, n->u.foreach.array_var, USE_READ | USE_LOOP, n);
	else
		walk(w, array, 1);
	for (unsigned i = 0; i < n->u.foreach.nkeys; i++)
		tell(w, n->u.foreach.key_vars[i], USE_WRITE, n);
	if (n->u.foreach.value_var)
		tell(w, n->u.foreach.value_var, USE_WRITE, n);
	walk(w, n->u.foreach.body, 0);
}

static void walk_delete(struct walk *w, struct ast_node *n)
{
	struct ast_node *target = n->u.expr.expr;

	if (!is_lvalue(target)) {
		walk(w, target, 1);
		return;
	}
	walk_keys(w, target);
	use(w, target, USE_CLEAR);
}

static void walk_target(struct walk *w, struct ast_node *n)
{
	walk(w, n->u.target.operand, 1);
	for (unsigned i = 0; i < n->u.target.nsuffixes; i++)
		walk(w, n->u.target.suffixes[i].index, 1);
}

static void walk_print(struct walk *w, struct ast_node *n)
{
	walk_list(w, &n->u.print.args);
	if (!n->u.print.to_string && w->visitor->output)
		w->visitor->output(n, w->data);
}

static void walk_loop(struct walk *w, struct ast_node *n)
{
	walk(w, n->u.loop.init, 0);
	walk(w, n->u.loop.cond, 1);
	walk(w, n->u.loop.body, 0);
	walk(w, n->u.loop.step, 0);
}

/* value: the expression's value is used. */
static void walk(struct walk *w, struct ast_node *n, int value)
{
	if (!n)
		return;
	switch (n->kind) {	/* flat switch over node kinds */
	case AST_NAME:
		use(w, n, USE_READ);
		break;
	case AST_INDEX:
		walk_keys(w, n);
		use(w, n, USE_READ);
		break;
	case AST_TARGET:
		walk_target(w, n);
		break;
	case AST_CALL:
		walk_list(w, &n->u.call.args);
		if (w->visitor->call)
			w->visitor->call(n, w->data);
		break;
	case AST_PRINT:
		walk_print(w, n);
		break;
	case AST_STATOP:
		walk(w, n->u.statop.operand, 1);
		break;
	case AST_HIST:
		walk(w, n->u.hist.operand, 1);
		break;
	case AST_BUCKET:
		walk(w, n->u.bucket.hist, 1);
		walk(w, n->u.bucket.index, 1);
		break;
	case AST_UNARY:
		walk(w, n->u.unary.operand, 1);
		break;
	case AST_CREMENT:
		walk_crement(w, n, value);
		break;
	case AST_BINARY:
		walk(w, n->u.binary.left, 1);
		walk(w, n->u.binary.right, 1);
		break;
	case AST_ASSIGN:
		walk_assign(w, n, value);
		break;
	case AST_REGEX:
		walk(w, n->u.regex.left, 1);
		break;
	case AST_TERNARY:
		walk(w, n->u.ternary.cond, 1);
		walk(w, n->u.ternary.yes, value);
		walk(w, n->u.ternary.no, value);
		break;
	case AST_IN:
		walk_list(w, &n->u.in.keys);
		walk(w, n->u.in.array, 1);
		break;
	case AST_ATOP:
		walk_list(w, &n->u.atop.args);
		break;
	case AST_EMBED:
		for (unsigned i = 0; i < n->u.embed.nvars; i++)
			tell(w, n->u.embed.vars[i],
			     n->u.embed.writes[i] ? USE_READ | USE_WRITE : USE_READ, n);
		break;
	case AST_CONCAT:
		walk_list(w, &n->u.list);
		break;
	case AST_BLOCK:
		for (unsigned i = 0; i < n->u.list.n; i++)
			walk(w, n->u.list.at[i], 0);
		break;
	case AST_EXPR:
		walk(w, n->u.expr.expr, 0);
		break;
	case AST_RETURN:
		walk(w, n->u.expr.expr, 1);
		break;
	case AST_DELETE:
		walk_delete(w, n);
		break;
	case AST_IF:
		walk(w, n->u.cond.cond, 1);
		walk(w, n->u.cond.yes, 0);
		walk(w, n->u.cond.no, 0);
		break;
	case AST_WHILE:
	case AST_FOR:
		walk_loop(w, n);
		break;
	case AST_FOREACH:
		walk_foreach(w, n);
		break;
	case AST_TRY:
		walk(w, n->u.try_.body, 0);
		if (n->u.try_.var)
			tell(w, n->u.try_.var, USE_WRITE, n);
		walk(w, n->u.try_.handler, 0);
		break;
	default:		/* literals, break, next ...: no variable inside */
		break;
	}
}

void uses_walk(struct ast_node *node, const struct use_visitor *visitor, void *data)
{
	struct walk w = { visitor, data };

	walk(&w, node, 0);
}

/* ---- counts --------------------------------------------------------------*/

static void count_var(struct var *var, unsigned kind, struct ast_node *node, void *data)
{
	if (kind & USE_READ)
		var->reads++;
	if (kind & USE_CHANGE)
		var->writes++;
}

static void forget(GPtrArray *vars)
{
	for (unsigned i = 0; i < vars->len; i++) {
		struct var *var = vars->pdata[i];

		var->reads = var->writes = 0;
	}
}

static const struct use_visitor counter = { .var = count_var };

/* Walks a probe's condition: an expression whose value is used. */
static void walk_condition(struct ast_node *condition, const struct use_visitor *visitor,
			   void *data)
{
	struct walk w = { visitor, data };

	walk(&w, condition, 1);
}

void uses_count(struct program *prog)
{
	forget(prog->globals);
	for (unsigned i = 0; i < prog->functions->len; i++) {
		struct function *f = prog->functions->pdata[i];

		forget(f->params);
		forget(f->locals);
	}
	for (unsigned i = 0; i < prog->probes->len; i++)
		forget(((struct probe *)prog->probes->pdata[i])->locals);
	for (unsigned i = 0; i < prog->functions->len; i++)
		uses_walk(((struct function *)prog->functions->pdata[i])->node->u.function.body,
			  &counter, NULL);
	for (unsigned i = 0; i < prog->probes->len; i++) {
		struct probe *p = prog->probes->pdata[i];

		walk_condition(p->condition, &counter, NULL);
		uses_walk(p->body, &counter, NULL);
	}
}

/* ---- sets of globals ------------------------------------------------------*/

struct sets {
	GHashTable *reads, *writes, *calls;
};

static void collect_var(struct var *var, unsigned kind, struct ast_node *node, void *data)
{
	struct sets *s = data;

	if (!var->global)
		return;
	if (kind & USE_READ)
		g_hash_table_add(s->reads, var);
	if (kind & USE_CHANGE)
		g_hash_table_add(s->writes, var);
}

/* A call may reach any function of the overload chain. */
static void collect_call(struct ast_node *call, void *data)
{
	struct sets *s = data;

	for (struct function *f = call->u.call.function; f; f = f->overload)
		g_hash_table_add(s->calls, f);
}

static const struct use_visitor collector = { .var = collect_var, .call = collect_call };

/* Adds all elements of `from` to `to`. 1: `to` grew. */
static int join(GHashTable *to, GHashTable *from)
{
	GHashTableIter it;
	void *key;
	int grew = 0;

	g_hash_table_iter_init(&it, from);
	while (g_hash_table_iter_next(&it, &key, NULL))
		grew |= g_hash_table_add(to, key);
	return grew;
}

static int join_callees(struct sets *s)
{
	GHashTableIter it;
	void *key;
	int grew = 0;
	GHashTable *more = g_hash_table_new(NULL, NULL);

	g_hash_table_iter_init(&it, s->calls);
	while (g_hash_table_iter_next(&it, &key, NULL)) {
		struct function *f = key;

		if (f->reads) {
			grew |= join(s->reads, f->reads);
			grew |= join(s->writes, f->writes);
			join(more, f->calls);
		}
	}
	grew |= join(s->calls, more);
	g_hash_table_unref(more);
	return grew;
}

void uses_functions(struct program *prog)
{
	int grew = 1;

	for (unsigned i = 0; i < prog->functions->len; i++) {
		struct function *f = prog->functions->pdata[i];
		struct sets s;

		function_forget_sets(f);
		f->reads = s.reads = g_hash_table_new(NULL, NULL);
		f->writes = s.writes = g_hash_table_new(NULL, NULL);
		f->calls = s.calls = g_hash_table_new(NULL, NULL);
		uses_walk(f->node->u.function.body, &collector, &s);
		if (f->overload)	/* by `next` */
			g_hash_table_add(f->calls, f->overload);
	}
	while (grew) {
		grew = 0;
		for (unsigned i = 0; i < prog->functions->len; i++) {
			struct function *f = prog->functions->pdata[i];
			struct sets s = { f->reads, f->writes, f->calls };

			grew |= join_callees(&s);
		}
	}
	for (unsigned i = 0; i < prog->functions->len; i++) {
		struct function *f = prog->functions->pdata[i];

		f->recursive = g_hash_table_contains(f->calls, f);
	}
}

void uses_probe(const struct probe *probe, GHashTable **reads, GHashTable **writes)
{
	struct sets s = { g_hash_table_new(NULL, NULL), g_hash_table_new(NULL, NULL),
			  g_hash_table_new(NULL, NULL) };

	walk_condition(probe->condition, &collector, &s);
	uses_walk(probe->body, &collector, &s);
	while (join_callees(&s))
		;
	g_hash_table_unref(s.calls);
	*reads = s.reads;
	*writes = s.writes;
}

/* ---- effects ----------------------------------------------------------------*/

struct effects {
	int	found;
	int	may_fail;	/* a possible failure counts as an effect */
	int	keep;		/* calls of KEPT builtins count */
	int	own;		/* effects on local variables do not count */
};

static void effect_var(struct var *var, unsigned kind, struct ast_node *node, void *data)
{
	struct effects *e = data;

	e->found |= kind & USE_CHANGE && (!e->own || var->global);
}

/*
 * A script function's effects are known by its own marks, maintained by pass trim; an unmarked one
 * counts as having effects.
 */
static void effect_call(struct ast_node *call, void *data)
{
	const struct builtin *b = call->u.call.builtin;
	struct effects *e = data;

	for (struct function *f = call->u.call.function; f; f = f->overload)
		e->found |= e->may_fail ? !f->pure : !f->harmless;
	e->found |= b && (b->flags & EFFECT || (b->flags & FAILS && e->may_fail) ||
			  (b->flags & KEPT && e->keep));
}

static void effect_output(struct ast_node *print, void *data)
{
	((struct effects *)data)->found = 1;
}

/* $x = e, $x++: not lowered yet. */
static int is_target_write(const struct ast_node *n)
{
	return (n->kind == AST_ASSIGN && n->u.binary.left->kind == AST_TARGET) ||
	       (n->kind == AST_CREMENT && n->u.crement.operand->kind == AST_TARGET);
}

static int note_effect(struct ast_node **slot, void *data)
{
	const struct ast_node *n = *slot;
	struct effects *e = data;

	if (n->kind == AST_EMBED)
		e->found |= !strstr(n->u.embed.text, "/* pure */") &&
			    !strstr(n->u.embed.text, "/* stable */");
	else if (n->kind == AST_TARGET || n->kind == AST_ATOP)
		e->found |= e->may_fail;
	else
		e->found |= n->kind == AST_REGEX || is_target_write(n);
	return 1;
}

static int effects_of(struct ast_node *node, struct effects e)
{
	static const struct use_visitor effects = { effect_var, effect_call, effect_output };

	if (node)
		ast_walk(&node, note_effect, &e);
	uses_walk(node, &effects, &e);
	return e.found;
}

int has_effect(struct ast_node *node)
{
	return effects_of(node, (struct effects){ .may_fail = 1 });
}
int changes_something(struct ast_node *node) { return effects_of(node, (struct effects){ 0 }); }
int script_changes_something(struct ast_node *node)
{
	return effects_of(node, (struct effects){ .keep = 1 });
}
int body_changes_something(struct ast_node *body)
{
	return effects_of(body, (struct effects){ .own = 1 });
}
