/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * callgraph.c - lapwing-callgraph, which `lapwing callgraph` runs: a capture in gprof's layout. A
 * flat table, then for each function its callers and callees, with the time spent there; functions
 * that call each other are a cycle, which is shown as a whole and by function.
 *
 * With stacks of samples, the accuracy of shares depends on the number of samples, and the number
 * of calls is unknown. A script that counted calls (lapwing record --script) gives it exactly, and
 * time too; with both, calls are from the script and time is from the samples.
 */
#include "report/heading.h"
#include "report/listing.h"
#include "report/report_main.h"

#include <string.h>

static struct callgraph_options {
	int	limit, brief;
	double	least;			/* percent */
} opt = { .limit = -1, .least = -1 };
static enum data_form form;

/*
 * CALLED/TOTAL of an arc; CALLED, or CALLED+ITSELF, of a function; nothing if calls were not
 * counted: an arc without calls is only in samples, from a function that the script does not probe.
 */
static void print_called(const struct listing *l, guint64 calls, guint64 other, char between)
{
	char *text;

	if (!calls && (!other || between == '/'))
		text = g_strdup("");
	else if (between == '+' && !other)
		text = g_strdup_printf("%" G_GUINT64_FORMAT, calls);
	else
		text = g_strdup_printf("%" G_GUINT64_FORMAT "%c%" G_GUINT64_FORMAT, calls, between,
				       other);
	if (l->g->exact)
		printf(" %17s", text);
	g_free(text);
}

static void print_time(const struct listing *l, guint64 weight, guint64 calls)
{
	if (listing_is_floored(l, weight, calls))
		printf(" %11s", "< floor");
	else
		printf(" %11.2f", (double)weight / l->unit);
}

static void print_more(guint n)
{
	if (n)
		printf("... %u more (--limit, --min)\n", n);
}

/* ---- the flat table ------------------------------------------------------------*/

static void print_flat(const struct listing *l)
{
	guint shown;
	GPtrArray *order = listing_flat(l, &shown);
	guint64 sum = 0;

	printf("flat profile\n  %% time  cumulative %s     self %s    total %s%*s  name\n",
	       l->unit_name, l->unit_name, l->unit_name, l->g->exact ? 18 : 0,
	       l->g->exact ? "calls" : "");
	for (guint n = 0; n < shown; n++) {
		const struct graph_function *f = g_ptr_array_index(order, n);

		sum += f->self;
		printf("%8.2f %14.2f", listing_percent(l, f->self), (double)sum / l->unit);
		print_time(l, f->self, f->calls + f->self_calls);
		print_time(l, f->total, f->calls + f->self_calls);
		print_called(l, f->calls, f->self_calls, '+');
		printf("  %s [%u]\n", f->name, f->index);
	}
	print_more(order->len - shown);
	g_ptr_array_free(order, TRUE);
}

/* ---- the graph -----------------------------------------------------------------*/

static void print_name(const struct graph_function *f)
{
	printf("  %s", f->name);
	if (f->cycle)
		printf(" <cycle %u>", f->cycle);
	printf(" [%u]\n", f->index);
}

struct shown { guint function; guint64 self, below, calls; };

static gint heavier(gconstpointer a, gconstpointer b)
{
	const struct shown *s = a, *t = b;
	guint64 x = s->self + s->below, y = t->self + t->below;

	return (x < y) - (x > y);
}

/*
 * The other ends of arcs: the heaviest next to the function itself, as in gprof, so callers in
 * reverse order.
 */
static void print_arcs(const struct listing *l, const struct graph_function *of, int callers)
{
	const GArray *arcs = callers ? of->callers : of->callees;
	GArray *list = g_array_new(FALSE, FALSE, sizeof(struct shown));

	for (guint i = 0; i < arcs->len; i++) {
		const struct graph_arc *a = listing_arc(l, g_array_index(arcs, guint, i));
		struct shown s = { callers ? a->caller : a->callee, a->self, a->below, a->calls };

		g_array_append_val(list, s);
	}
	g_array_sort(list, heavier);
	for (guint i = 0; i < list->len; i++) {
		const struct shown *s =
			&g_array_index(list, struct shown, callers ? list->len - 1 - i : i);

		printf("              ");
		print_time(l, s->self, s->calls);
		print_time(l, s->below,
			   (callers ? of : listing_function(l, s->function))->callees->len ? s->calls : 0);
		print_called(l, s->calls, callers ? of->calls : listing_function(l, s->function)->calls,
			     '/');
		printf("    ");
		print_name(listing_function(l, s->function));
	}
	g_array_free(list, TRUE);
}

