/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * store.c - see store.h. SQLite's write-ahead log is on the disk when a transaction ends
 * (synchronous = FULL), and is emptied after each one, so that it is as large as one epoch at most,
 * unless somebody reads meanwhile.
 */
#include "store/room.h"

#include "lib/failure_error.h"
#include "lib/pair_ids.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define APPLICATION	0x4c617077	/* "Lapw": PRAGMA application_id */
#define VERSION		2		/* PRAGMA user_version */

#define AHEAD		16		/* rows, so that their places are in the cache when it is their turn */
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
	struct store *s = open_as(path, SQLITE_OPEN_READONLY, 0, error);

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

/* When an event was used last, an index of the spans; and where it is among the others. */
struct used { guint32 epoch, event; };

/* Numbers of the store to indexes of an epoch in memory, plus one; of epochs: to those of its spans. */
struct loaded {
	struct store	*store;
	struct store_epoch *e;
	int		apart;
	GHashTable	*nodes;			/* epochs' numbers to guint32[]: how many, and the numbers here of its nodes */
	GArray		*segment;		/* struct segment_row, of one image and epoch */
	GArray		*alike;			/* struct pair_ids by image: rows by offset and whose() */
	struct pair_ids	whose;
	GArray		*used;			/* struct used, by event */
	GHashTable	*images, *units, *events, *epochs;
};

static guint32 index_of(GHashTable *known, gint64 id)
{
	return GPOINTER_TO_UINT(g_hash_table_lookup(known, GINT_TO_POINTER((int)id)));
}

static guint32 add_index(GHashTable *known, gint64 id, const GArray *array)
{
	g_hash_table_insert(known, GINT_TO_POINTER((int)id), GUINT_TO_POINTER(array->len));
	return array->len;
}

/* The row of a number; NULL with *error set: there is none, as the store is damaged. */
static sqlite3_stmt *row_of(struct store *s, const char *sql, gint64 id, GError **error)
{
	sqlite3_stmt *stmt = sql_prepare(s, error, sql, "i", id);

	if (stmt && sqlite3_step(stmt) == SQLITE_ROW)
		return stmt;
	if (stmt)
		g_set_error(error, FAILURE_ERROR, FAILURE_CAPTURE_CORRUPT,
			    "'%s': counts of nothing that the store knows", s->path);
	sqlite3_finalize(stmt);
	return NULL;
}

/* These return an index plus one; 0 with *error set. */
static guint32 load_image(struct loaded *l, gint64 id, GError **error)
{
	guint32 known = index_of(l->images, id);
	struct store_image image = { 0 };
	sqlite3_stmt *stmt;

	if (known)
		return known;
	stmt = row_of(l->store, "SELECT kind, path, build_id, boot FROM image WHERE id = ?", id, error);
	if (!stmt)
		return 0;
	image.kind = sqlite3_column_int(stmt, 0);
	image.path = g_strdup(sql_text(stmt, 1));
	image.build_id = sql_bytes(stmt, 2);
	image.boot = g_strdup(sql_text(stmt, 3));
	sqlite3_finalize(stmt);
	g_array_append_val(l->e->images, image);
	g_ptr_array_add(l->e->rows, g_array_new(FALSE, TRUE, sizeof(struct segment_row)));
	return add_index(l->images, id, l->e->images);
}

static guint32 load_unit(struct loaded *l, gint64 id, GError **error)
{
	guint32 known = index_of(l->units, id);
	struct store_unit unit = { 0 };
	sqlite3_stmt *stmt;

	if (known)
		return known;
	stmt = row_of(l->store, "SELECT name, cgroup FROM unit WHERE id = ?", id, error);
	if (!stmt)
		return 0;
	unit.name = g_strdup(sql_text(stmt, 0));
	unit.cgroup = g_strdup(sql_text(stmt, 1));
	sqlite3_finalize(stmt);
	g_array_append_val(l->e->units, unit);
	return add_index(l->units, id, l->e->units);
}

