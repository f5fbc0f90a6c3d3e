/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * store.c - see store.h. SQLite's write-ahead log is on the disk when a transaction ends
 * (synchronous = FULL), and is emptied after each one, so that it is as large as one epoch at most,
 * unless somebody reads meanwhile.
 */
#include "store/load.h"
#include "store/room.h"

#include "lib/failure_error.h"
#include "lib/pair_ids.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define APPLICATION	0x4c617077	/* "Lapw": PRAGMA application_id */
#define VERSION		2		/* PRAGMA user_version */

#define SECOND		1000000000LL
#define HOUR		(3600 * SECOND)
#define DAY		(24 * HOUR)
#define WEEK		(7 * DAY)

static const char schema[] =
	/* last, here and of units: the newest epoch with rows or nodes of it */
	"CREATE TABLE image(id INTEGER PRIMARY KEY, kind INT, path TEXT, build_id BLOB, boot TEXT, last INT,"
	" UNIQUE(path, build_id, boot, kind));"
	"CREATE TABLE unit(id INTEGER PRIMARY KEY, name TEXT, cgroup TEXT, last INT, UNIQUE(name, cgroup));"
	"CREATE TABLE event(id INTEGER PRIMARY KEY, name TEXT, period INT, nanoseconds INT,"
	" UNIQUE(name, period, nanoseconds));"
	/* level 0: as it was counted; 1: an hour; 2: a day */
	"CREATE TABLE epoch(id INTEGER PRIMARY KEY, level INT, start INT, end INT, covered INT,"
	" expected INT, received INT, lost INT, idle INT, asleep INT, throttled INT, own_cpu INT,"
	" unknown INT);"
	"CREATE UNIQUE INDEX epoch_start ON epoch(start, level);"
	"CREATE TABLE counts(epoch INT, image INT, data BLOB, PRIMARY KEY(epoch, image)) WITHOUT ROWID;"
	"CREATE TABLE stacks(epoch INTEGER PRIMARY KEY, data BLOB);"
	"CREATE TABLE names(image INT, part INT, data BLOB, PRIMARY KEY(image, part)) WITHOUT ROWID;"
	"CREATE TABLE about(key TEXT PRIMARY KEY, text TEXT);";

/* What makes a store of version i + 1 one of the next. */
static const char *const migrations[VERSION - 1] = {
	"ALTER TABLE image ADD COLUMN last INT;"
	"UPDATE image SET last = (SELECT max(epoch) FROM counts WHERE image = image.id);"
	"CREATE TABLE stacks(epoch INTEGER PRIMARY KEY, data BLOB);",
};

/* ---- opening ---------------------------------------------------------------------*/

static int is_ours(struct store *s, GError **error)
{
	gint64 application = sql_pragma(s, "application_id", error), version;

	if (application < 0)
		return 0;
	version = sql_pragma(s, "user_version", error);
	if (application != APPLICATION)
		g_set_error(error, FAILURE_ERROR, FAILURE_CAPTURE_OTHER,
			    "'%s': not a store of lapwing watch", s->path);
	else if (version > VERSION)
		g_set_error(error, FAILURE_ERROR, FAILURE_CAPTURE_OTHER,
			    "'%s': the store has version %" G_GINT64_FORMAT
			    ", this program knows %d: use the program that wrote it, or another file",
			    s->path, version, VERSION);
	else
		s->version = (int)version;
	return s->version != 0;
}

/* A store of an earlier version. 0, or -1 with *error set: it is what it was. */
static int migrate(struct store *s, GError **error)
{
	char *sql;
	int rc = 0;

	for (; s->version < VERSION && !rc; s->version += !rc) {
		sql = g_strdup_printf("%s PRAGMA user_version = %d", migrations[s->version - 1], s->version + 1);
		rc = room_begin(s, error) ? -1 : room_end(s, sql_run(s, sql, error), error);
		g_free(sql);
	}
	return rc;
}

/* A new file. */
static int create(struct store *s, GError **error)
{
	char *sql = g_strdup_printf("PRAGMA page_size = %d; PRAGMA auto_vacuum = INCREMENTAL;"
				    "PRAGMA journal_mode = WAL; BEGIN; %s"
				    "PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT",
				    LIMIT_PAGE, schema, APPLICATION, VERSION);
	int rc = sql_run(s, sql, error);

	g_free(sql);
	return rc;
}

static struct store *open_as(const char *path, int flags, guint64 most, GError **error)
{
	struct store *s = g_new0(struct store, 1);
	char *escaped = g_uri_escape_string(path, "/", TRUE),
	     *uri = g_strdup_printf("file:%s?most=%" G_GUINT64_FORMAT, escaped, most);
	int rc;

