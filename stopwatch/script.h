/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * script.h - parsed stopwatch, profile and callgraph declarations, and the scripts that they expand
 * to.
 */
#ifndef LAPWING_STOPWATCH_SCRIPT_H
#define LAPWING_STOPWATCH_SCRIPT_H

#include <glib.h>

#define PARTS_MAX 64

/* Parts of a clause; their texts belong to the tree. */
struct parts {
	unsigned	len;
	const char	*text[PARTS_MAX];
};

/* The output format: a table, one for 80 columns, comma-separated values, one line of JSON. */
enum stopwatch_form { FORM_WIDE, FORM_NARROW, FORM_CSV, FORM_JSON };

struct statement {
	/* ends: points at which times end; none: at the function's own return */
	struct parts	points, ends, by, events;
	const char	*event;		/* of a profile: including its quotes; NULL: the clock's
					 * tick */
	int		raw, hist;	/* show: raw values, including the floor; a histogram per
					 * row */
	enum stopwatch_form form;
};

/* Values of ~ and a letter in script templates. */
struct words {
	const struct statement *statement;
	const char	*id;		/* ~I: suffix of names */
	struct parts	by;		/* the keys of the rows */
	int		is_default;	/* the statement has no keys */
	char		*keys;		/* ~K: the keys as written */
	char		*names;		/* ~N: "__k0, __k1" */
	char		*shown;		/* ~S: the keys as one text */
	char		*title;		/* ~T; NULL: of a profile, whose default keys have names each */
	/*
	 * of put_counts(): 0 the thread's time, i + 1 event i. ~C: the variable with the count; ~P:
	 * its number in $pmu[]; ~F: its floor; ~M: its bit of enum rt_mixed
	 */
	unsigned	count;
	/* ~R: the key that both ends of a time share, the first of the clause */
	/* ~0, ~1: floors of the time and of the CPU time; those of events follow */
	unsigned	floor;
	const char	*of;		/* ~O: what a stopwatch's calls are of */
	unsigned	number;		/* ~W; ~B: of the probes where its calls begin */
};

/* Appends a template with its words replaced. */
void words_put(GString *out, const struct words *w, const char *text);
/* An event as a word or a string, without quotes. Caller frees. */
char *event_name(const char *text);
/* `first`, which may be NULL, then ".startwatch(EVENT)" for each event. Caller frees. */
char *watches_text(const struct parts *events, const char *first);
/*
 * Appends the points of programs, or the others: each with this ending in place of the one that was
 * written, with watches, and followed by a comma.
 */
void points_put(GString *out, const struct parts *points, int of_program, const char *ending,
		const char *watches);

/*
 * The tables of a stopwatch: points of programs, other points, and threads that calls of those
 * start.
 */
enum stopwatch_part { PART_OTHERS, PART_PROGRAMS, PART_CHILDREN, STOPWATCH_PARTS };
/* True if a stopwatch has such a table. */
int stopwatch_has(const struct statement *s, enum stopwatch_part part);
/*
 * The script for that table; its handlers use 2 floors and one per event, from number `floor` on.
 * Caller frees.
 */
char *stopwatch_text(const struct statement *s, enum stopwatch_part part, unsigned number,
		     unsigned floor);
/* id is a suffix for names of globals. Caller frees. */
char *profile_text(const struct statement *s, const char *id);

#endif