/* An event that had several rates is one, whose samples say for themselves what they weigh. */
static guint32 load_event(struct loaded *l, gint64 id, GError **error)
{
	guint32 known = index_of(l->events, id);
	struct store_event event = { 0 };
	struct used used = { 0 };
	sqlite3_stmt *stmt;

	if (known)
		return known;
	stmt = row_of(l->store, "SELECT name, period, nanoseconds FROM event WHERE id = ?", id, error);
	if (!stmt)
		return 0;
	event.name = g_strdup(sql_text(stmt, 0));
	event.period = (guint64)sqlite3_column_int64(stmt, 1);
	event.nanoseconds = sqlite3_column_int(stmt, 2);
	sqlite3_finalize(stmt);
	for (guint i = 0; i < l->e->events->len; i++) {
		struct store_event *e = &g_array_index(l->e->events, struct store_event, i);

		if (strcmp(e->name, event.name) || e->nanoseconds != event.nanoseconds)
			continue;
		e->period = e->period == event.period ? e->period : 0;
		g_free(event.name);
		g_hash_table_insert(l->events, GINT_TO_POINTER((int)id), GUINT_TO_POINTER(i + 1));
		return i + 1;
	}
	g_array_append_val(l->e->events, event);
	used.event = l->used->len;
	g_array_append_val(l->used, used);
	return add_index(l->events, id, l->e->events);
}

static struct pair_ids *alike_of(struct loaded *l, guint32 image)
{
	while (l->alike->len <= image)
		g_array_set_size(l->alike, l->alike->len + 1);
	return &g_array_index(l->alike, struct pair_ids, image);
}

/* All that tells rows of one offset apart, as one number. */
static guint64 whose(struct loaded *l, const struct segment_row *row)
{
	guint64 of = (guint64)row->unit << 32 | row->event;

	if (!row->stack && !row->flaws)
		return of;
	return G_GUINT64_CONSTANT(1) << 63 | pair_ids_number(&l->whose, of, (guint64)row->stack << 32 | row->flaws);
}

/* The callers in one epoch. */
static int load_nodes(struct loaded *l, sqlite3_stmt *stmt, GError **error)
{
	GArray *nodes = g_array_new(FALSE, FALSE, sizeof(struct segment_node));
	int rc = segment_decode_nodes(sqlite3_column_blob(stmt, 1), (gsize)sqlite3_column_bytes(stmt, 1), nodes);
	guint32 *numbers = g_new0(guint32, nodes->len + 2);

	if (rc)
		g_set_error(error, FAILURE_ERROR, FAILURE_CAPTURE_CORRUPT, "'%s': damaged stacks", l->store->path);
	numbers[0] = nodes->len;
	for (guint i = 0; i < nodes->len && !rc; i++) {
		const struct segment_node *node = &g_array_index(nodes, struct segment_node, i);
		guint32 image = load_image(l, node->image, error);

		rc = image ? 0 : -1;
		if (!rc)
			numbers[i + 1] = store_epoch_node(l->e, node->caller ? numbers[node->caller] : 0, image - 1,
							  node->offset);
	}
	g_hash_table_insert(l->nodes, GINT_TO_POINTER((int)sqlite3_column_int64(stmt, 0)), numbers);
	g_array_unref(nodes);
	return rc;
}

/*
 * Adds a row to those of an image. Rows that are alike are added up; of epochs that are told apart none
 * are.
 */
static void add_row(struct loaded *l, guint32 image, const struct segment_row *row)
{
	GArray *rows = g_ptr_array_index(l->e->rows, image);
	struct segment_row *sum;
	guint32 at;

	if (!l->apart) {
		at = pair_ids_number(alike_of(l, image), row->offset, whose(l, row));
		if (at < rows->len) {
			sum = &g_array_index(rows, struct segment_row, at);
			sum->count += row->count;
			sum->weight += row->weight;
			return;
		}
	}
	g_array_append_vals(rows, row, 1);
}