	s->path = g_strdup(path);
	s->reads = flags & SQLITE_OPEN_READONLY;
	s->most = most;
	rc = sqlite3_open_v2(uri, &s->db, flags | SQLITE_OPEN_URI, limit_vfs());
	g_free(escaped);
	g_free(uri);
	if (rc == SQLITE_OK) {
		sqlite3_busy_timeout(s->db, SQL_PATIENCE_MS);
		return s;
	}
	sql_failed(s, error);
	store_close(s);
	return NULL;
}

/* Its folder, which only the owner may enter. */
static int make_folder(const char *path, GError **error)
{
	char *folder = g_path_get_dirname(path);
	int rc = g_mkdir_with_parents(folder, 0700);

	if (rc)
		g_set_error(error, FAILURE_ERROR, FAILURE_FILE_WRITE, "'%s': %s", folder,
			    g_strerror(errno));
	g_free(folder);
	return rc;
}

struct store *store_open(const char *path, guint64 most, GError **error)
{
	mode_t mask = umask(077);
	struct store *s = make_folder(path, error)
				  ? NULL
				  : open_as(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, most, error);
	gint64 tables;

	tables = s ? sql_number(s, sql_prepare(s, error, "SELECT count(*) FROM sqlite_schema", ""), error) : -1;
	if (s && (tables < 0 || (!tables && create(s, error)) || !is_ours(s, error) ||
		  sql_run(s, "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0;"
			 "PRAGMA temp_store = MEMORY", error) || migrate(s, error) || room_shrink(s, error))) {
		store_close(s);
		s = NULL;
	}
	umask(mask);
	return s;
}

struct store *store_open_read(const char *path, GError **error)
{
	struct store *s;

	if (access(path, F_OK) && errno == ENOENT) {
		g_set_error(error, FAILURE_ERROR, FAILURE_FILE_READ, "'%s': no such store: 'lapwing watch' makes one", path);
		return NULL;
	}
	s = open_as(path, SQLITE_OPEN_READONLY, 0, error);
	if (s && !is_ours(s, error)) {
		store_close(s);
		return NULL;
	}
	return s;
}

void store_close(struct store *s)
{
	sqlite3_close(s->db);
	g_free(s->path);
	g_free(s);
}

guint64 store_bytes(const char *path)
{
	static const char *const endings[] = { "", "-wal", "-shm" };
	guint64 bytes = 0;
	struct stat st;

	for (guint i = 0; i < G_N_ELEMENTS(endings); i++) {
		char *file = g_strconcat(path, endings[i], NULL);

		bytes += stat(file, &st) ? 0 : (guint64)st.st_size;
		g_free(file);
	}
	return bytes;
}

/* ---- writing ---------------------------------------------------------------------*/

static gint64 image_id(struct store *s, const struct store_image *image, gint64 epoch, GError **error)
{
	if (sql_finish(s, sql_prepare(s, error, "INSERT INTO image(kind, path, build_id, boot, last) VALUES(?, ?, ?, ?, ?)"
				      " ON CONFLICT DO UPDATE SET last = excluded.last", "isbsi", (gint64)image->kind,
				      image->path, image->build_id, image->boot, epoch), error))
		return -1;
	return sql_image(s, image, error);
}

static gint64 unit_id(struct store *s, const struct store_unit *unit, gint64 epoch, GError **error)
{
	if (sql_finish(s, sql_prepare(s, error, "INSERT INTO unit(name, cgroup, last) VALUES(?, ?, ?)"
			      " ON CONFLICT DO UPDATE SET last = excluded.last", "ssi",
			      unit->name, unit->cgroup, epoch), error))
		return -1;
	return sql_number(s, sql_prepare(s, error, "SELECT id FROM unit WHERE name = ? AND cgroup = ?", "ss",
				 unit->name, unit->cgroup), error);
}

static gint64 event_id(struct store *s, const struct store_event *event, GError **error)
{
	if (sql_finish(s, sql_prepare(s, error, "INSERT OR IGNORE INTO event(name, period, nanoseconds) VALUES(?, ?, ?)",
			      "sii", event->name, (gint64)event->period, (gint64)event->nanoseconds), error))
		return -1;
	return sql_number(s, sql_prepare(s, error, "SELECT id FROM event WHERE name = ? AND period = ? AND nanoseconds = ?",
				 "sii", event->name, (gint64)event->period, (gint64)event->nanoseconds), error);
}

/* The numbers that the store has for an epoch's images, units and events; an image that has no part in it: 0. */
struct numbers { gint64 *images, *units, *events; };

static struct numbers numbers_new(const struct store_epoch *e)
{
	return (struct numbers){ g_new0(gint64, e->images->len + 1), g_new0(gint64, e->units->len + 1),
				 g_new0(gint64, e->events->len + 1) };
}

static void numbers_free(struct numbers *n)
{
	g_free(n->images);
	g_free(n->units);
	g_free(n->events);
}

