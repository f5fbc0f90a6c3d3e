/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * script.h - stopwatch, profile and callgraph declarations, taken apart, and the scripts that they stand for.
 */
#ifndef LAPWING_STOPWATCH_SCRIPT_H
#define LAPWING_STOPWATCH_SCRIPT_H

#include <glib.h>

#define PARTS_MOST 64

/* Parts of a clause; their texts are the tree's. */
struct parts {
	unsigned	len;
	const char	*text[PARTS_MOST];
};

/* What the result is printed as: a table, one for 80 columns, comma-separated values, a JSON object in a line. */
enum stopwatch_form { FORM_WIDE, FORM_NARROW, FORM_CSV, FORM_JSON };

struct statement {
	struct parts	points, ends, by, events;	/* ends: of another function each time ends at; none: at the return of its own */
	const char	*event;		/* of a profile: with its quotes; NULL: the clock's tick */
	int		raw, hist;	/* show: what was read, before the floor is taken off; a histogram per row */
	enum stopwatch_form form;
};

/* What stands for ~ and a letter in the texts of scripts, while they are put together. */
struct words {
	const struct statement *statement;
	const char	*id;		/* ~I: ends names */
	struct parts	by;		/* what tells rows apart */
	int		is_default;	/* the statement does not say what does */
	char		*keys;		/* ~K: they as the script has them */
	char		*names;		/* ~N: "__k0, __k1" */
	char		*shown;		/* ~S: they as one text */
	char		*title;		/* ~T */
					/* ~R: what both ends of a time have in common, the first of the clause */
	unsigned	floor;		/* ~0, ~1: of the time, the time on a CPU; the events' follow */
	unsigned	number;		/* ~W */
};

/* Puts a text with its words. */
void words_put(GString *out, const struct words *w, const char *text);
/* An event as a word or a string, without quotes. Caller frees. */
char *event_name(const char *text);
/* ".startwatch(EVENT)" for each, behind what is first, or NULL. Caller frees. */
char *watches_text(const struct parts *events, const char *first);
/* The points of programs, or the others, with this ending, whichever is written, watches, and a comma behind each. */
void points_put(GString *out, const struct parts *points, int of_program, const char *ending, const char *watches);

/* Does a stopwatch have points of programs, or others? */
int stopwatch_has(const struct statement *s, int of_program);
/* The script of these points; its handlers take readings of 2 floors and one per event, from number `floor` on. Caller frees. */
char *stopwatch_text(const struct statement *s, int of_program, unsigned number, unsigned floor);
/* id ends the names of globals. Caller frees. */
char *profile_text(const struct statement *s, const char *id);

#endif