/* Adds the counts of one image in one epoch. Rows of a unit and event follow each other. */
static int load_counts(struct loaded *l, sqlite3_stmt *stmt, GError **error)
{
	guint32 image = load_image(l, sqlite3_column_int64(stmt, 0), error), unit = 0, event = 0,
		span = index_of(l->epochs, sqlite3_column_int64(stmt, 2)) - 1;
	const guint32 *nodes = g_hash_table_lookup(l->nodes, GINT_TO_POINTER((int)sqlite3_column_int64(stmt, 2)));
	struct segment_row last = { 0 };
	struct used *used;

	if (!image)
		return -1;
	g_array_set_size(l->segment, 0);
	if (segment_decode(sqlite3_column_blob(stmt, 1), (gsize)sqlite3_column_bytes(stmt, 1), l->segment)) {
		g_set_error(error, FAILURE_ERROR, FAILURE_CAPTURE_CORRUPT,
			    "'%s': damaged counts of '%s'", l->store->path,
			    g_array_index(l->e->images, struct store_image, image - 1).path);
		return -1;
	}
	for (guint i = 0; i < l->segment->len; i++) {
		struct segment_row row = g_array_index(l->segment, struct segment_row, i);

		if (!unit || row.unit != last.unit || row.event != last.event) {
			last = row;
			unit = load_unit(l, row.unit, error);
			event = unit ? load_event(l, row.event, error) : 0;
			if (!event)
				return -1;
			used = &g_array_index(l->used, struct used, event - 1);
			used->epoch = MAX(used->epoch, span);
		}
		if (row.stack && (!nodes || row.stack > nodes[0])) {
			g_set_error(error, FAILURE_ERROR, FAILURE_CAPTURE_CORRUPT, "'%s': counts of no stack", l->store->path);
			return -1;
		}
		row.unit = unit - 1;
		row.event = event - 1;
		row.epoch = l->apart ? span : 0;
		row.stack = row.stack ? nodes[row.stack] : 0;
		if (i + AHEAD < l->segment->len)
			pair_ids_prefetch(alike_of(l, image - 1), g_array_index(l->segment, struct segment_row, i + AHEAD).offset,
					  whose(l, &row));
		add_row(l, image - 1, &row);
	}
	return 0;
}

static int load_span(struct loaded *l, sqlite3_stmt *stmt, GError **error)
{
	const struct store_span span = {
		.start = sqlite3_column_int64(stmt, 1),
		.end = sqlite3_column_int64(stmt, 2),
		.covered = (guint64)sqlite3_column_int64(stmt, 3),
		.books = { .expected = (guint64)sqlite3_column_int64(stmt, 4),
			   .received = (guint64)sqlite3_column_int64(stmt, 5),
			   .lost = (guint64)sqlite3_column_int64(stmt, 6),
			   .idle = (guint64)sqlite3_column_int64(stmt, 7),
			   .asleep = (guint64)sqlite3_column_int64(stmt, 8),
			   .throttled = (guint64)sqlite3_column_int64(stmt, 9),
			   .own_cpu = (guint64)sqlite3_column_int64(stmt, 10),
			   .unknown = (guint64)sqlite3_column_int64(stmt, 11) },
	};

	g_array_append_val(l->e->spans, span);
	add_index(l->epochs, sqlite3_column_int64(stmt, 0), l->e->spans);
	store_epoch_extend(l->e, &span);
	return 0;
}

/* Calls for each row of a statement about epochs, whose `where` is a condition on two numbers. */
static int each_row(struct loaded *l, const char *select, const char *where, gint64 a, gint64 b,
		    int (*take)(struct loaded *l, sqlite3_stmt *stmt, GError **error), GError **error)
{
	char *sql = g_strdup_printf(select, where);
	sqlite3_stmt *stmt = sql_prepare(l->store, error, sql, "ii", a, b);
	int rc = stmt ? 0 : -1, step = SQLITE_DONE;

	while (!rc && (step = sqlite3_step(stmt)) == SQLITE_ROW)
		rc = take(l, stmt, error);
	rc = !rc && step != SQLITE_DONE ? sql_failed(l->store, error) : rc;
	sqlite3_finalize(stmt);
	g_free(sql);
	return rc;
}

