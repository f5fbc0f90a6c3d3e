/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diag.h - errors and warnings about a script, with the place underlined, the expansions that led
 * there, and hints.
 *
 * Printed in SystemTap's format so that people's tools keep working, with an
 * underline as wide as the offending text and a hint line (the first line is wrapped
 * here):
 *
 *   semantic error: unresolved function execnam (similar: execname): identifier 'execnam' at
 *                   x.stp:3:15 [lapwing explain E0511]
 *           source: probe begin { println(execnam()) }
 *                                         ^~~~~~~
 *        hint: did you mean 'execname'?
 *
 * The command in brackets prints the message's page. A place in the text of a
 * macro or an alias is followed by the places that led there. Several per run are printed as they
 * come; a pass that reported any error ends the compile. Texts live in diag.def.
 */
#ifndef LAPWING_DIAG_H
#define LAPWING_DIAG_H

#include "lib/color.h"
#include "lib/diag_json.h"
#include "lib/source.h"

#include <stdio.h>

/*
 * PARSE shows the token as what was seen ("saw:"), PARSE_AT as the culprit itself ("at:"). OTHER is
 * printed elsewhere (lib/failure.h, runtime/run/script_error.h): here it has a number only.
 */
enum diag_severity {
	DIAG_ERROR,
	DIAG_PARSE,
	DIAG_PARSE_AT,
	DIAG_SEMANTIC,
	DIAG_WARNING,
	DIAG_OTHER,
};

enum diag_code {
#define DIAG(number, name, ...) D_##name,
#include "lib/diag.def"
#undef DIAG
	D_COUNT
};

struct diag_sink {
	FILE		*to;			/* stderr, or a test's buffer */
	struct diag_json *json;			/* instead, or NULL */
	unsigned	errors, parse_errors, warnings, suppressed;
	struct color_set color;			/* off unless color_choose() says otherwise */
	int		quiet;			/* -w: warnings are not printed */
	int		fatal_warnings;		/* -W */
	int		verbose;		/* repeat messages of one origin */
	int		not_here;		/* an error: not on this machine or by this user */
	GString		*table;			/* a row per semantic error; NULL: not asked for */
	unsigned	rows;
	GHashTable	*seen;			/* origins reported so far */
	/* file of the last message: its name is not repeated */
	struct source	*last;
	enum diag_severity last_severity;	/* format of chained messages */
	/* hints and chained messages are printed if their message is */
	int		last_printed;
	/* an error block is closed by a blank line, after its hints */
	int		blank_due;
};

void diag_init(struct diag_sink *sink, FILE *to);
void diag_clear(struct diag_sink *sink);

/* Reports; arguments as in diag.def's text. loc may be NULL or have no source. */
void diag(struct diag_sink *sink, const struct loc *loc, enum diag_code code, ...);
/* The same with the arguments as a list. */
void diag_args(struct diag_sink *sink, const struct loc *loc, enum diag_code code, va_list args);
/* A second message that explains the one before ("type was first inferred here"). */
void diag_chain(struct diag_sink *sink, const struct loc *loc, const char *format, ...)
	G_GNUC_PRINTF(3, 4);
/* A hint line under the message before: "        hint: ...". */
void diag_hint(struct diag_sink *sink, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* The two lines that show a place: its line of the source, and ^~~ below. Caller frees. */
char *diag_excerpt(const struct loc *loc);
/* Prints the closing line "N parse error(s)." in SystemTap's format. */
void diag_finish(struct diag_sink *sink);

/* "E0511"; "FUNCTION_UNRESOLVED", the name used by tests. Static. */
const char *diag_number(enum diag_code code);
const char *diag_name(enum diag_code code);

/*
 * Up to max of `names` (char *) close to `name` by edit distance, best first, "a, b, c"; NULL:
 * none. Caller frees.
 */
char *diag_similar(const char *name, GPtrArray *names, unsigned max);
/*
 * True if the first result of diag_similar() for name is close enough to be suggested. NULL: false.
 */
int diag_is_close(const char *name, const char *similar);
/*
 * "hint: did you mean 'first'?" for the first result of diag_similar() for name, if it is close;
 * nothing for NULL.
 */
void diag_suggest(struct diag_sink *sink, const char *name, const char *similar);

#endif
