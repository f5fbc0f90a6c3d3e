/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * locks.c - which globals each probe locks, in which mode, and which globals are
 * kept in per-CPU parts.
 *
 * Only RT_RUNNING probes run concurrently, so only they take locks, and a global
 * that none of them writes needs none.  Locks are taken in the order of
 * prog->globals.
 *
 * A variable is tier one if the only shared effect of some running handler is
 * to add to it (++ -- += -= <<<, value unused); statistics always are.  The
 * representation follows: a long scalar becomes a struct rt_counter (other
 * accesses go through rt_counter_get and _set), a long array a per-CPU map,
 * which can be added to, read and cleared but not assigned: so one a[k] = v,
 * one value-used a[k]++ or a wrapping array keeps it out of tier one.
 * A handler that only adds to a tier-one variable takes RT_LOCAL: adding
 * commutes, so handlers stay atomic for readers, which lock all parts.
 *
 * foreach takes RT_WRITE: its order is stored in buffers of the map.
 */
#include "parser/ast_walk.h"
#include "translator/families/user_site.h"
#include "translator/passes/pass.h"
#include "translator/program/options.h"
#include "translator/program/uses.h"

#include <string.h>

/* How a handler uses globals: struct var -> enum use, or-ed; functions it calls included. */
struct handler {
	GHashTable *uses, *seen;
};

static void add_use(struct var *var, unsigned use, struct ast_node *node, void *data)
{
	struct handler *h = data;

	if (var->global) {
		use |= GPOINTER_TO_UINT(g_hash_table_lookup(h->uses, var));
		g_hash_table_insert(h->uses, var, GUINT_TO_POINTER(use));
	}
}

static void add_call(struct ast_node *call, void *data);

static const struct use_visitor visitor = { .var = add_use, .call = add_call };

static void add_call(struct ast_node *call, void *data)
{
	struct handler *h = data;

	for (struct function *f = call->u.call.function; f; f = f->overload)
		if (g_hash_table_add(h->seen, f))
			uses_walk(f->node->u.function.body, &visitor, h);
}

static GHashTable *handler_uses(struct probe *p)
{
	struct handler h = { .uses = g_hash_table_new(NULL, NULL),
			     .seen = g_hash_table_new(NULL, NULL) };

	uses_walk(p->body, &visitor, &h);
	g_hash_table_unref(h.seen);
	return h.uses;
}

/* ---- tier one ---------------------------------------------------------------*/

/*
 * The only global that the handler changes, if it only adds to it; NULL if there is another change,
 * or if the handler also reads it.
 */
static struct var *only_added(GHashTable *uses)
{
	struct var *found = NULL;
	GHashTableIter it;
	void *key, *value;

	g_hash_table_iter_init(&it, uses);
	while (g_hash_table_iter_next(&it, &key, &value)) {
		unsigned use = GPOINTER_TO_UINT(value);

		if (!(use & USE_CHANGE))
			continue;
		if (found || use != USE_ADD)
			return NULL;
		found = key;
	}
	return found;
}

/* Collects variables with a plain assignment or a value-used update anywhere in the script. */
static void find_assigned(struct var *var, unsigned use, struct ast_node *node, void *data)
{
	if (use & USE_WRITE)
		g_hash_table_add(data, var);
}

static GHashTable *assigned_vars(struct program *prog)
{
	static const struct use_visitor finder = { .var = find_assigned };
	GHashTable *assigned = g_hash_table_new(NULL, NULL);

	for (unsigned i = 0; i < prog->functions->len; i++)
		uses_walk(((struct function *)prog->functions->pdata[i])->node->u.function.body,
			  &finder, assigned);
	for (unsigned i = 0; i < prog->probes->len; i++)
		uses_walk(((struct probe *)prog->probes->pdata[i])->body, &finder, assigned);
	return assigned;
}

static int can_be_parts(const struct var *var, GHashTable *assigned)
{
	return !var->is_array || !(var->wrap || g_hash_table_contains(assigned, var));
}

