/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * listing.c - see listing.h.
 */
#include "report/listing.h"

#include "lib/cpi_events.h"
#include "report/heading.h"

#include <string.h>

const struct graph_function *listing_function(const struct listing *l, guint i)
{
	return &g_array_index(l->g->functions, struct graph_function, i);
}

const struct graph_arc *listing_arc(const struct listing *l, guint i)
{
	return &g_array_index(l->g->arcs, struct graph_arc, i);
}

double listing_percent(const struct listing *l, guint64 weight)
{
	return l->g->weight ? 100.0 * (double)weight / (double)l->g->weight : 0;
}

guint64 listing_below(const struct graph_function *f)
{
	return f->total > f->self ? f->total - f->self : 0;
}

int listing_is_floored(const struct listing *l, guint64 weight, guint64 calls)
{
	return !weight && calls && l->floored;
}

void listing_cycle_calls(const struct listing *l, guint number, guint64 *outer, guint64 *inner)
{
	const struct graph_cycle *c = &g_array_index(l->g->cycles, struct graph_cycle, number - 1);

	*outer = *inner = 0;
	for (guint i = 0; i < c->members->len; i++) {
		const struct graph_function *f = listing_function(l, g_array_index(c->members, guint, i));
		guint64 members = 0;

		for (guint k = 0; k < f->callers->len; k++) {
			const struct graph_arc *a = listing_arc(l, g_array_index(f->callers, guint, k));

			members += listing_function(l, a->caller)->cycle == number ? a->calls : 0;
		}
		*outer += f->calls - members;
		*inner += members + f->self_calls;
	}
}

/* ---- order -----------------------------------------------------------------------*/

static gint more_self(gconstpointer a, gconstpointer b)
{
	const struct graph_function *const *f = a, *const *g = b;

	if ((*f)->self != (*g)->self)
		return (*f)->self > (*g)->self ? -1 : 1;
	if ((*f)->calls != (*g)->calls)
		return (*f)->calls > (*g)->calls ? -1 : 1;
	return strcmp((*f)->name, (*g)->name);
}

GPtrArray *listing_flat(const struct listing *l, guint *shown)
{
	GPtrArray *order = g_ptr_array_new();
	guint n = 0;

	for (guint i = 0; i < l->g->functions->len; i++)
		if (listing_function(l, i)->self || listing_function(l, i)->calls)
			g_ptr_array_add(order, (gpointer)listing_function(l, i));
	g_ptr_array_sort(order, more_self);
	while (n < order->len && (!l->limit || n < l->limit) &&
	       listing_percent(l, ((const struct graph_function *)order->pdata[n])->self) >= l->least)
		n++;
	*shown = n;
	return order;
}

guint listing_entries(const struct listing *l)
{
	const GArray *entries = l->g->entries;
	guint n = 0;

	while (n < entries->len && (!l->limit || n < l->limit) &&
	       listing_percent(l, g_array_index(entries, struct graph_entry, n).total) >= l->least)
		n++;
	return n;
}

/* ---- what calls counted ----------------------------------------------------------*/

static gint more_time(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct profile *p = data;
	const struct profile_arc *x = PROFILE_AT(p->arcs, arc, *(const guint *)a),
				 *y = PROFILE_AT(p->arcs, arc, *(const guint *)b);

	if (x->self != y->self)
		return x->self > y->self ? -1 : 1;
	return (x->calls < y->calls) - (x->calls > y->calls);
}

guint *listing_counts(const struct profile *p)
{
	guint *order = g_new(guint, p->arcs->len + 1);

	for (guint i = 0; i < p->arcs->len; i++)
		order[i] = i;
	g_qsort_with_data(order, (gint)p->arcs->len, sizeof(*order), more_time, (gpointer)p);
	return order;
}

/* The number of the event that has one of these names, or -1. */
static int find_counted(const struct profile *p, const char *const *names)
{
	for (int i = 0; p->counted[i]; i++) {
		char *name = g_strndup(p->counted[i], strcspn(p->counted[i], ":"));
		int is_one = g_strv_contains(names, name);

		g_free(name);
		if (is_one)
			return i;
	}
	return -1;
}

