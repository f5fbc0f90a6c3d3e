/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * graph.c - see graph.h.
 */
#include "report/graph.h"

#include "report/key.h"

#include <string.h>

#define FUNCTION(g, i)	(&g_array_index((g)->functions, struct graph_function, (i)))
#define ARC(g, i)	(&g_array_index((g)->arcs, struct graph_arc, (i)))

/* ---- functions and arcs -----------------------------------------------------------*/

struct maker {
	struct graph	*g;
	const struct profile *p;
	GHashTable	*by_name;	/* "NAME\nIMAGE" to number plus one */
	guint		*of_place;	/* number plus one; 0: not looked up yet */
	GHashTable	*by_ends;	/* caller << 32 | callee, as gint64, to number plus one */
	/* the sample that was counted last, plus one */
	guint64		*seen_function, *seen_arc;
	gsize		room_functions, room_arcs;
};

static guint function_named(struct maker *m, const char *name, const char *image)
{
	char *key = g_strdup_printf("%s\n%s", name, image);
	guint id = GPOINTER_TO_UINT(g_hash_table_lookup(m->by_name, key));
	struct graph_function f = { .image = image };

	if (id) {
		g_free(key);
		return id - 1;
	}
	f.name = g_strdup(name);
	f.callers = g_array_new(FALSE, FALSE, sizeof(guint));
	f.callees = g_array_new(FALSE, FALSE, sizeof(guint));
	g_array_append_val(m->g->functions, f);
	id = m->g->functions->len;
	g_hash_table_insert(m->by_name, key, GUINT_TO_POINTER(id));
	return id - 1;
}

static guint function_of(struct maker *m, guint32 place)
{
	const char *image =
		PROFILE_AT(m->p->images, image, PROFILE_AT(m->p->places, place, place)->image)
			->path;
	GString *name;

	if (m->of_place[place])
		return m->of_place[place] - 1;
	name = g_string_new(NULL);
	key_place_name(name, m->p, place);
	m->of_place[place] = function_named(m, name->str, image) + 1;
	g_string_free(name, TRUE);
	return m->of_place[place] - 1;
}

/* g_int64_hash() is caller ^ callee, which has only n values for the n * n arcs of n functions. */
static guint ends_hash(gconstpointer p)
{
	/* 2^64 over the golden ratio */
	return (guint)(*(const guint64 *)p * 0x9e3779b97f4a7c15u >> 32);
}

static guint arc_of(struct maker *m, guint caller, guint callee)
{
	gint64 ends = (gint64)((guint64)caller << 32 | callee);
	guint id = GPOINTER_TO_UINT(g_hash_table_lookup(m->by_ends, &ends));
	struct graph_arc arc = { .caller = caller, .callee = callee };

	if (id)
		return id - 1;
	g_array_append_val(m->g->arcs, arc);
	id = m->g->arcs->len - 1;
	g_hash_table_insert(m->by_ends, g_memdup2(&ends, sizeof(ends)), GUINT_TO_POINTER(id + 1));
	if (caller == callee) {
		FUNCTION(m->g, caller)->recursive = 1;
	} else {
		g_array_append_val(FUNCTION(m->g, caller)->callees, id);
		g_array_append_val(FUNCTION(m->g, callee)->callers, id);
	}
	return id;
}

/* 1 the first time that sample `stamp` reaches item i. */
static int first_time(guint64 **seen, gsize *room, guint i, guint64 stamp)
{
	if (i >= *room) {
		gsize more = MAX(2 * *room, (gsize)i + 1024);

		*seen = g_renew(guint64, *seen, more);
		memset(*seen + *room, 0, (more - *room) * sizeof(**seen));
		*room = more;
	}
	if ((*seen)[i] == stamp)
		return 0;
	(*seen)[i] = stamp;
	return 1;
}

static void add_sample(struct maker *m, const struct profile_sample *s, guint64 stamp)
{
	guint callee = 0, depth = 0, leaf = 0;
	int own = 1;		/* the sample fell on the callee itself */

	m->g->weight += s->weight;
	m->g->samples += s->count;
	m->g->cut += s->cut ? s->count : 0;
	for (guint32 node = s->node; node != PROFILE_NONE;
	     node = PROFILE_AT(m->p->nodes, node, node)->parent, depth++) {
		guint f = function_of(m, PROFILE_AT(m->p->nodes, node, node)->place), arc;

		if (!depth) {
			leaf = f;
			FUNCTION(m->g, f)->self += s->weight;
		}
		if (first_time(&m->seen_function, &m->room_functions, f, stamp))
			FUNCTION(m->g, f)->total += s->weight;
		arc = depth ? arc_of(m, f, callee) : 0;
		if (depth && first_time(&m->seen_arc, &m->room_arcs, arc, stamp)) {
			if (own)
				ARC(m->g, arc)->self += s->weight;
			else
				ARC(m->g, arc)->below += s->weight;
		}
		callee = f;
		own = own && f == leaf;
	}
}

/* ---- calls that were counted ------------------------------------------------------*/

