/* SPDX-License-Identifier: GPL-2.0-or-later */
/* room.c - see room.h. */
#include "store/room.h"

#include "lib/failure_error.h"

gint64 room_pages(const struct store *s)
{
	return limit_of_file((gint64)s->most) / LIMIT_PAGE;
}

/*
 * The log is emptied, if nobody reads what is in it. Who reads is not waited for: the log grows by the
 * next transaction, and the limit stands.
 */
static void checkpoint(struct store *s)
{
	sqlite3_busy_timeout(s->db, 0);
	sqlite3_wal_checkpoint_v2(s->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
	sqlite3_busy_timeout(s->db, SQL_PATIENCE_MS);
}

/*
 * What a transaction changes stays in memory until it ends (cache_spill), so that the log has no more
 * than each page once. The file may have more pages than the limit allows if it had them already.
 */
int room_begin(struct store *s, GError **error)
{
	char *sql = g_strdup_printf("PRAGMA cache_spill = OFF; PRAGMA max_page_count = %" G_GINT64_FORMAT, room_pages(s));
	int rc;

	checkpoint(s);
	limit_refused_log();
	rc = sql_run(s, sql, error) || sql_run(s, "BEGIN IMMEDIATE", error) ? -1 : 0;
	g_free(sql);
	return rc;
}

static int commit(struct store *s, GError **error)
{
	GError *why = NULL;
	int rc = sql_run(s, "COMMIT", &why);

	if (rc && limit_refused_log())
		g_set_error(error, FAILURE_ERROR, FAILURE_FILE_WRITE,
			    "'%s': the limit leaves the write-ahead log %" G_GINT64_FORMAT
			    " bytes, and this needs more: somebody reads the store for long, or the limit is too small",
			    s->path, (gint64)limit_of_log((gint64)s->most));
	else if (rc)
		g_propagate_error(error, g_steal_pointer(&why));
	g_clear_error(&why);
	s->is_full = 0;			/* fewer epochs would not help */
	return rc;
}

int room_end(struct store *s, int rc, GError **error)
{
	if (!rc)
		rc = commit(s, error);
	if (rc)
		sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
	checkpoint(s);
	return rc;
}

int room_forget(struct store *s, GError **error)
{
	return sql_run(s,
		       "DELETE FROM image WHERE last < (SELECT min(id) FROM epoch);"
		       "DELETE FROM names WHERE image NOT IN (SELECT id FROM image);"
		       "DELETE FROM unit WHERE last < (SELECT min(id) FROM epoch)",
		       error);
}

/* 1: one was removed; 0: there is none; -1 with *error set. */
static int remove_oldest(struct store *s, GError **error)
{
	gint64 id = sql_number(s, sql_prepare(s, error, "SELECT id FROM epoch ORDER BY start LIMIT 1", ""), error);

	if (id <= 0)
		return (int)id;
	return sql_finish(s, sql_prepare(s, error, "DELETE FROM counts WHERE epoch = ?", "i", id), error) ||
			       sql_finish(s, sql_prepare(s, error, "DELETE FROM stacks WHERE epoch = ?", "i", id), error) ||
			       sql_finish(s, sql_prepare(s, error, "DELETE FROM epoch WHERE id = ?", "i", id), error)
		       ? -1
		       : 1;
}

int room_make(struct store *s, gint64 pages, GError **error)
{
	gint64 used, free;

	for (int removed = 0, rc;; removed = 1) {
		used = sql_pragma(s, "page_count", error);
		free = sql_pragma(s, "freelist_count", error);
		if (used < 0 || free < 0)
			return -1;
		if (used - free + pages <= room_pages(s))
			return removed ? room_forget(s, error) : 0;
		rc = remove_oldest(s, error);
		if (!rc)
			g_set_error(error, FAILURE_ERROR, FAILURE_FILE_WRITE,
				    "'%s': an epoch alone is larger than the limit", s->path);
		if (rc != 1)
			return -1;
	}
}

/* In steps that the log has room for. */
int room_shrink(struct store *s, GError **error)
{
	gint64 used = 0, free, step = limit_of_log((gint64)s->most) / LIMIT_PAGE / 4;
	char *sql = g_strdup_printf("PRAGMA incremental_vacuum(%" G_GINT64_FORMAT ")", step);
	int rc = 0, removed = 1;

	while (!rc && removed && (used = sql_pragma(s, "page_count", error)) > room_pages(s)) {
		free = sql_pragma(s, "freelist_count", error);
		rc = free < 0 || room_begin(s, error) ? -1 : 0;
		if (rc)
			break;
		if (!free) {
			removed = remove_oldest(s, error);
			rc = removed < 0 || room_forget(s, error) ? -1 : 0;
		}
		rc = room_end(s, rc || sql_run(s, sql, error) ? -1 : 0, error);
	}
	g_free(sql);
	return rc || used < 0 ? -1 : 0;
}