/* 0, or -1 with *error set. */
static int number_all(struct store *s, const struct store_epoch *e, gint64 epoch, struct numbers *n, GError **error)
{
	for (guint i = 0; i < e->images->len; i++)
		n->images[i] = ((GArray *)g_ptr_array_index(e->rows, i))->len != 0;
	for (guint i = 0; i < e->nodes->len; i++)
		n->images[g_array_index(e->nodes, struct segment_node, i).image] = 1;
	for (guint i = 0; i < e->images->len; i++) {
		if (n->images[i])
			n->images[i] = image_id(s, &g_array_index(e->images, struct store_image, i), epoch, error);
		if (n->images[i] < 0)
			return -1;
	}
	for (guint i = 0; i < e->units->len; i++) {
		n->units[i] = unit_id(s, &g_array_index(e->units, struct store_unit, i), epoch, error);
		if (n->units[i] < 0)
			return -1;
	}
	for (guint i = 0; i < e->events->len; i++) {
		n->events[i] = event_id(s, &g_array_index(e->events, struct store_event, i), error);
		if (n->events[i] < 0)
			return -1;
	}
	return 0;
}

static int put_counts(struct store *s, gint64 epoch, gint64 image, const GArray *rows, const struct numbers *n,
		      GError **error)
{
	GArray *numbered = g_array_copy((GArray *)rows);
	GBytes *data;
	int rc;

	for (guint i = 0; i < numbered->len; i++) {
		struct segment_row *row = &g_array_index(numbered, struct segment_row, i);

		row->unit = (guint32)n->units[row->unit];
		row->event = (guint32)n->events[row->event];
	}
	data = g_byte_array_free_to_bytes(segment_encode(numbered));
	rc = sql_finish(s, sql_prepare(s, error, "INSERT INTO counts(epoch, image, data) VALUES(?, ?, ?)", "iib",
				       epoch, image, data), error);
	g_bytes_unref(data);
	g_array_unref(numbered);
	return rc;
}

static int put_nodes(struct store *s, gint64 epoch, const GArray *nodes, const struct numbers *n, GError **error)
{
	GArray *numbered = g_array_copy((GArray *)nodes);
	GBytes *data;
	int rc;

	for (guint i = 0; i < numbered->len; i++) {
		struct segment_node *node = &g_array_index(numbered, struct segment_node, i);

		node->image = (guint32)n->images[node->image];
	}
	data = g_byte_array_free_to_bytes(segment_encode_nodes(numbered));
	rc = sql_finish(s, sql_prepare(s, error, "INSERT INTO stacks(epoch, data) VALUES(?, ?)", "ib", epoch, data), error);
	g_bytes_unref(data);
	g_array_unref(numbered);
	return rc;
}

/* Within a transaction. */
static int insert(struct store *s, const struct store_epoch *e, int level, GError **error)
{
	const struct store_books *b = &e->books;
	int rc = sql_finish(s, sql_prepare(s, error,
				   "INSERT INTO epoch(level, start, end, covered, expected, received, lost, idle, asleep,"
				   " throttled, own_cpu, unknown) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
				   "iiiiiiiiiiii", (gint64)level, e->start, e->end, (gint64)e->covered,
				   (gint64)b->expected, (gint64)b->received, (gint64)b->lost, (gint64)b->idle,
				   (gint64)b->asleep, (gint64)b->throttled, (gint64)b->own_cpu,
				   (gint64)b->unknown), error);
	gint64 epoch = sqlite3_last_insert_rowid(s->db);
	struct numbers n = numbers_new(e);

	rc = rc ? rc : number_all(s, e, epoch, &n, error);
	if (!rc && e->nodes->len)
		rc = put_nodes(s, epoch, e->nodes, &n, error);
	for (guint i = 0; i < e->images->len && !rc; i++) {
		const GArray *rows = g_ptr_array_index(e->rows, i);

		if (rows->len)
			rc = put_counts(s, epoch, n.images[i], rows, &n, error);
	}
	numbers_free(&n);
	return rc;
}

/* ---- epochs -----------------------------------------------------------------------*/

/* An epoch takes about so many pages, with what is new of its units and images. */
static gint64 pages_of(const struct store_epoch *e)
{
	gint64 bytes = 0;

	for (guint i = 0; i < e->images->len; i++) {
		const GArray *rows = g_ptr_array_index(e->rows, i);

		bytes += 128 + (gint64)rows->len * 8;
	}
	return 12 + (bytes + (gint64)e->nodes->len * 6) / LIMIT_PAGE * 3 / 2;
}