static void add_call(struct maker *m, const struct profile_arc *a, const guint *ids, int timed)
{
	guint callee = ids[a->callee], caller = a->caller == PROFILE_NONE ? callee : ids[a->caller],
	      id;
	int calls_itself = a->caller != PROFILE_NONE && caller == callee;
	struct graph_function *f;

	if (a->caller != PROFILE_NONE) {
		id = arc_of(m, caller, callee);
		ARC(m->g, id)->calls += a->calls;
		ARC(m->g, id)->self += timed ? a->self : 0;
		ARC(m->g, id)->below += timed ? a->total - MIN(a->self, a->total) : 0;
	}
	f = FUNCTION(m->g, callee);
	*(calls_itself ? &f->self_calls : &f->calls) += a->calls;
	if (!timed)
		return;
	f->self += a->self;
	m->g->weight += a->self;
	f->root += a->caller == PROFILE_NONE ? a->total : 0;
}

/* Adds the calls; their times only if there are no samples, whose times are used otherwise. */
static void add_calls(struct maker *m)
{
	guint *ids = g_new(guint, m->p->callees->len + 1);
	int timed = !m->g->samples;
	guint64 roots = 0;

	for (guint i = 0; i < m->p->callees->len; i++) {
		const struct profile_callee *c = PROFILE_AT(m->p->callees, callee, i);

		ids[i] = function_named(m, c->name, c->image);
		FUNCTION(m->g, ids[i])->total += timed ? c->inclusive : 0;
	}
	for (guint i = 0; i < m->p->arcs->len; i++)
		add_call(m, PROFILE_AT(m->p->arcs, arc, i), ids, timed);
	for (guint i = 0; i < m->g->functions->len; i++)
		roots += FUNCTION(m->g, i)->root;
	/* what is below the floor in each call may be above it in their sum */
	m->g->weight = MAX(m->g->weight, roots);
	m->g->exact = m->p->arcs->len > 0;
	g_free(ids);
}

/* ---- cycles: R. Tarjan's strongly connected components, with a stack of its own ------------------*/

struct search {
	struct graph	*g;
	guint		*number, *low, clock;	/* number: order of visit, from 1 */
	guint8		*on_stack;
	GArray		*stack, *path;		/* guint; struct step */
};

struct step { guint function, next; };

static void begin(struct search *s, guint f)
{
	struct step step = { f, 0 };

	s->number[f] = s->low[f] = ++s->clock;
	s->on_stack[f] = 1;
	g_array_append_val(s->stack, f);
	g_array_append_val(s->path, step);
}

/* The stack from f on is one component; a single function is not a cycle. */
static void close_component(struct search *s, guint f)
{
	struct graph_cycle cycle = { .members = g_array_new(FALSE, FALSE, sizeof(guint)) };
	guint member;

	do {
		member = g_array_index(s->stack, guint, s->stack->len - 1);
		g_array_set_size(s->stack, s->stack->len - 1);
		s->on_stack[member] = 0;
		g_array_append_val(cycle.members, member);
	} while (member != f);
	if (cycle.members->len == 1) {
		g_array_free(cycle.members, TRUE);
		return;
	}
	g_array_append_val(s->g->cycles, cycle);
	for (guint i = 0; i < cycle.members->len; i++)
		FUNCTION(s->g, g_array_index(cycle.members, guint, i))->cycle = s->g->cycles->len;
}

static void visit(struct search *s, guint root)
{
	begin(s, root);
	while (s->path->len) {
		struct step *step = &g_array_index(s->path, struct step, s->path->len - 1);
		guint f = step->function;
		const GArray *callees = FUNCTION(s->g, f)->callees;

		if (step->next < callees->len) {
			guint to = ARC(s->g, g_array_index(callees, guint, step->next++))->callee;

			if (!s->number[to])
				begin(s, to);
			else if (s->on_stack[to])
				s->low[f] = MIN(s->low[f], s->number[to]);
			continue;
		}
		if (s->low[f] == s->number[f])
			close_component(s, f);
		g_array_set_size(s->path, s->path->len - 1);
		if (s->path->len) {
			guint parent =
				g_array_index(s->path, struct step, s->path->len - 1).function;

			s->low[parent] = MIN(s->low[parent], s->low[f]);
		}
	}
}

static void find_cycles(struct graph *g)
{
	guint n = g->functions->len;
	struct search s = { g,
			    g_new0(guint, n),
			    g_new0(guint, n),
			    0,
			    g_new0(guint8, n),
			    g_array_new(FALSE, FALSE, sizeof(guint)),
			    g_array_new(FALSE, FALSE, sizeof(struct step)) };

	for (guint f = 0; f < n; f++)
		if (!s.number[f])
			visit(&s, f);
	g_free(s.number);
	g_free(s.low);
	g_free(s.on_stack);
	g_array_free(s.stack, TRUE);
	g_array_free(s.path, TRUE);
}