/* A handler that runs in NMIs takes no locks: everything it adds to is per-CPU. */
static void choose_all(GHashTable *uses, GHashTable *assigned)
{
	GHashTableIter it;
	void *key, *use;

	g_hash_table_iter_init(&it, uses);
	while (g_hash_table_iter_next(&it, &key, &use)) {
		struct var *var = key;

		if (GPOINTER_TO_UINT(use) == USE_ADD && can_be_parts(var, assigned))
			var->tier_one = 1;
	}
}

static void choose_tiers(struct program *prog, GHashTable **uses)
{
	GHashTable *assigned = assigned_vars(prog);

	for (unsigned i = 0; i < prog->globals->len; i++) {
		struct var *var = prog->globals->pdata[i];

		var->tier_one = var->type == TYPE_STATS;
	}
	for (unsigned i = 0; i < prog->probes->len; i++) {
		struct probe *p = prog->probes->pdata[i];
		struct var *var = only_added(uses[i]);

		if (p->capture & RT_CAP_NMI)
			choose_all(uses[i], assigned);
		if (p->phase != RT_RUNNING || !var)
			continue;
		if (can_be_parts(var, assigned))
			var->tier_one = 1;
		p->tier_one = var->tier_one;
	}
	g_hash_table_unref(assigned);
}

/* ---- lock lists ----------------------------------------------------------------*/

static GHashTable *written_while_running(struct program *prog, GHashTable **uses)
{
	GHashTable *written = g_hash_table_new(NULL, NULL);

	for (unsigned i = 0; i < prog->probes->len; i++) {
		GHashTableIter it;
		void *key, *value;

		if (((struct probe *)prog->probes->pdata[i])->phase != RT_RUNNING)
			continue;
		g_hash_table_iter_init(&it, uses[i]);
		while (g_hash_table_iter_next(&it, &key, &value))
			if (GPOINTER_TO_UINT(value) & USE_CHANGE)
				g_hash_table_add(written, key);
	}
	return written;
}

static enum rt_lockmode lock_mode(const struct var *var, unsigned use)
{
	if (var->tier_one && use == USE_ADD)
		return RT_LOCAL;
	return use & (USE_CHANGE | USE_LOOP) ? RT_WRITE : RT_READ;
}

static gint by_global(gconstpointer a, gconstpointer b)
{
	const struct rt_lockuse *x = a, *y = b;

	return (x->global > y->global) - (x->global < y->global);
}

static void list_locks(struct probe *p, GHashTable *uses, GHashTable *written)
{
	GHashTableIter it;
	void *key, *value;

	p->locks = g_array_new(FALSE, TRUE, sizeof(struct rt_lockuse));
	if (p->phase != RT_RUNNING)
		return;
	/* a condition is evaluated under the handler's locks */
	g_hash_table_iter_init(&it, p->reads);
	while (g_hash_table_iter_next(&it, &key, NULL)) {
		value = g_hash_table_lookup(uses, key);
		g_hash_table_insert(uses, key,
				    GUINT_TO_POINTER(GPOINTER_TO_UINT(value) | USE_READ));
	}
	g_hash_table_iter_init(&it, uses);
	while (g_hash_table_iter_next(&it, &key, &value)) {
		const struct var *var = key;
		unsigned use = GPOINTER_TO_UINT(value);

		if (use && (g_hash_table_contains(written, var) || (use & USE_LOOP)))
			g_array_append_val(p->locks,
					   ((struct rt_lockuse){ .global = var->index,
								 .mode = lock_mode(var, use) }));
	}
	g_array_sort(p->locks, by_global);
}

/*
 * Variables that running handlers only add to need no lock: they are read only after the handlers
 * have stopped.
 */
static void find_only_local(struct program *prog)
{
	for (unsigned i = 0; i < prog->globals->len; i++)
		((struct var *)prog->globals->pdata[i])->only_local =
			((struct var *)prog->globals->pdata[i])->tier_one;
	for (unsigned i = 0; i < prog->probes->len; i++) {
		GArray *locks = ((struct probe *)prog->probes->pdata[i])->locks;

		for (unsigned k = 0; k < locks->len; k++) {
			const struct rt_lockuse *use = &g_array_index(locks, struct rt_lockuse, k);

			if (use->mode != RT_LOCAL)
				((struct var *)prog->globals->pdata[use->global])->only_local = 0;
		}
	}
}

