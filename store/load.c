/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * load.c - see load.h. Counts of an image are sorted in the bytes of each epoch: runs, which are merged as
 * in a merge sort, those of like length first. A table of all rows would be larger than the CPU's cache.
 */
#include "store/load.h"

#include "lib/failure_error.h"
#include "lib/pair_ids.h"
#include "lib/sorted.h"

#include <string.h>

/* When an event was used last, an index of the spans; and where it is among the others. */
struct used { guint32 epoch, event; };

/* Numbers of the store to indexes of an epoch in memory, plus one; of epochs: to those of its spans. */
struct loaded {
	struct store	*store;
	struct store_epoch *e;
	enum store_how	how;
	GArray		*(*bounds_of)(GBytes *names);
	GPtrArray	*bounds;		/* by image, of functions; NULL: of none */
	GHashTable	*nodes;			/* epochs' numbers to guint32[]: how many, and the numbers here of its nodes */
	GPtrArray	*runs;			/* by image: GPtrArray of GArray of struct segment_row, with numbers of units and events */
	GArray		*used;			/* struct used, by event */
	int		several_rates;		/* two events of the store are one here */
	GHashTable	*images, *units, *events, *epochs;
};

static guint32 index_of(GHashTable *known, gint64 id)
{
	return GPOINTER_TO_UINT(g_hash_table_lookup(known, GINT_TO_POINTER((int)id)));
}

static GArray *bounds_of(struct loaded *l, const struct store_image *image)
{
	GBytes *names = l->how & STORE_BY_FUNCTION ? store_names(l->store, image) : NULL;
	GArray *bounds = names ? l->bounds_of(names) : NULL;

	if (names)
		g_bytes_unref(names);
	return bounds;
}

/* These add the row of a statement, and return its index plus one. */
static guint32 add_image(struct loaded *l, sqlite3_stmt *stmt)
{
	struct store_image image = { sqlite3_column_int(stmt, 0), g_strdup(sql_text(stmt, 1)), sql_bytes(stmt, 2),
				     g_strdup(sql_text(stmt, 3)) };

	g_array_append_val(l->e->images, image);
	g_ptr_array_add(l->e->rows, g_array_new(FALSE, TRUE, sizeof(struct segment_row)));
	g_ptr_array_add(l->bounds, bounds_of(l, &image));
	g_ptr_array_add(l->runs, g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref));
	return l->e->images->len;
}

static guint32 add_unit(struct loaded *l, sqlite3_stmt *stmt)
{
	struct store_unit unit = { g_strdup(sql_text(stmt, 0)), g_strdup(sql_text(stmt, 1)) };

	g_array_append_val(l->e->units, unit);
	return l->e->units->len;
}

/* An event that had several rates is one, whose samples say for themselves what they weigh. */
static guint32 add_event(struct loaded *l, sqlite3_stmt *stmt)
{
	struct store_event event = { g_strdup(sql_text(stmt, 0)), (guint64)sqlite3_column_int64(stmt, 1),
				     sqlite3_column_int(stmt, 2) };
	struct used used = { 0, l->used->len };

	for (guint i = 0; i < l->e->events->len; i++) {
		struct store_event *e = &g_array_index(l->e->events, struct store_event, i);

		if (strcmp(e->name, event.name) || e->nanoseconds != event.nanoseconds)
			continue;
		e->period = e->period == event.period ? e->period : 0;
		g_free(event.name);
		l->several_rates = 1;
		return i + 1;
	}
	g_array_append_val(l->e->events, event);
	g_array_append_val(l->used, used);
	return l->e->events->len;
}

/* The index plus one of what has that number in the store; 0 with *error set: nothing, as the store is damaged. */
static guint32 load(struct loaded *l, GHashTable *known, const char *sql, gint64 id,
		    guint32 (*add)(struct loaded *l, sqlite3_stmt *stmt), GError **error)
{
	guint32 index = index_of(known, id);
	sqlite3_stmt *stmt = index ? NULL : sql_prepare(l->store, error, sql, "i", id);

	if (stmt && sqlite3_step(stmt) == SQLITE_ROW) {
		index = add(l, stmt);
		g_hash_table_insert(known, GINT_TO_POINTER((int)id), GUINT_TO_POINTER(index));
	} else if (stmt) {
		g_set_error(error, FAILURE_ERROR, FAILURE_CAPTURE_CORRUPT,
			    "'%s': counts of nothing that the store knows", l->store->path);
	}
	sqlite3_finalize(stmt);
	return index;
}