static gint later(gconstpointer a, gconstpointer b)
{
	const struct used *u = a, *v = b;

	if (u->epoch != v->epoch)
		return u->epoch > v->epoch ? -1 : 1;
	return (u->event > v->event) - (u->event < v->event);
}

/* The events that were used last come first: that is what reports show if nobody says what. */
static void sort_events(struct loaded *l)
{
	GArray *events = g_array_new(FALSE, TRUE, sizeof(struct store_event));
	guint32 *to = g_new0(guint32, l->used->len + 1);

	g_array_sort(l->used, later);
	for (guint i = 0; i < l->used->len; i++) {
		guint32 from = g_array_index(l->used, struct used, i).event;

		g_array_append_val(events, g_array_index(l->e->events, struct store_event, from));
		to[from] = i;
	}
	if (events->len)
		memcpy(l->e->events->data, events->data, events->len * sizeof(struct store_event));
	for (guint i = 0; i < l->e->rows->len && l->used->len > 1; i++) {
		const GArray *rows = g_ptr_array_index(l->e->rows, i);

		for (guint k = 0; k < rows->len; k++) {
			guint32 *event = &g_array_index(rows, struct segment_row, k).event;

			*event = to[*event];
		}
	}
	g_array_unref(events);
	g_free(to);
}

/* The epochs of a condition on two numbers, as store_get() returns them. Within a transaction. */
static struct store_epoch *load(struct store *s, const char *where, gint64 a, gint64 b, int apart, GError **error)
{
	struct loaded l = { .store = s,
			    .e = store_epoch_new(),
			    .apart = apart,
			    .segment = g_array_new(FALSE, FALSE, sizeof(struct segment_row)),
			    .alike = g_array_new(FALSE, TRUE, sizeof(struct pair_ids)),
			    .used = g_array_new(FALSE, TRUE, sizeof(struct used)),
			    .images = g_hash_table_new(NULL, NULL),
			    .units = g_hash_table_new(NULL, NULL),
			    .events = g_hash_table_new(NULL, NULL),
			    .epochs = g_hash_table_new(NULL, NULL),
			    .nodes = g_hash_table_new_full(NULL, NULL, NULL, g_free) };
	int rc = each_row(&l, "SELECT id, start, end, covered, expected, received, lost, idle, asleep, throttled,"
			  " own_cpu, unknown FROM epoch WHERE %s ORDER BY start", where, a, b, load_span, error) ||
				 (s->version > 1 && each_row(&l, "SELECT epoch, data FROM stacks WHERE epoch IN"
							     " (SELECT id FROM epoch WHERE %s)", where, a, b, load_nodes, error)) ||
				 each_row(&l, "SELECT image, data, epoch FROM counts WHERE epoch IN"
					  " (SELECT id FROM epoch WHERE %s)", where, a, b, load_counts, error)
			 ? -1
			 : 0;

	for (guint i = 0; i < l.alike->len; i++)
		pair_ids_clear(&g_array_index(l.alike, struct pair_ids, i));
	if (!rc)
		sort_events(&l);
	g_array_unref(l.used);
	g_array_unref(l.alike);
	g_array_unref(l.segment);
	g_hash_table_unref(l.images);
	g_hash_table_unref(l.units);
	g_hash_table_unref(l.events);
	g_hash_table_unref(l.epochs);
	g_hash_table_unref(l.nodes);
	pair_ids_clear(&l.whose);
	if (!rc)
		return l.e;
	store_epoch_free(l.e);
	return NULL;
}

struct store_epoch *store_get(struct store *s, gint64 since, gint64 until, int apart, GError **error)
{
	struct store_epoch *e;

	if (sql_run(s, "BEGIN", error))
		return NULL;
	e = load(s, "end > ?1 AND start < ?2", since, until, apart, error);
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
	e = load(s, condition, start, start + span, 0, error);
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