/* n++, n += 4 or n -= 4, and nothing else: the variable and the increment. NULL: anything else. */
static const struct var *counted(const struct probe *p, int64_t *step)
{
	const struct ast_node *n = p->body, *to;

	while (n->kind == AST_BLOCK && n->u.list.n == 1)
		n = n->u.list.at[0];
	n = n->kind == AST_EXPR ? n->u.expr.expr : NULL;
	if (!n || (n->kind != AST_CREMENT &&
		   (n->kind != AST_ASSIGN || n->u.binary.right->kind != AST_NUMBER)))
		return NULL;
	to = n->kind == AST_CREMENT ? n->u.crement.operand : n->u.binary.left;
	*step = n->kind == AST_CREMENT ? 1 : n->u.binary.right->u.number.value;
	if ((n->kind == AST_CREMENT ? n->u.crement.op : n->u.binary.op)[0] == '-')
		*step = -*step;
	return to->kind == AST_NAME && to->u.name.var->tier_one && to->u.name.var->only_local &&
	       to->u.name.var->type == TYPE_LONG ? to->u.name.var : NULL;
}

/*
 * Finds handlers of probes in user programs that the kernel's event counters can replace, in the
 * user runtime, where handlers run later anyway.
 */
static void find_counting(struct program *prog)
{
	for (unsigned i = 0; i < prog->probes->len; i++) {
		struct probe *p = prog->probes->pdata[i];
		const struct user_site *site = user_site_of(p);

		if (site && !p->condition && !p->keeper && !p->keeps_for && !site->row.program &&
		    !site->row.exits && prog->opt && prog->opt->runtime == RUNTIME_USER)
			p->counts = counted(p, &p->step);
	}
}

/* Marks globals that error probes read; after an error ended the run, the others are displayed. */
static void find_error_reads(struct program *prog)
{
	for (unsigned i = 0; i < prog->probes->len; i++) {
		const struct probe *p = prog->probes->pdata[i];
		GHashTableIter it;
		void *var;

		g_hash_table_iter_init(&it, p->reads);
		while (p->phase == RT_ERROR && g_hash_table_iter_next(&it, &var, NULL))
			((struct var *)var)->error_reads = 1;
	}
}

/* ---- values that join several probes ----------------------------------------------*/

/* True if hits may depend on each other, unlike those of timers or file readers. */
static int is_event(const struct probe *p)
{
	return p->phase == RT_RUNNING && !p->family->made_by_us;
}

/*
 * True for probes of different declarations. Probes of one declaration share a handler: a value
 * that it keeps does not join an entry and a return.
 */
static int is_other(const struct probe *p, const struct probe *q)
{
	return p->loc.src != q->loc.src || p->loc.start != q->loc.start;
}

/* RT_JOINS_WATCHED for a stopwatch's state between two points: it checks for lost hits itself. */
static enum rt_joins how_joined(const struct var *var)
{
	static const char *const kept[] = { "__at_", "__since_", "__empty_" };

	for (unsigned i = 0; i < G_N_ELEMENTS(kept); i++)
		if (g_str_has_prefix(var->name, kept[i]))
			return RT_JOINS_WATCHED;
	return RT_JOINS;
}

/*
 * Finds a global that one event's probe reads and another event's probe changes: its values need
 * the hits of both.
 */
