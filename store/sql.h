/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sql.h - SQL statements on a store. Single-threaded. */
#ifndef LAPWING_STORE_SQL_H
#define LAPWING_STORE_SQL_H

#include "store/store.h"

#include <sqlite3.h>

#define SQL_PATIENCE_MS	5000		/* so long a lock of somebody else is waited for */

struct store {
	sqlite3		*db;
	char		*path;
	guint64		most;			/* bytes of its files */
	int		reads;			/* it is not written to */
	int		version;		/* of its schema */
	int		is_full;		/* the last failure was for lack of pages */
};

/* -1, with what SQLite says in *error. */
int sql_failed(struct store *s, GError **error);
/* Runs statements that have no results. 0, or -1 with *error set. */
int sql_run(struct store *s, const char *sql, GError **error);
/*
 * A statement with its parameters, by a letter each: i gint64, s text, b GBytes (NULL: none). NULL
 * with *error set.
 */
sqlite3_stmt *sql_prepare(struct store *s, GError **error, const char *sql, const char *types, ...);
/* Runs a statement to its end, and frees it. 0, or -1 with *error set; stmt may be NULL. */
int sql_finish(struct store *s, sqlite3_stmt *stmt, GError **error);
/*
 * The number in the first row of a statement, 0: it has none; frees the statement, which may be NULL.
 * -1 with *error set: it failed.
 */
gint64 sql_number(struct store *s, sqlite3_stmt *stmt, GError **error);
/* The number that a pragma has; -1 with *error set. */
gint64 sql_pragma(struct store *s, const char *name, GError **error);
/* The number that the store has for an image; 0: it has none, -1 with *error set: it failed. */
gint64 sql_image(struct store *s, const struct store_image *image, GError **error);
/* Of a row. Text: "" where there is none, until the next step; bytes: NULL, else the caller unrefs. */
const char *sql_text(sqlite3_stmt *stmt, int column);
GBytes *sql_bytes(sqlite3_stmt *stmt, int column);

#endif