/* pages: room for it. */
static int put_epoch(struct store *s, const struct store_epoch *e, gint64 pages, GError **error)
{
	gint64 has;
	int rc;

	s->is_full = 0;
	if (room_begin(s, error))
		return -1;
	has = sql_number(s, sql_prepare(s, error, "SELECT count(*) FROM epoch WHERE start = ? AND level = 0", "i",
				e->start), error);
	rc = has < 0 || (!has && (room_make(s, pages, error) || insert(s, e, 0, error))) ? -1 : 0;
	return room_end(s, rc, error);
}

int store_put(struct store *s, const struct store_epoch *e, GError **error)
{
	gint64 pages = pages_of(e);
	GError *full = NULL;
	int rc;

	while ((rc = put_epoch(s, e, pages, &full)) && s->is_full && pages < room_pages(s)) {
		g_clear_error(&full);		/* it takes more than was thought */
		pages *= 2;
	}
	if (full)
		g_propagate_error(error, full);
	return rc;
}

int store_put_about(struct store *s, const char *key, const char *text, GError **error)
{
	char *known = store_about(s, key);
	int rc = !strcmp(known, text) ? 0
				      : sql_finish(s, sql_prepare(s, error, "INSERT OR REPLACE INTO about(key, text) VALUES(?, ?)",
								  "ss", key, text), error);

	g_free(known);
	return rc;
}

guint store_epochs(struct store *s)
{
	return (guint)MAX(sql_number(s, sql_prepare(s, NULL, "SELECT count(*) FROM epoch", ""), NULL), 0);
}

char *store_about(struct store *s, const char *key)
{
	sqlite3_stmt *stmt = sql_prepare(s, NULL, "SELECT text FROM about WHERE key = ?", "s", key);
	char *text = g_strdup(stmt && sqlite3_step(stmt) == SQLITE_ROW ? sql_text(stmt, 0) : "");

	sqlite3_finalize(stmt);
	return text;
}

char *store_default_path(void)
{
	static const char file[] = "watch.db";

	return geteuid() ? g_build_filename(g_get_user_state_dir(), "lapwing", file, NULL)
			 : g_build_filename("/var/lib/lapwing-watch", file, NULL);
}

/* ---- reading ---------------------------------------------------------------------*/

struct store_epoch *store_get(struct store *s, gint64 since, gint64 until, enum store_how how, GArray *(*bounds_of)(GBytes *names),
			      GError **error)
{
	struct store_epoch *e;

	if (sql_run(s, "BEGIN", error))
		return NULL;
	e = load_epochs(s, "end > ?1 AND start < ?2", since, until, how, bounds_of, error);
	sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
	return e;
}

/* ---- compaction ------------------------------------------------------------------*/

/*
 * Makes one epoch of the next level of those of `level` that began in the span from `start` on, in a
 * transaction of its own.
 */
static int join(struct store *s, int level, gint64 start, gint64 span, GError **error)
{
	static const char where[] = "start >= ?1 AND start < ?2 AND level = %d", *const parts[] = { "counts", "stacks" };
	char *condition = g_strdup_printf(where, level), *sql;
	struct store_epoch *e = NULL;
	int rc;

	if (room_begin(s, error)) {
		g_free(condition);
		return -1;
	}
	e = load_epochs(s, condition, start, start + span, STORE_SUM, NULL, error);
	rc = e ? 0 : -1;
	for (guint i = 0; i < G_N_ELEMENTS(parts) && !rc; i++) {
		sql = g_strdup_printf("DELETE FROM %s WHERE epoch IN (SELECT id FROM epoch WHERE %s)", parts[i], condition);
		rc = sql_finish(s, sql_prepare(s, error, sql, "ii", start, start + span), error);
		g_free(sql);
	}
	sql = g_strdup_printf("DELETE FROM epoch WHERE %s", condition);
	rc = rc ? rc : sql_finish(s, sql_prepare(s, error, sql, "ii", start, start + span), error);
	rc = rc || room_make(s, pages_of(e), error) || insert(s, e, level + 1, error) ? -1 : 0;
	rc = rc ? rc : room_forget(s, error);
	g_free(sql);
	g_free(condition);
	if (e)
		store_epoch_free(e);
	return room_end(s, rc, error);
}

/* Joins all of a level that are so old, span by span. */
static int join_all(struct store *s, int level, gint64 before, gint64 span, GError **error)
{
	gint64 first;

	for (;;) {
		first = sql_number(s, sql_prepare(s, error, "SELECT min(start) FROM epoch WHERE level = ? AND end < ?",
					  "ii", (gint64)level, before), error);
		/* the span is over for all: none of it comes later */
		if (first <= 0 || first - first % span + span > before)
			return first < 0 ? -1 : 0;
		if (join(s, level, first - first % span, span, error))
			return -1;
	}
}

int store_compact(struct store *s, gint64 now, GError **error)
{
	return join_all(s, 0, now - DAY, HOUR, error) || join_all(s, 1, now - WEEK, DAY, error) ? -1 : 0;
}
