/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sql.c - see sql.h. */
#include "store/sql.h"

#include "lib/failure_error.h"

int sql_failed(struct store *s, GError **error)
{
	int rc = sqlite3_errcode(s->db), system = rc == SQLITE_IOERR || rc == SQLITE_CANTOPEN ? sqlite3_system_errno(s->db) : 0;
	enum failure_code cause = rc == SQLITE_CORRUPT || rc == SQLITE_NOTADB ? FAILURE_CAPTURE_CORRUPT
			     : s->reads			    ? FAILURE_FILE_READ
							    : FAILURE_FILE_WRITE;

	s->is_full = rc == SQLITE_FULL;
	g_set_error(error, FAILURE_ERROR, cause, "'%s': %s%s%s", s->path, sqlite3_errmsg(s->db),
		    system ? ": " : "", system ? g_strerror(system) : "");
	return -1;
}

int sql_run(struct store *s, const char *sql, GError **error)
{
	return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : sql_failed(s, error);
}

sqlite3_stmt *sql_prepare(struct store *s, GError **error, const char *sql, const char *types, ...)
{
	sqlite3_stmt *stmt = NULL;
	va_list args;
	GBytes *bytes;

	if (sqlite3_prepare_v2(s->db, sql, -1, &stmt, NULL) != SQLITE_OK) {
		sql_failed(s, error);
		return NULL;
	}
	va_start(args, types);
	for (int i = 1; *types; types++, i++) {
		if (*types == 'i') {
			sqlite3_bind_int64(stmt, i, va_arg(args, gint64));
		} else if (*types == 's') {
			sqlite3_bind_text(stmt, i, va_arg(args, const char *), -1, SQLITE_TRANSIENT);
		} else {
			bytes = va_arg(args, GBytes *);
			sqlite3_bind_blob64(stmt, i, bytes ? g_bytes_get_data(bytes, NULL) : "",
					    bytes ? g_bytes_get_size(bytes) : 0, SQLITE_TRANSIENT);
		}
	}
	va_end(args);
	return stmt;
}

int sql_finish(struct store *s, sqlite3_stmt *stmt, GError **error)
{
	int rc;

	if (!stmt)
		return -1;
	while ((rc = sqlite3_step(stmt)) == SQLITE_ROW)
		;
	if (rc != SQLITE_DONE)
		sql_failed(s, error);
	sqlite3_finalize(stmt);
	return rc == SQLITE_DONE ? 0 : -1;
}

gint64 sql_number(struct store *s, sqlite3_stmt *stmt, GError **error)
{
	gint64 value = 0;
	int rc;

	if (!stmt)
		return -1;
	rc = sqlite3_step(stmt);
	if (rc == SQLITE_ROW)
		value = sqlite3_column_int64(stmt, 0);
	else if (rc != SQLITE_DONE)
		value = sql_failed(s, error);
	sqlite3_finalize(stmt);
	return value;
}

const char *sql_text(sqlite3_stmt *stmt, int column)
{
	const char *text = (const char *)sqlite3_column_text(stmt, column);

	return text ? text : "";
}

GBytes *sql_bytes(sqlite3_stmt *stmt, int column)
{
	int n = sqlite3_column_bytes(stmt, column);

	return n ? g_bytes_new(sqlite3_column_blob(stmt, column), (gsize)n) : NULL;
}

gint64 sql_pragma(struct store *s, const char *name, GError **error)
{
	char *sql = g_strdup_printf("PRAGMA %s", name);
	gint64 value = sql_number(s, sql_prepare(s, error, sql, ""), error);

	g_free(sql);
	return value;
}

gint64 sql_image(struct store *s, const struct store_image *image, GError **error)
{
	return sql_number(s, sql_prepare(s, error, "SELECT id FROM image WHERE kind = ? AND path = ? AND build_id = ?"
					 " AND boot = ?", "isbs", (gint64)image->kind, image->path, image->build_id,
					 image->boot), error);
}