static guint32 load_image(struct loaded *l, gint64 id, GError **error)
{
	return load(l, l->images, "SELECT kind, path, build_id, boot FROM image WHERE id = ?", id, add_image, error);
}

static guint32 load_unit(struct loaded *l, gint64 id, GError **error)
{
	return load(l, l->units, "SELECT name, cgroup FROM unit WHERE id = ?", id, add_unit, error);
}

static guint32 load_event(struct loaded *l, gint64 id, GError **error)
{
	return load(l, l->events, "SELECT name, period, nanoseconds FROM event WHERE id = ?", id, add_event, error);
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

static int has_places(const struct loaded *l)
{
	return !(l->how & (STORE_BY_IMAGE | STORE_BY_FUNCTION));
}

/* Checks the rows of an image in an epoch, and numbers their stacks as those of the whole. */
static int take_rows(struct loaded *l, GArray *rows, gint64 epoch, GError **error)
{
	const guint32 *nodes = g_hash_table_lookup(l->nodes, GINT_TO_POINTER((int)epoch));
	guint32 span = index_of(l->epochs, epoch) - 1, event;
	int has_stacks = 0;

	for (guint i = 0; i < rows->len; i++) {
		struct segment_row *row = &g_array_index(rows, struct segment_row, i);

		if (!i || row->unit != row[-1].unit || row->event != row[-1].event) {
			event = load_unit(l, row->unit, error) ? load_event(l, row->event, error) : 0;
			if (!event)
				return -1;
			g_array_index(l->used, struct used, event - 1).epoch =
				MAX(g_array_index(l->used, struct used, event - 1).epoch, span);
		}
		row->stack = has_places(l) ? row->stack : 0;
		if (row->stack && (!nodes || row->stack > nodes[0])) {
			g_set_error(error, FAILURE_ERROR, FAILURE_CAPTURE_CORRUPT, "'%s': counts of no stack", l->store->path);
			return -1;
		}
		has_stacks |= row->stack != 0;
		row->stack = row->stack ? nodes[row->stack] : 0;
		row->epoch = l->how & STORE_BY_EPOCH ? span : 0;
	}
	if (has_stacks)
		segment_merge(rows);
	return 0;
}

/* Of each group of rows of one event and unit, and between two bounds, one is left for each of their flaws. */
static void drop_places(GArray *rows, const GArray *bounds)
{
	guint n = 0, group = 0;
	guint64 start = 0, end = 0;
	int is_sorted = 1;

	for (guint i = 0; i < rows->len; i++) {
		struct segment_row row = g_array_index(rows, struct segment_row, i), *to = NULL,
				   *first = &g_array_index(rows, struct segment_row, group);

		if (bounds && (row.offset < start || row.offset >= end)) {
			guint at = sorted_until(bounds, row.offset);

			start = at ? g_array_index(bounds, guint64, at - 1) : 0;
			end = at < bounds->len ? g_array_index(bounds, guint64, at) : G_MAXUINT64;
		}
		row.offset = start;
		if (n && (row.event != first->event || row.unit != first->unit || row.offset != first->offset))
			group = n;
		for (guint k = group; k < n && !to; k++)
			if (g_array_index(rows, struct segment_row, k).flaws == row.flaws)
				to = &g_array_index(rows, struct segment_row, k);
		if (to) {
			to->count += row.count;
			to->weight += row.weight;
			continue;
		}
		is_sorted &= n == group || row.flaws > g_array_index(rows, struct segment_row, n - 1).flaws;
		g_array_index(rows, struct segment_row, n++) = row;
	}
	g_array_set_size(rows, n);
	if (!is_sorted)
		segment_merge(rows);
}

/* Rows of epochs that are told apart are never alike. */
static void append_run(GPtrArray *runs, GArray *run)
{
	GArray *to;

	if (!runs->len) {
		g_ptr_array_add(runs, run);
		return;
	}
	to = g_ptr_array_index(runs, 0);
	g_array_append_vals(to, run->data, run->len);
	g_array_unref(run);
}

/* Runs are shorter and shorter, by half at least; last: there is one in the end. */
static void add_run(GPtrArray *runs, GArray *run, int last)
{
	while (runs->len && (last || run->len * 2 > ((GArray *)g_ptr_array_index(runs, runs->len - 1))->len))
		run = segment_join(g_ptr_array_steal_index(runs, runs->len - 1), run);
	g_ptr_array_add(runs, run);
}

/* Takes the counts of one image in one epoch. */
static int load_counts(struct loaded *l, sqlite3_stmt *stmt, GError **error)
{
	guint32 image = load_image(l, sqlite3_column_int64(stmt, 0), error);
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(struct segment_row));
	int rc = image ? 0 : -1;

	if (!rc && segment_decode(sqlite3_column_blob(stmt, 1), (gsize)sqlite3_column_bytes(stmt, 1), rows)) {
		g_set_error(error, FAILURE_ERROR, FAILURE_CAPTURE_CORRUPT,
			    "'%s': damaged counts of '%s'", l->store->path,
			    g_array_index(l->e->images, struct store_image, image - 1).path);
		rc = -1;
	}
	rc = rc ? rc : take_rows(l, rows, sqlite3_column_int64(stmt, 2), error);
	if (rc) {
		g_array_unref(rows);
		return -1;
	}
	if (!has_places(l))
		drop_places(rows, g_ptr_array_index(l->bounds, image - 1));
	if (l->how & STORE_BY_EPOCH)
		append_run(g_ptr_array_index(l->runs, image - 1), rows);
	else
		add_run(g_ptr_array_index(l->runs, image - 1), rows, 0);
	return 0;
}

