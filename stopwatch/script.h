/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * script.h - stopwatch, profile and callgraph declarations, taken apart, and the scripts that they
 * stand for.
 */
#ifndef LAPWING_STOPWATCH_SCRIPT_H
#define LAPWING_STOPWATCH_SCRIPT_H

#include <glib.h>

#define PARTS_MAX 64

/* Parts of a clause; their texts are the tree's. */
struct parts {
	unsigned	len;
	const char	*text[PARTS_MAX];
};

/* The output format: a table, one for 80 columns, comma-separated values, one line of JSON. */
enum stopwatch_form { FORM_WIDE, FORM_NARROW, FORM_CSV, FORM_JSON };

struct statement {
	struct parts	points, ends, by, events;	/* ends: functions at which times end;
							 * none: at the function's own return */
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
	char		*title;		/* ~T */
					/*
					 * ~R: the key that both ends of a time share, the first of
					 * the clause
					 */
	unsigned	floor;		/* ~0, ~1: of the time, of the CPU time; those of events
					 * follow */
	unsigned	number;		/* ~W */
};

/* Appends a template with its words replaced. */
void words_put(GString *out, const struct words *w, const char *text);
/* An event as a word or a string, without quotes. Caller frees. */
char *event_name(const char *text);
/* ".startwatch(EVENT)" for each, behind what is first, or NULL. Caller frees. */
char *watches_text(const struct parts *events, const char *first);
/*
 * The points of programs, or the others, with this ending, whichever is written, watches, and a
 * comma behind each.
 */
void points_put(GString *out, const struct parts *points, int of_program, const char *ending,
		const char *watches);

/* True if a stopwatch has points of programs, or others. */
int stopwatch_has(const struct statement *s, int of_program);
/*
 * The script for these points; its handlers use 2 floors and one per event, from number `floor` on.
 * Caller frees.
 */
char *stopwatch_text(const struct statement *s, int of_program, unsigned number, unsigned floor);
/* id is a suffix for names of globals. Caller frees. */
char *profile_text(const struct statement *s, const char *id);

#endif