static void print_function(const struct listing *l, const struct graph_function *f)
{
	char index[16];

	g_snprintf(index, sizeof(index), "[%u]", f->index);
	if (f->callers->len)
		print_arcs(l, f, 1);
	else
		printf("%45s<spontaneous>\n", "");
	printf("%-7s %6.1f", index, listing_percent(l, f->total));
	print_time(l, f->self, f->calls + f->self_calls);
	print_time(l, listing_below(f), f->callees->len ? f->calls + f->self_calls : 0);
	print_called(l, f->calls, f->self_calls, '+');
	print_name(f);
	if (f->recursive)
		printf("%45s(calls itself)\n", "");
	print_arcs(l, f, 0);
}

static gint by_weight(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct listing *l = data;
	guint64 x = listing_function(l, *(const guint *)a)->total,
		y = listing_function(l, *(const guint *)b)->total;

	return (x < y) - (x > y);
}

static void print_cycle(const struct listing *l, guint number)
{
	const struct graph_cycle *c = &g_array_index(l->g->cycles, struct graph_cycle, number - 1);
	guint64 outer, inner;
	char index[16];

	g_snprintf(index, sizeof(index), "[%u]", c->index);
	g_array_sort_with_data(c->members, by_weight, (gpointer)l);
	listing_cycle_calls(l, number, &outer, &inner);
	printf("%-7s %6.1f", index, listing_percent(l, c->total));
	print_time(l, c->self, outer);
	print_time(l, c->total > c->self ? c->total - c->self : 0, outer);
	print_called(l, outer, inner, '+');
	printf("  <cycle %u as a whole> [%u]\n", number, c->index);
	for (guint i = 0; i < c->members->len; i++) {
		const struct graph_function *f = listing_function(l, g_array_index(c->members, guint, i));

		printf("              ");
		print_time(l, f->self, f->calls + f->self_calls);
		print_time(l, listing_below(f), f->callees->len ? f->calls + f->self_calls : 0);
		print_called(l, f->calls, f->self_calls, '+');
		printf("    ");
		print_name(f);
	}
}

static void print_graph(const struct listing *l)
{
	guint shown = listing_entries(l);

	printf("\ncall graph: above a function its callers, below it what it called; self and children are what it spent on their behalf, or they "
	       "on its\nindex   %% time     self %s  children%*s  name\n",
	       l->unit_name, l->g->exact ? 18 : 0, l->g->exact ? "called" : "");
	for (guint n = 0; n < shown; n++) {
		const struct graph_entry *e = &g_array_index(l->g->entries, struct graph_entry, n);

		if (e->cycle)
			print_cycle(l, e->cycle);
		else
			print_function(l, listing_function(l, e->function));
		printf("-----------------------------------------------\n");
	}
	print_more(l->g->entries->len - shown);
}

/* ---- what calls counted ----------------------------------------------------------*/

/* A count of 0 is not above the event's floor, or, if the floor is exact, none. */
static void print_count(guint64 count, int width, int uncertain)
{
	if (!count && uncertain)
		printf(" %*s", width, "< floor");
	else
		printf(" %*" G_GUINT64_FORMAT, width, count);
}

static void print_ratio(double cpi)
{
	if (cpi > 0)
		printf(" %6.2f", cpi);
	else
		printf(" %6s", "-");
}

static int width_of(const char *event)
{
	return MAX(14, (int)strlen(event));
}

static void print_arc_counts(const struct listing *l, const struct profile *p, guint number,
			     int cycles, int instructions)
{
	const struct profile_arc *a = PROFILE_AT(p->arcs, arc, number);
	const struct profile_count *counts =
		PROFILE_AT(p->counts, count, number * g_strv_length(p->counted));

	printf("%11" G_GUINT64_FORMAT, a->calls);
	print_time(l, a->self, a->calls);
	for (guint i = 0; p->counted[i]; i++) {
		print_count(counts[i].self, width_of(p->counted[i]), p->counted_spread[i] > 0);
		print_count(counts[i].total, 14, p->counted_spread[i] > 0);
	}
	if (cycles >= 0 && instructions >= 0)
		print_ratio(listing_cpi(counts, cycles, instructions));
	printf("  %s > %s\n",
	       a->caller == PROFILE_NONE ? "<spontaneous>"
					 : PROFILE_AT(p->callees, callee, a->caller)->name,
	       PROFILE_AT(p->callees, callee, a->callee)->name);
}

static void print_counts(const struct listing *of)
{
	/* a script's time, whichever event the samples are of */
	const struct profile *p = of->p;
	const struct listing l = { .unit = 1e6, .floored = p->calls_own > 0 };
	guint *order = listing_counts(p), n = 0;
	int cycles, instructions;

	listing_find_cpi(p, &cycles, &instructions);
	printf("\ncounts of calls: what they counted themselves, and with what they called\n%11s %11s",
	       "calls", "self ms");
	for (guint i = 0; p->counted[i]; i++)
		printf(" %*s %14s", width_of(p->counted[i]), p->counted[i], "total");
	printf("%s  caller > name\n", cycles >= 0 && instructions >= 0 ? "    CPI" : "");
	for (; n < p->arcs->len && (!of->limit || n < of->limit); n++)
		print_arc_counts(&l, p, order[n], cycles, instructions);
	print_more(p->arcs->len - n);
	g_free(order);
}

