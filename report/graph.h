/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * graph.h - the call graph: functions, arcs between them, and cycles, in which time cannot be
 * attributed. From the stacks of samples, from counted calls, or both: then time is that of the
 * samples.
 *
 * A sample counts once for each function on its stack and once for each arc, however often
 * recursion repeats them: no share exceeds the whole.
 */
#ifndef LAPWING_REPORT_GRAPH_H
#define LAPWING_REPORT_GRAPH_H

#include "report/filter.h"

struct graph_function {
	char		*name;
	const char	*image;		/* owned by the profile */
	guint64		self, total;	/* weight: here, and with what it called */
	guint64		calls, self_calls;	/* by others, by itself: exact, with graph.exact */
	/* weight of calls from outside the graph, with graph.exact and without samples */
	guint64		root;
	guint		cycle;		/* 0: in none */
	guint		index;		/* place in the listing, from 1 */
	GArray		*callers, *callees;	/* guint: arcs */
	int		recursive;	/* calls itself */
};

struct graph_arc {
	guint		caller, callee;	/* functions */
	guint64		self;		/* weight of samples in the callee, including its
					 * self-calls, when called from there */
	guint64		below;		/* in its callees */
	guint64		calls;		/* exact, with graph.exact */
};

struct graph_cycle {
	GArray		*members;	/* guint: functions, most weight first */
	guint64		self, total;
	guint		index;
};

/* An entry of the listing: a function, or a cycle as a whole. */
struct graph_entry {
	guint		function, cycle;	/* cycle from 1; 0: a function */
	guint64		total;
};

struct graph {
	/* struct graph_function, graph_arc, graph_cycle */
	GArray		*functions, *arcs, *cycles;
	GArray		*entries;	/* struct graph_entry, most weight first */
	guint64		weight, samples, cut;
	int		exact;		/* calls are known; so are times, in ns, if there are no
					 * samples */
};

struct graph *graph_make(const struct profile *p, const struct sample_filter *filter);
void graph_free(struct graph *g);

#endif
