/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stopwatch_text.h - stopwatch and profile declarations, taken apart, and the scripts that they stand for.
 */
#ifndef LAPWING_STOPWATCH_TEXT_H
#define LAPWING_STOPWATCH_TEXT_H

#define PARTS_MOST 64

/* Parts of a clause; their texts are the tree's. */
struct parts {
	unsigned	len;
	const char	*text[PARTS_MOST];
};

struct statement {
	struct parts	points, by, events;
	const char	*event;		/* of a profile: with its quotes; NULL: the clock's tick */
	int		raw, hist;	/* show: what was read, before the floor is taken off; a histogram per row */
};

/* Does a stopwatch have points of programs, or others? */
int stopwatch_has(const struct statement *s, int of_program);
/* The script of these points; its handlers take readings of 2 floors and one per event, from number `floor` on. Caller frees. */
char *stopwatch_text(const struct statement *s, int of_program, unsigned number, unsigned floor);
/* id ends the names of globals. Caller frees. */
char *profile_text(const struct statement *s, const char *id);

#endif