/* ---- all of it -------------------------------------------------------------------*/

static void print_floor(const struct profile *p)
{
	guint64 calls = 0;
	char *all, *one, *spread;

	for (guint i = 0; i < p->arcs->len; i++)
		calls += PROFILE_AT(p->arcs, arc, i)->calls;
	if (p->calls_own && calls > p->calls_raw) {
		all = heading_time((double)p->calls_own);
		one = heading_time((double)p->calls_own / (double)(calls - p->calls_raw));
		spread = heading_time((double)p->calls_spread);
		printf("floor    %s were the probes' own cost, %s +- %s a call, and are taken off; \"< floor\": no more than that varies by\n",
		       all, one, spread);
		g_free(spread);
		g_free(all);
		g_free(one);
	}
	if (p->calls_raw)
		printf("floor    %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
		       " calls have the probes' own cost in their times%s\n",
		       p->calls_raw, calls,
		       p->calls_own ? ": they ended before it was known"
				    : ", which a callgraph declaration would take off");
}

static void print_refused(const struct profile *p)
{
	if (p->calls_left)
		printf("calls    %" G_GUINT64_FORMAT
		       " never returned (longjmp, exception): what was called until an outer one returned is shown "
		       "as theirs\n",
		       p->calls_left);
	if (!p->calls_refused)
		return;
	printf("calls    %" G_GUINT64_FORMAT " found a table full", p->calls_refused);
	if (p->arcs_refused)
		printf(": those of %s%" G_GUINT64_FORMAT " arcs, which have no row",
		       p->arcs_refused < p->arcs->len ? "" : "at least ", p->arcs_refused);
	printf("; lapwing record --arcs makes room\n");
}

static void print_listing(const struct listing *l, const struct sample_filter *filter)
{
	const struct graph *g = l->g;

	heading_print(l->p, filter->event, stdout);
	if (g->exact)
		printf("calls    counted by a script%s\n",
		       g->samples ? "; time is that of samples" : ", with their time");
	if (g->exact)
		print_floor(l->p);
	print_refused(l->p);
	if (!g->arcs->len)
		printf("There are no stacks in this capture: record with -g\n");
	if (g->cut)
		printf("stacks   %.2f %% were cut off: outer callers are missing, up to where the thread began; no frame pointer led to them "
		       "(--call-graph dwarf needs none), or there were more than kernel.perf_event_max_stack\n",
		       100.0 * (double)g->cut / (double)g->samples);
	putchar('\n');
	print_flat(l);
	if (!l->brief)
		print_graph(l);
	if (l->p->counts->len)
		print_counts(l);
	putchar('\n');
	heading_verdict(l->p, stdout);
}

static int run(struct profile *p, const struct sample_filter *filter)
{
	struct graph *g;
	struct listing l = { .p = p, .unit = 1, .unit_name = "count" };
	int status = 0;

	profile_name_idle(p);
	l.g = g = graph_make(p, filter);
	l.limit = (guint)opt.limit;
	l.least = opt.least;
	l.brief = opt.brief;
	l.floored = p->calls_own && !g->samples;
	if (PROFILE_AT(p->events, event, filter->event)->nanoseconds) {
		l.unit = 1e6;
		l.unit_name = "ms";
	}
	if (form)
		status = listing_write(&l, form, filter);
	else
		print_listing(&l, filter);
	graph_free(g);
	return status;
}

/* Programs get all, unless they ask for less. */
static int check(const char *path)
{
	if (opt.limit < 0)
		opt.limit = form ? 0 : 100;
	if (opt.least < 0)
		opt.least = form ? 0 : 0.5;
	return 0;
}

#define OPTION_INTO struct callgraph_options
static const struct option_row rows[] = {
	NUMBER('l', "limit", "N", 0, G_MAXINT, "entries of each table (default: 100; of JSON and CSV all; 0: all)", limit)
	DECIMAL(0, "min", "PERCENT", 0, 100,
		"only entries of at least so many percent (default: 0.5; of JSON and CSV 0)", least)
	FLAG(0, "flat", "the flat table alone", brief)
	{ .kind = OPTION_END },
};

int main(int argc, char **argv)
{
	const struct program_of callgraph = { .name = "lapwing callgraph",
					      .what = "Shows who calls whom, in gprof's layout.",
					      .rows = rows,
					      .into = &opt,
					      .form = &form,
					      .check = check,
					      .run = run };

	return program_main(&callgraph, argc, argv);
}
