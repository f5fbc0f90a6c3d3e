/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * data.h - reports and lists for programs: one JSON object, or its rows as CSV. doc/formats.md has
 * the schemas.
 *
 * Values are written in order, without a tree in memory. CSV is the rows alone: what is outside of
 * them is left out, an array in a row is one cell (items by spaces, the members of an item by
 * colons), and null is an empty cell. Uses libc alone: the static lapwing-run links it.
 */
#ifndef LAPWING_LIB_DATA_H
#define LAPWING_LIB_DATA_H

#include "lib/option.h"

#include <stdio.h>

enum data_form { DATA_NONE, DATA_JSON, DATA_CSV };

/* --json and --csv: rows of an option table whose structure is an enum data_form. */
extern const struct option_row data_options[];
/* Sets the form; -1 after a message (option_fail()) if it is the other one already. */
int data_ask(enum data_form *form, enum data_form wanted);

#define DATA_DEPTH 12

struct data {
	FILE		*to;
	enum data_form	form;
	const char	*const *columns;	/* NULL: not in the rows */
	unsigned	column;			/* the row's next one */
	unsigned	row;			/* depth of a row's cells; 0: not in a row */
	unsigned	depth;
	char		kind[DATA_DEPTH];	/* '{' or '[', by depth */
	unsigned	count[DATA_DEPTH];	/* values written there */
	int		wrap;			/* data_wrap() */
	FILE		*cell;			/* of CSV: an array that is one cell */
	char		*text;
	size_t		size;
};

/* Begins the object; schema: "lapwing-report/1", or NULL: a format of others. */
void data_begin(struct data *d, FILE *to, enum data_form form, const char *schema);
/*
 * Ends the object. 0, or 1: it could not be written, which is reported, of stdout when the program
 * exits; `path` is the file's name for that. Closes nothing.
 */
int data_end(struct data *d, const char *who, const char *path);

/*
 * Values. name: the member's; NULL in arrays, and in a row, where it is the next column's. Text may
 * hold any bytes: what is not UTF-8 becomes U+FFFD; NULL is null.
 */
void data_text(struct data *d, const char *name, const char *text);
/* A number, true or false: printf()'s format. */
void data_value(struct data *d, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* What is begun is ended by data_close(). */
void data_object(struct data *d, const char *name);
void data_array(struct data *d, const char *name);
void data_close(struct data *d);

/* The next value is on a line of its own in JSON: the row is long. */
void data_wrap(struct data *d);

/*
 * Begins the rows: an array of objects that all have these members, in this order; ended by
 * NULL. Each row is begun by data_row(); data_close() ends the row, and once more the rows.
 */
void data_rows(struct data *d, const char *name, const char *const *columns);
void data_row(struct data *d);

#endif
