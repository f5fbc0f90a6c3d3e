/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * listing.h - what the listing of a call graph shows, in which order: for its text (callgraph.c),
 * and for programs.
 */
#ifndef LAPWING_REPORT_LISTING_H
#define LAPWING_REPORT_LISTING_H

#include "lib/data.h"
#include "report/graph.h"

struct listing {
	const struct profile *p;
	const struct graph *g;
	guint		limit;		/* entries of a table; 0: all */
	double		least;		/* percent */
	int		brief;		/* the flat table alone */
	double		unit;		/* weight of one printed unit: ns in a ms */
	const char	*unit_name;
	int		floored;	/* the probes' own cost was subtracted from times */
};

const struct graph_function *listing_function(const struct listing *l, guint i);
const struct graph_arc *listing_arc(const struct listing *l, guint i);
double listing_percent(const struct listing *l, guint64 weight);
/* Time in what a function called: what is below the floor in each arc may be above it in their sum. */
guint64 listing_below(const struct graph_function *f);
/* If a floor was subtracted, calls with a time of 0 are not above the floor. */
int listing_is_floored(const struct listing *l, guint64 weight, guint64 calls);
/* Calls of a cycle's functions from outside, and among themselves; cycles are counted from 1. */
void listing_cycle_calls(const struct listing *l, guint number, guint64 *outer, guint64 *inner);

/*
 * The functions of the flat table (const struct graph_function *), most of their own time first;
 * *shown: how many of them --limit and --min leave. The caller frees the array.
 */
GPtrArray *listing_flat(const struct listing *l, guint *shown);
/* How many of the graph's entries --limit and --min leave. */
guint listing_entries(const struct listing *l);
/* The numbers of the profile's arcs, most of their own time first. g_free() frees. */
guint *listing_counts(const struct profile *p);
/*
 * The indices in profile.counted of events that give cycles per instruction; -1: there is none. For
 * an arc's counts: the quotient, or 0: unknown.
 */
void listing_find_cpi(const struct profile *p, int *cycles, int *instructions);
double listing_cpi(const struct profile_count *counts, int cycles, int instructions);

/* JSON or CSV on stdout: the rows are functions, cycles and calls. Returns the exit status. */
int listing_write(const struct listing *l, enum data_form form, const struct sample_filter *filter);

#endif