void listing_find_cpi(const struct profile *p, int *cycles, int *instructions)
{
	*cycles = find_counted(p, cpi_cycles);
	*instructions = find_counted(p, cpi_instructions);
}

double listing_cpi(const struct profile_count *counts, int cycles, int instructions)
{
	if (cycles < 0 || instructions < 0 || !counts[instructions].self)
		return 0;
	return (double)counts[cycles].self / (double)counts[instructions].self;
}

/* ---- JSON and CSV ----------------------------------------------------------------*/

static void write_number(struct data *d, const char *name, guint64 value)
{
	data_value(d, name, "%" G_GUINT64_FORMAT, value);
}

static void write_time(struct data *d, const char *name, guint64 weight, int is_floored)
{
	if (is_floored)
		data_text(d, name, NULL);
	else
		write_number(d, name, weight);
}

/* One row; what it has not is 0 or NULL. */
struct row {
	const char	*kind;
	const struct graph_function *function, *caller;
	guint		index, cycle;
	guint64		self, below, total;
	guint64		calls, self_calls;
	int		has_below;	/* the function calls others */
	int		recursive;
};

static void write_row(struct data *d, const struct listing *l, const struct row *r)
{
	guint64 calls = r->calls + r->self_calls;

	data_row(d);
	data_text(d, NULL, r->kind);
	write_number(d, NULL, r->index);
	data_text(d, NULL, r->function ? r->function->name : NULL);
	data_text(d, NULL, r->function ? r->function->image : NULL);
	write_time(d, NULL, r->cycle, !r->cycle);
	write_time(d, NULL, r->caller ? r->caller->index : 0, !r->caller);
	data_text(d, NULL, r->caller ? r->caller->name : NULL);
	write_time(d, NULL, r->self, listing_is_floored(l, r->self, calls));
	write_time(d, NULL, r->below, listing_is_floored(l, r->below, r->has_below ? calls : 0));
	write_time(d, NULL, r->total, listing_is_floored(l, r->total, calls));
	data_value(d, NULL, "%.4f", listing_percent(l, r->self));
	data_value(d, NULL, "%.4f", listing_percent(l, r->total));
	write_time(d, NULL, r->calls, !l->g->exact || !calls);
	write_time(d, NULL, r->self_calls, !l->g->exact || !calls || r->caller);
	data_value(d, NULL, r->recursive ? "true" : "false");
	data_close(d);
}

static void write_function(struct data *d, const struct listing *l, const struct graph_function *f)
{
	const struct row row = { .kind = "function",
				 .function = f,
				 .index = f->index,
				 .cycle = f->cycle,
				 .self = f->self,
				 .below = listing_below(f),
				 .total = f->total,
				 .calls = f->calls,
				 .self_calls = f->self_calls,
				 .has_below = f->callees->len > 0,
				 .recursive = f->recursive };

	write_row(d, l, &row);
}

static void write_cycle(struct data *d, const struct listing *l, guint number)
{
	const struct graph_cycle *c = &g_array_index(l->g->cycles, struct graph_cycle, number - 1);
	struct row row = { .kind = "cycle",
			   .index = c->index,
			   .cycle = number,
			   .self = c->self,
			   .below = c->total > c->self ? c->total - c->self : 0,
			   .total = c->total,
			   .has_below = 1 };

	listing_cycle_calls(l, number, &row.calls, &row.self_calls);
	write_row(d, l, &row);
}

static void write_call(struct data *d, const struct listing *l, const struct graph_arc *a)
{
	const struct graph_function *f = listing_function(l, a->callee);
	const struct row row = { .kind = "call",
				 .function = f,
				 .caller = listing_function(l, a->caller),
				 .index = f->index,
				 .cycle = f->cycle,
				 .self = a->self,
				 .below = a->below,
				 .total = a->self + a->below,
				 .calls = a->calls,
				 .has_below = f->callees->len > 0 };

	write_row(d, l, &row);
}