/* The rows of an image, from its runs, with units and events by their indexes here. */
static void finish_rows(struct loaded *l, guint image)
{
	GPtrArray *runs = g_ptr_array_index(l->runs, image);
	GArray **rows = (GArray **)&g_ptr_array_index(l->e->rows, image);
	struct segment_row last = { 0 };
	guint32 unit = 0, event = 0;

	if (!runs->len)
		return;
	g_array_unref(*rows);
	add_run(runs, g_ptr_array_steal_index(runs, runs->len - 1), 1);
	*rows = g_ptr_array_steal_index(runs, 0);
	for (guint i = 0; i < (*rows)->len; i++) {
		struct segment_row *row = &g_array_index(*rows, struct segment_row, i);

		if (!i || row->unit != last.unit || row->event != last.event) {
			last = *row;
			unit = index_of(l->units, row->unit) - 1;
			event = index_of(l->events, row->event) - 1;
		}
		row->unit = unit;
		row->event = event;
	}
	if (l->several_rates && !(l->how & STORE_BY_EPOCH))
		segment_merge(*rows);
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
	g_hash_table_insert(l->epochs, GINT_TO_POINTER((int)sqlite3_column_int64(stmt, 0)), GUINT_TO_POINTER(l->e->spans->len));
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

static void free_bounds(void *bounds)
{
	if (bounds)
		g_array_unref(bounds);
}

struct store_epoch *load_epochs(struct store *s, const char *where, gint64 a, gint64 b, enum store_how how,
				GArray *(*bounds_of)(GBytes *names), GError **error)
{
	struct loaded l = { .store = s,
			    .e = store_epoch_new(),
			    .how = how,
			    .bounds_of = bounds_of,
			    .bounds = g_ptr_array_new_with_free_func(free_bounds),
			    .runs = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref),
			    .used = g_array_new(FALSE, TRUE, sizeof(struct used)),
			    .images = g_hash_table_new(NULL, NULL),
			    .units = g_hash_table_new(NULL, NULL),
			    .events = g_hash_table_new(NULL, NULL),
			    .epochs = g_hash_table_new(NULL, NULL),
			    .nodes = g_hash_table_new_full(NULL, NULL, NULL, g_free) };
	int rc = each_row(&l, "SELECT id, start, end, covered, expected, received, lost, idle, asleep, throttled,"
			  " own_cpu, unknown FROM epoch WHERE %s ORDER BY start", where, a, b, load_span, error) ||
				 (s->version > 1 && has_places(&l) && each_row(&l, "SELECT epoch, data FROM stacks WHERE epoch IN"
							     " (SELECT id FROM epoch WHERE %s)", where, a, b, load_nodes, error)) ||
				 each_row(&l, "SELECT image, data, epoch FROM counts WHERE epoch IN"
					  " (SELECT id FROM epoch WHERE %s)", where, a, b, load_counts, error)
			 ? -1
			 : 0;

	for (guint i = 0; i < l.runs->len && !rc; i++)
		finish_rows(&l, i);
	if (!rc)
		sort_events(&l);
	g_array_unref(l.used);
	g_ptr_array_unref(l.runs);
	g_ptr_array_unref(l.bounds);
	g_hash_table_unref(l.images);
	g_hash_table_unref(l.units);
	g_hash_table_unref(l.events);
	g_hash_table_unref(l.epochs);
	g_hash_table_unref(l.nodes);
	if (!rc)
		return l.e;
	store_epoch_free(l.e);
	return NULL;
}

