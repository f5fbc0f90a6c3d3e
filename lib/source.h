/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source.h - loaded script text, and locations in it.
 *
 * A location is two byte offsets; lines and columns are computed only when something is reported.
 * Knows nothing of tokens or probes.
 */
#ifndef LAPWING_SOURCE_H
#define LAPWING_SOURCE_H

#include <glib.h>
#include <stddef.h>

struct loc;

struct source {
	char		*name;		/* as displayed: path as given, "<input>" for -e and
					 * stdin */
	char		*text;		/* NUL terminated; may hold NUL bytes inside */
	size_t		len;
	GArray		*lines;		/* size_t offsets of line starts, made on first use */
	const struct loc *stands_for;	/* the declaration that this text was generated from;
					 * lives as long. NULL: the user wrote it */
};

/* A location: text[start, end) of src. src NULL: made by the translator. */
struct loc {
	struct source	*src;
	unsigned	start, end;
	const struct expansion *via;	/* the expansion that brought the text here, innermost
					 * first; NULL: none */
};

/* A macro or alias that was replaced by its text. Lives as long as the tree. */
struct expansion {
	const char	*what;		/* "macro", "alias" */
	struct loc	at;		/* where it was used; `via` of this location is the outer
					 * expansion */
};

struct place {			/* for display */
	unsigned	line, column;	/* from 1; column counts bytes, a tab is one */
	const char	*text;		/* start of the line in src->text */
	size_t		text_len;	/* without the newline */
};

/* Reads a whole file ("-": standard input). NULL with *error set; free with source_free(). */
struct source *source_load(const char *path, GError **error);
/* Takes a copy of text. */
struct source *source_new(const char *name, const char *text, size_t len);
void source_free(struct source *src);
/* Line and column of an offset (clamped to the text). */
void source_locate(struct source *src, unsigned offset, struct place *place);
/*
 * The same text in the declaration that loc's source was generated from, or that whole declaration;
 * loc itself for other sources.
 */
struct loc loc_written(struct loc loc);
/* "name:line:col"; "<built in>" without a source. Caller frees. */
char *loc_string(const struct loc *loc);
/*
 * The smallest loc that covers both (same source); for two expansions, in the common source of
 * both.
 */
struct loc loc_join(struct loc a, struct loc b);

#endif