static void find_joins(struct program *prog)
{
	GHashTable *changes = g_hash_table_new(NULL, NULL);	/* struct var -> the first probe
								 * that changes it, or the var
								 * itself if several do */

	for (unsigned i = 0; i < prog->probes->len; i++) {
		struct probe *p = prog->probes->pdata[i];
		GHashTableIter it;
		void *var;

		g_hash_table_iter_init(&it, p->writes);
		while (is_event(p) && g_hash_table_iter_next(&it, &var, NULL)) {
			const struct probe *first = g_hash_table_lookup(changes, var);

			g_hash_table_insert(changes, var,
					    !first ? (void *)p
					    : first == var || is_other(first, p) ? var
					    : (void *)first);
		}
	}
	for (unsigned i = 0; i < prog->probes->len; i++) {
		struct probe *p = prog->probes->pdata[i];
		GHashTableIter it;
		void *var;

		g_hash_table_iter_init(&it, p->reads);
		while (is_event(p) && g_hash_table_iter_next(&it, &var, NULL)) {
			const void *from = g_hash_table_lookup(changes, var);

			if (from && (from == var || is_other(from, p)))
				prog->joins |= how_joined(var);
		}
	}
	g_hash_table_unref(changes);
}

/* ---- loops active at once ---------------------------------------------------------*/

/* A recursive function can nest at most this many loops before MAXNESTING ends it. */
#define DEEPEST 12

struct nesting {
	const struct var *var;
	GHashTable *functions;	/* struct function -> nesting depth of loops over var in it
				 * and its callees; 0 while being computed */
	unsigned deepest;
};

static unsigned loop_depth(struct ast_node *body, const struct nesting *around);

static unsigned function_depth(const struct nesting *around, struct function *f)
{
	void *known;
	unsigned depth;

	if (g_hash_table_lookup_extended(around->functions, f, NULL, &known))
		return GPOINTER_TO_UINT(known);
	g_hash_table_insert(around->functions, f, NULL);
	depth = loop_depth(f->node->u.function.body, around);
	if (f->recursive && depth)
		depth = DEEPEST;
	g_hash_table_insert(around->functions, f, GUINT_TO_POINTER(depth));
	return depth;
}

static int nest_visit(struct ast_node **slot, void *data)
{
	struct nesting *nest = data;
	struct ast_node *n = *slot;

	if (n->kind == AST_FOREACH && n->u.foreach.array_var == nest->var) {
		nest->deepest = MAX(nest->deepest, 1 + loop_depth(n->u.foreach.body, nest));
		return 0;
	}
	for (struct function *f = n->kind == AST_CALL ? n->u.call.function : NULL; f;
	     f = f->overload)
		nest->deepest = MAX(nest->deepest, function_depth(nest, f));
	return 1;
}

static unsigned loop_depth(struct ast_node *body, const struct nesting *around)
{
	struct nesting nest = { around->var, around->functions, 0 };

	ast_walk(&body, nest_visit, &nest);
	return MIN(nest.deepest, DEEPEST);
}

/* Sets iterators of the variables that the probe loops over. */
static void count_iterators(struct probe *p, GHashTable *uses)
{
	GHashTableIter it;
	void *key, *use;

	g_hash_table_iter_init(&it, uses);
	while (g_hash_table_iter_next(&it, &key, &use)) {
		struct nesting nest = { .var = key };
		struct var *var = key;

		if (!(GPOINTER_TO_UINT(use) & USE_LOOP) || !var->is_array)
			continue;
		nest.functions = g_hash_table_new(NULL, NULL);
		var->iterators = MAX(var->iterators, loop_depth(p->body, &nest));
		g_hash_table_unref(nest.functions);
	}
}

void pass_locks(struct program *prog)
{
	GHashTable **uses = g_new0(GHashTable *, prog->probes->len + 1), *written;

	program_number(prog);
	uses_functions(prog);
	for (unsigned i = 0; i < prog->probes->len; i++) {
		struct probe *p = prog->probes->pdata[i];

		uses[i] = handler_uses(p);
		uses_probe(p, &p->reads, &p->writes);
	}
	choose_tiers(prog, uses);
	written = written_while_running(prog, uses);
	for (unsigned i = 0; i < prog->probes->len; i++) {
		list_locks(prog->probes->pdata[i], uses[i], written);
		count_iterators(prog->probes->pdata[i], uses[i]);
		g_hash_table_unref(uses[i]);
	}
	find_only_local(prog);
	find_counting(prog);
	find_error_reads(prog);
	find_joins(prog);
	g_hash_table_unref(written);
	g_free(uses);
}