/* A sample counts once for a cycle, whichever of its functions are on the stack. */
static void weigh_cycles(struct maker *m, const struct sample_filter *filter)
{
	guint64 *seen = NULL;
	gsize room = 0;

	for (guint i = 0; m->g->cycles->len && i < m->p->samples->len; i++) {
		const struct profile_sample *s = PROFILE_AT(m->p->samples, sample, i);

		if (!filter_passes(m->p, s, filter))
			continue;
		for (guint32 node = s->node; node != PROFILE_NONE;
		     node = PROFILE_AT(m->p->nodes, node, node)->parent) {
			guint cycle =
				FUNCTION(m->g,
					 function_of(m, PROFILE_AT(m->p->nodes, node, node)->place))
					->cycle;
			struct graph_cycle *c =
				cycle ? &g_array_index(m->g->cycles, struct graph_cycle, cycle - 1)
				      : NULL;

			if (c && node == s->node)
				c->self += s->weight;
			if (c && first_time(&seen, &room, cycle - 1, i + 1))
				c->total += s->weight;
		}
	}
	g_free(seen);
}

/* Without samples: the functions' own time, and that of calls from outside. */
static void time_cycles(struct graph *g)
{
	for (guint i = 0; i < g->functions->len; i++) {
		const struct graph_function *f = FUNCTION(g, i);
		struct graph_cycle *c =
			f->cycle ? &g_array_index(g->cycles, struct graph_cycle, f->cycle - 1)
				 : NULL;

		for (guint k = 0; c && k < f->callers->len; k++) {
			const struct graph_arc *a = ARC(g, g_array_index(f->callers, guint, k));

			if (FUNCTION(g, a->caller)->cycle != f->cycle)
				c->total += a->self + a->below;
		}
		if (c) {
			c->self += f->self;
			c->total += f->root;
		}
	}
}

/* ---- order -----------------------------------------------------------------------*/

static gint heavier_entry(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct graph_entry *e = a, *f = b;
	struct graph *g = data;

	if (e->total != f->total)
		return e->total > f->total ? -1 : 1;
	if (e->cycle || f->cycle)	/* a cycle comes before its members */
		return e->cycle && f->cycle ? (gint)e->cycle - (gint)f->cycle : f->cycle ? 1 : -1;
	return strcmp(FUNCTION(g, e->function)->name, FUNCTION(g, f->function)->name);
}

static void list_entries(struct graph *g)
{
	for (guint i = 0; i < g->functions->len; i++) {
		struct graph_entry e = { .function = i, .total = FUNCTION(g, i)->total };

		g_array_append_val(g->entries, e);
	}
	for (guint i = 0; i < g->cycles->len; i++) {
		struct graph_entry e = {
			.cycle = i + 1,
			.total = g_array_index(g->cycles, struct graph_cycle, i).total
		};

		g_array_append_val(g->entries, e);
	}
	g_array_sort_with_data(g->entries, heavier_entry, g);
	for (guint i = 0; i < g->entries->len; i++) {
		const struct graph_entry *e = &g_array_index(g->entries, struct graph_entry, i);

		if (e->cycle)
			g_array_index(g->cycles, struct graph_cycle, e->cycle - 1).index = i + 1;
		else
			FUNCTION(g, e->function)->index = i + 1;
	}
}

struct graph *graph_make(const struct profile *p, const struct sample_filter *filter)
{
	struct graph *g = g_new0(struct graph, 1);
	struct maker m = {
		.g = g,
		.p = p,
		.by_name = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
		.of_place = g_new0(guint, p->places->len + 1),
		.by_ends = g_hash_table_new_full(ends_hash, g_int64_equal, g_free, NULL),
	};

	g->functions = g_array_new(FALSE, FALSE, sizeof(struct graph_function));
	g->arcs = g_array_new(FALSE, FALSE, sizeof(struct graph_arc));
	g->cycles = g_array_new(FALSE, FALSE, sizeof(struct graph_cycle));
	g->entries = g_array_new(FALSE, FALSE, sizeof(struct graph_entry));
	for (guint i = 0; i < p->samples->len; i++)
		if (filter_passes(p, PROFILE_AT(p->samples, sample, i), filter))
			add_sample(&m, PROFILE_AT(p->samples, sample, i), i + 1);
	add_calls(&m);
	find_cycles(g);
	if (g->samples)
		weigh_cycles(&m, filter);
	else
		time_cycles(g);
	list_entries(g);
	g_hash_table_destroy(m.by_name);
	g_hash_table_destroy(m.by_ends);
	g_free(m.of_place);
	g_free(m.seen_function);
	g_free(m.seen_arc);
	return g;
}

void graph_free(struct graph *g)
{
	for (guint i = 0; i < g->functions->len; i++) {
		g_array_free(FUNCTION(g, i)->callers, TRUE);
		g_array_free(FUNCTION(g, i)->callees, TRUE);
		g_free(FUNCTION(g, i)->name);
	}
	for (guint i = 0; i < g->cycles->len; i++)
		g_array_free(g_array_index(g->cycles, struct graph_cycle, i).members, TRUE);
	g_array_free(g->functions, TRUE);
	g_array_free(g->arcs, TRUE);
	g_array_free(g->cycles, TRUE);
	g_array_free(g->entries, TRUE);
	g_free(g);
}