/* Entries in their order, then the calls to and from those that are shown. */
static void write_graph(struct data *d, const struct listing *l)
{
	guint n = listing_entries(l);
	guint8 *shown = g_new0(guint8, l->g->functions->len + 1);

	for (guint i = 0; i < n; i++) {
		const struct graph_entry *e = &g_array_index(l->g->entries, struct graph_entry, i);

		if (e->cycle) {
			write_cycle(d, l, e->cycle);
			continue;
		}
		write_function(d, l, listing_function(l, e->function));
		shown[e->function] = 1;
	}
	for (guint i = 0; i < l->g->arcs->len; i++) {
		const struct graph_arc *a = listing_arc(l, i);

		if (a->caller != a->callee && (shown[a->caller] || shown[a->callee]))
			write_call(d, l, a);
	}
	g_free(shown);
}

static void write_flat(struct data *d, const struct listing *l)
{
	guint n;
	GPtrArray *order = listing_flat(l, &n);

	for (guint i = 0; i < n; i++)
		write_function(d, l, order->pdata[i]);
	g_ptr_array_free(order, TRUE);
}

static void write_count(struct data *d, const struct profile *p, guint number)
{
	const struct profile_arc *a = PROFILE_AT(p->arcs, arc, number);
	guint n = g_strv_length(p->counted);
	int cycles, instructions;
	double cpi;

	listing_find_cpi(p, &cycles, &instructions);
	cpi = listing_cpi(PROFILE_AT(p->counts, count, number * n), cycles, instructions);
	data_object(d, NULL);
	data_text(d, "caller_function",
		  a->caller == PROFILE_NONE ? NULL : PROFILE_AT(p->callees, callee, a->caller)->name);
	data_text(d, "function", PROFILE_AT(p->callees, callee, a->callee)->name);
	write_number(d, "calls", a->calls);
	write_time(d, "self_ns", a->self, !a->self && a->calls && p->calls_own);
	data_array(d, "events");
	for (guint i = 0; i < n; i++) {
		const struct profile_count *c = PROFILE_AT(p->counts, count, number * n + i);

		data_object(d, NULL);
		data_text(d, "event", p->counted[i]);
		write_time(d, "self", c->self, !c->self && p->counted_spread[i]);
		write_time(d, "total", c->total, !c->total && p->counted_spread[i]);
		data_close(d);
	}
	data_close(d);
	if (cpi > 0)
		data_value(d, "cpi", "%.4f", cpi);
	else
		data_text(d, "cpi", NULL);
	data_close(d);
}

static void write_counts(struct data *d, const struct listing *l)
{
	guint *order = listing_counts(l->p);

	data_array(d, "counts");
	for (guint i = 0; l->p->counts->len && i < l->p->arcs->len && (!l->limit || i < l->limit); i++)
		write_count(d, l->p, order[i]);
	data_close(d);
	g_free(order);
}

/* What the heading says of stacks and of calls. */
static void write_totals(struct data *d, const struct listing *l)
{
	const struct profile *p = l->p;
	guint64 calls = 0;

	for (guint i = 0; i < p->arcs->len; i++)
		calls += PROFILE_AT(p->arcs, arc, i)->calls;
	data_value(d, "counted", l->g->exact ? "true" : "false");
	write_number(d, "samples", l->g->samples);
	write_number(d, "weight", l->g->weight);
	write_number(d, "stacks_cut", l->g->cut);
	write_number(d, "arcs", l->g->arcs->len);
	data_object(d, "calls");
	write_number(d, "made", calls);
	write_number(d, "own_ns", p->calls_own);
	write_number(d, "spread_ns", p->calls_spread);
	write_number(d, "raw", p->calls_raw);
	write_number(d, "left", p->calls_left);
	write_number(d, "refused", p->calls_refused);
	write_number(d, "arcs_refused", p->arcs_refused);
	data_close(d);
}

int listing_write(const struct listing *l, enum data_form form, const struct sample_filter *filter)
{
	static const char *const columns[] = { "kind",	 "index",	    "function",	     "image",
					       "cycle",	 "caller",	    "caller_function", "self",
					       "children", "total",	    "self_percent",  "total_percent",
					       "calls",	 "self_calls",	    "recursive",     NULL };
	struct data d;

	data_begin(&d, stdout, form, "lapwing-callgraph/1");
	heading_write(&d, l->p, filter);
	write_totals(&d, l);
	data_rows(&d, "rows", columns);
	if (l->brief)
		write_flat(&d, l);
	else
		write_graph(&d, l);
	data_close(&d);
	write_counts(&d, l);
	return data_end(&d, "lapwing callgraph", "stdout");
}
