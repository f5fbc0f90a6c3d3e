/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * store_test.c - the store of lapwing watch: what was put is what is got, in any span, before and
 * after hours and days are made of it; it is never larger than its limit; a writer that is killed
 * leaves whole epochs; files of others and damaged ones are refused.
 */
#include "lib/failure_error.h"
#include "store/store.h"
#include "testsuite/unit/check.h"
#include "testsuite/unit/some_epoch.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define LARGE	(64u << 20)

static char *folder, *path;

static struct store *opened(guint64 most)
{
	GError *error = NULL;
	struct store *s = store_open(path, most, &error);

	if (!s)
		printf("%s\n", error->message);
	CHECK(s != NULL);
	return s;
}

/* store_get(), and of how many epochs it is. */
static struct store_epoch *got(struct store *s, gint64 since, gint64 until, guint *n, GError **error)
{
	struct store_epoch *e = store_get(s, since, until, 0, NULL, error);

	*n = e ? e->spans->len : 0;
	return e;
}

static void put(struct store *s, gint64 start, guint rows)
{
	struct store_epoch *e = some_epoch(start, rows);
	GError *error = NULL;

	if (store_put(s, e, &error))
		printf("%s\n", error->message);
	CHECK(!error);
	g_clear_error(&error);
	store_epoch_free(e);
}

static void forget(void)
{
	static const char *const endings[] = { "", "-wal", "-shm" };

	for (guint i = 0; i < G_N_ELEMENTS(endings); i++) {
		char *name = g_strconcat(path, endings[i], NULL);

		g_unlink(name);
		g_free(name);
	}
}

static void test_same(void)
{
	struct store *s = opened(LARGE);
	struct store_epoch *e = some_epoch(DAY, 3000), *back;
	char *put_text, *got_text;
	GError *error = NULL;
	struct stat st;
	guint n;

	CHECK(!store_put(s, e, &error));
	for (guint i = 0; i < e->rows->len; i++)
		segment_merge(g_ptr_array_index(e->rows, i));
	put_text = text_of(e);
	back = got(s, 0, G_MAXINT64, &n, &error);
	CHECK(back && n == 1);
	got_text = text_of(back);
	CHECK(!strcmp(put_text, got_text));
	CHECK(back->books.received == e->books.received && back->books.lost == 7 && back->books.unknown == 1 && back->start == DAY &&
	      back->end == e->end && back->covered == e->covered);
	store_epoch_free(back);
	back = got(s, 0, DAY, &n, &error);		/* it begins when the span is over */
	CHECK(back && !n && !samples_of(back));
	store_epoch_free(back);
	CHECK(!stat(path, &st) && (st.st_mode & 0777) == 0600);
	CHECK(!stat(folder, &st) && (st.st_mode & 0077) == 0);
	g_free(put_text);
	g_free(got_text);
	store_epoch_free(e);
	store_close(s);
	forget();
}

/* An event whose rate has changed is one, and its samples weigh what they did; also when they are joined. */
static void test_rates(void)
{
	struct store *s = opened(LARGE);
	guint64 samples = 0, weight = 0;
	GError *error = NULL;
	struct store_epoch *e;

	for (guint i = 0; i < 3; i++) {
		e = some_epoch(DAY + i * 10 * MINUTE, 300);
		g_array_index(e->events, struct store_event, 0).period = 1000003 << i;
		for (guint k = 0; k < e->rows->len; k++) {
			const GArray *rows = g_ptr_array_index(e->rows, k);

			for (guint n = 0; n < rows->len; n++) {
				struct segment_row *row = &g_array_index(rows, struct segment_row, n);

				row->weight = row->count * (1000003 << i);
				samples += row->count;
				weight += row->weight;
			}
		}
		CHECK(!store_put(s, e, &error));
		store_epoch_free(e);
	}
	for (int i = 0; i < 2; i++) {
		guint64 has = 0;

		e = store_get(s, 0, G_MAXINT64, 0, NULL, &error);
		CHECK(e && e->events->len == 1 && !g_array_index(e->events, struct store_event, 0).period &&
		      samples_of(e) == samples);
		for (guint k = 0; k < e->rows->len; k++) {
			const GArray *rows = g_ptr_array_index(e->rows, k);

			for (guint n = 0; n < rows->len; n++)
				has += g_array_index(rows, struct segment_row, n).weight;
		}
		CHECK(has == weight);
		store_epoch_free(e);
		CHECK(!store_compact(s, 4 * DAY, &error));
	}
	store_close(s);
	forget();
}

/* The texts of all that a store has, and of an epoch, which the second one frees. */
static char *text_of_store(struct store *s)
{
	GError *error = NULL;
	struct store_epoch *e = store_get(s, 0, G_MAXINT64, 0, NULL, &error);
	char *text;

	if (!e)
		printf("%s\n", error->message);
	CHECK(e != NULL);
	text = e ? text_of(e) : g_strdup("");
	if (e)
		store_epoch_free(e);
	return text;
}

static char *text_of_all(struct store_epoch *e)
{
	char *text;

	for (guint i = 0; i < e->rows->len; i++)
		segment_merge(g_ptr_array_index(e->rows, i));
	text = text_of(e);
	store_epoch_free(e);
	return text;
}

static void same(struct store *s, const char *want)
{
	char *has = text_of_store(s);

	CHECK(!strcmp(has, want));
	g_free(has);
}

/* Stacks are the same when they are read, when epochs are joined in memory, and when they become hours. */
static void test_stacks(void)
{
	struct store *s = opened(LARGE);
	struct store_epoch *sum = store_epoch_new();
	GError *error = NULL;
	char *want;

	for (guint i = 0; i < 5; i++) {
		struct store_epoch *e = some_epoch(DAY + i * 10 * MINUTE, 400);

		if (i != 2)			/* one has none */
			add_stacks(e);
		CHECK(!store_put(s, e, &error));
		store_epoch_join(sum, e);
	}
	want = text_of_all(sum);
	same(s, want);
	CHECK(!store_compact(s, 3 * DAY, &error) && store_epochs(s) == 1);
	same(s, want);
	g_free(want);
	store_close(s);
	forget();
}

/* A store as version 1 had it: it is read as it is, and made one of this version by who writes. */
static void test_migration(void)
{
	static const char back[] = "ALTER TABLE image DROP COLUMN last; DROP TABLE stacks; PRAGMA user_version = 1";
	struct store *s = opened(LARGE);
	struct store_epoch *e = some_epoch(DAY, 400), *more = some_epoch(DAY + 10 * MINUTE, 100);
	char *first, *both;
	GError *error = NULL;
	sqlite3 *db;

	CHECK(!store_put(s, e, &error));
	first = text_of_store(s);
	store_close(s);
	CHECK(!sqlite3_open(path, &db) && !sqlite3_exec(db, back, NULL, NULL, NULL));
	sqlite3_close(db);
	s = store_open_read(path, &error);
	CHECK(s != NULL);
	same(s, first);
	store_close(s);
	s = opened(LARGE);
	same(s, first);
	add_stacks(more);
	CHECK(!store_put(s, more, &error));
	store_epoch_join(e, more);
	both = text_of_all(e);
	same(s, both);
	CHECK(!store_compact(s, 3 * DAY, &error));
	same(s, both);
	store_close(s);
	g_free(first);
	g_free(both);
	forget();
}

/* Of several events that come first which were used last. */
static void test_events(void)
{
	static const char *const names[] = { "instructions", "cycles", "page-faults", "cycles" };
	struct store *s = opened(LARGE);
	GError *error = NULL;
	struct store_epoch *e;
	char *want;

	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		e = some_epoch(DAY + i * 10 * MINUTE, 50);
		g_free(g_array_index(e->events, struct store_event, 0).name);
		g_array_index(e->events, struct store_event, 0).name = g_strdup(names[i]);
		CHECK(!store_put(s, e, &error));
		store_epoch_free(e);
	}
	e = store_get(s, 0, G_MAXINT64, 0, NULL, &error);
	CHECK(e && e->events->len == 3);
	for (guint i = 0; i < 3; i++)
		CHECK(!strcmp(g_array_index(e->events, struct store_event, i).name, names[3 - (i < 2 ? i : 3)]));
	store_epoch_free(e);
	want = text_of_store(s);
	CHECK(strstr(want, " instructions ") && strstr(want, " page-faults "));
	CHECK(!store_compact(s, 3 * DAY, &error));
	same(s, want);
	g_free(want);
	store_close(s);
	forget();
}

/* Epochs that are told apart have the rows that were put. */
static void test_apart(void)
{
	struct store *s = opened(LARGE);
	struct store_epoch *put_in[3], *all;
	GError *error = NULL;

	for (guint i = 0; i < 3; i++) {			/* the last one begins first */
		put_in[i] = some_epoch(DAY + (i == 2 ? -1 : (gint64)i) * 10 * MINUTE, 500);
		CHECK(!store_put(s, put_in[i], &error));
	}
	all = store_get(s, 0, G_MAXINT64, 1, NULL, &error);
	CHECK(all && all->spans->len == 3);
	for (guint i = 0; i < 3; i++) {
		const struct store_epoch *e = put_in[(i + 2) % 3];
		struct store_epoch *one = store_epoch_new();
		char *want, *text;

		CHECK(g_array_index(all->spans, struct store_span, i).start == e->start &&
		      g_array_index(all->spans, struct store_span, i).books.received == e->books.received);
		for (guint k = 0; k < all->rows->len; k++) {
			const GArray *rows = g_ptr_array_index(all->rows, k);
			guint32 image = store_epoch_image(one, &g_array_index(all->images, struct store_image, k));

			for (guint n = 0; n < rows->len; n++) {
				struct segment_row row = g_array_index(rows, struct segment_row, n);
				const struct store_unit *u = &g_array_index(all->units, struct store_unit, row.unit);

				if (row.epoch != i)
					continue;
				row.unit = store_epoch_unit(one, u->name, u->cgroup);
				row.event = store_epoch_event(one, &g_array_index(all->events, struct store_event, row.event));
				store_epoch_add(one, image, &row);
			}
		}
		for (guint k = 0; k < e->rows->len; k++)
			segment_merge(g_ptr_array_index(e->rows, k));
		want = text_of(e);
		text = text_of(one);
		CHECK(!strcmp(want, text));
		g_free(want);
		g_free(text);
		store_epoch_free(one);
	}
	for (guint i = 0; i < 3; i++)
		store_epoch_free(put_in[i]);
	store_epoch_free(all);
	store_close(s);
	forget();
}

static gint by_number(gconstpointer a, gconstpointer b)
{
	const guint64 *n = a, *m = b;

	return (*n > *m) - (*n < *m);
}

/* Names here are the bounds themselves. */
static GArray *bounds_of(GBytes *names)
{
	GArray *bounds = g_array_new(FALSE, FALSE, sizeof(guint64));

	g_array_append_vals(bounds, g_bytes_get_data(names, NULL), (guint)(g_bytes_get_size(names) / sizeof(guint64)));
	g_array_sort(bounds, by_number);
	return bounds;
}

/* Every other image has some. */
static void add_bounds(struct store *s, const struct store_epoch *e)
{
	GError *error = NULL;

	for (guint i = 0; i < e->images->len; i += 2) {
		guint64 bounds[300];
		GBytes *names;

		for (guint k = 0; k < G_N_ELEMENTS(bounds); k++)
			bounds[k] = (guint64)random() % 120000;
		names = g_bytes_new(bounds, sizeof(bounds));
		CHECK(!store_add_names(s, &g_array_index(e->images, struct store_image, i), &names, 1, &error));
		g_bytes_unref(names);
	}
}

/* Rows without stacks, whose offsets are the last bound before them. */
static void round_rows(struct store *s, const struct store_epoch *e, guint i, int by_function)
{
	GBytes *names = by_function ? store_names(s, &g_array_index(e->images, struct store_image, i)) : NULL;
	GArray *bounds = names ? bounds_of(names) : NULL, *rows = g_ptr_array_index(e->rows, i);

	for (guint n = 0; n < rows->len; n++) {
		struct segment_row *row = &g_array_index(rows, struct segment_row, n);
		guint64 offset = 0;

		for (guint k = 0; bounds && k < bounds->len && g_array_index(bounds, guint64, k) <= row->offset; k++)
			offset = g_array_index(bounds, guint64, k);
		row->offset = offset;
		row->stack = 0;
	}
	segment_merge(rows);
	if (bounds)
		g_array_unref(bounds);
	if (names)
		g_bytes_unref(names);
}

/* Of images alone, or functions, there are the sums of what they have, in one epoch and in all. */
static void test_without_places(void)
{
	static const enum store_how less[] = { STORE_BY_IMAGE, STORE_BY_FUNCTION };
	struct store *s = opened(LARGE);
	struct store_epoch *put_in, *all, *some;
	GError *error = NULL;

	for (gint64 i = 0; i < 5; i++) {
		put_in = some_epoch(DAY + i * 10 * MINUTE, 3000);
		add_stacks(put_in);
		CHECK(!store_put(s, put_in, &error));
		if (!i)
			add_bounds(s, put_in);
		store_epoch_free(put_in);
	}
	for (guint i = 0; i < 4; i++) {
		enum store_how how = i % 2 ? STORE_BY_EPOCH : STORE_SUM;
		char *want, *text;

		all = store_get(s, 0, G_MAXINT64, how, NULL, &error);
		some = store_get(s, 0, G_MAXINT64, how | less[i / 2], bounds_of, &error);
		CHECK(all && some);
		for (guint k = 0; k < all->rows->len; k++) {
			round_rows(s, all, k, less[i / 2] == STORE_BY_FUNCTION);
			segment_merge(g_ptr_array_index(some->rows, k));
		}
		want = text_of(all);
		text = text_of(some);
		CHECK(!strcmp(want, text));
		g_free(want);
		g_free(text);
		store_epoch_free(all);
		store_epoch_free(some);
	}
	store_close(s);
	forget();
}

/* Ten days in epochs of 10 minutes: two thirds of them become hours, and some days. */
static void test_compact(void)
{
	enum { EPOCHS = 10 * 24 * 6 };
	struct store *s = opened(LARGE);
	struct store_epoch *before, *after;
	char *first, *second;
	GError *error = NULL;
	gint64 start = 100 * DAY;
	guint n;

	for (guint i = 0; i < EPOCHS; i++)
		put(s, start + i * 10 * MINUTE, 10);
	before = got(s, 0, G_MAXINT64, &n, &error);
	CHECK(before && n == EPOCHS);
	CHECK(!store_compact(s, start + 10 * DAY, &error));
	after = got(s, 0, G_MAXINT64, &n, &error);
	CHECK(n == 24 * 6 + 6 * 24 + 3);	/* a day, six days of hours, three days */
	first = text_of(before);
	second = text_of(after);
	CHECK(!strcmp(first, second));
	CHECK(before->books.received == after->books.received && before->books.lost == after->books.lost &&
	      before->covered == after->covered && samples_of(after) == after->books.received);
	g_free(first);
	g_free(second);
	store_epoch_free(before);
	store_epoch_free(after);
	store_close(s);
	forget();
}

static void test_limit(guint64 most)
{
	enum { PUTS = 150 };
	struct store *s = opened(most), *reader;
	struct store_epoch *e;
	GError *error = NULL;
	guint64 largest = 0;
	guint n;

	for (guint i = 0; i < PUTS; i++) {
		put(s, DAY + i * 10 * MINUTE, 2000);
		largest = MAX(largest, store_bytes(path));
	}
	CHECK(largest <= most && largest > most / 4);
	reader = store_open_read(path, &error);
	CHECK(reader != NULL);
	e = got(reader, 0, G_MAXINT64, &n, &error);
	CHECK(e && n > 10 && n < PUTS && e->end == DAY + PUTS * 10 * MINUTE &&
	      e->start == e->end - (gint64)n * 10 * MINUTE && samples_of(e) == e->books.received);
	store_epoch_free(e);
	e = some_epoch(500 * DAY, 400000);		/* larger than all that there may be */
	CHECK(store_put(s, e, &error) && error);
	g_clear_error(&error);
	store_epoch_free(e);
	e = got(reader, 0, G_MAXINT64, &n, &error);
	CHECK(e && n > 10);				/* nothing has changed */
	store_epoch_free(e);
	store_close(reader);
	store_close(s);
	forget();
}

/* Names are small, or left out: they never take the room of more than half of the counts. */
static void test_names(void)
{
	struct store *s = opened(1 << 20);
	struct store_epoch *e = some_epoch(DAY, 2000);
	const struct store_image *image = &g_array_index(e->images, struct store_image, 0);
	GBytes *few = g_bytes_new_static("few", 3), *many, *has;
	guint8 *noise = g_malloc(500000);
	GError *error = NULL;
	guint n;

	for (guint i = 0; i < 500000; i++)
		noise[i] = (guint8)random();
	many = g_bytes_new_take(noise, 500000);
	CHECK(!store_add_names(s, image, &few, 1, &error) && !store_names(s, image));	/* of no epoch */
	CHECK(!store_put(s, e, &error));
	CHECK(!store_add_names(s, image, &few, 1, &error));
	CHECK(store_add_names(s, image, &many, 1, &error) && strstr(error->message, "--max-size"));
	g_clear_error(&error);
	has = store_names(s, image);
	CHECK(has && g_bytes_equal(has, few));
	g_clear_pointer(&has, g_bytes_unref);
	for (guint i = 1; i < 40; i++)			/* parts become one */
		CHECK(!store_add_names(s, image, &few, 1, &error));
	has = store_names(s, image);
	CHECK(has && g_bytes_get_size(has) == 120);
	g_clear_pointer(&has, g_bytes_unref);
	store_epoch_free(e);
	e = got(s, 0, G_MAXINT64, &n, &error);
	CHECK(e && n == 1 && samples_of(e) == e->books.received);
	store_epoch_free(e);
	g_bytes_unref(few);
	g_bytes_unref(many);
	store_close(s);
	forget();
}

/*
 * Somebody reads an old state for long: the log cannot be emptied, and grows until it has its part of
 * the limit. What does not fit is refused, and fits when the reader has gone.
 */
static void test_reader(void)
{
	const guint64 most = 1 << 20;
	struct store *s = opened(most), *reader;
	struct store_epoch *e, *refused = NULL;
	GError *error = NULL;
	sqlite3 *db;
	guint n, i;

	put(s, DAY, 500);
	CHECK(!sqlite3_open(path, &db) && !sqlite3_exec(db, "BEGIN; SELECT * FROM epoch", NULL, NULL, NULL));
	for (i = 1; i < 200 && !refused; i++) {
		e = some_epoch(DAY + i * 10 * MINUTE, 500);
		if (store_put(s, e, &error))
			refused = e;
		else
			store_epoch_free(e);
		CHECK(store_bytes(path) <= most);
	}
	CHECK(refused && i > 3 && strstr(error->message, "somebody reads"));
	g_clear_error(&error);
	CHECK(store_put(s, refused, &error) && store_bytes(path) <= most);
	g_clear_error(&error);
	sqlite3_close(db);
	CHECK(!store_put(s, refused, &error) && store_bytes(path) <= most);
	store_epoch_free(refused);
	reader = store_open_read(path, &error);
	e = got(reader, 0, G_MAXINT64, &n, &error);
	CHECK(e && n == i && samples_of(e) == e->books.received);
	store_epoch_free(e);
	store_close(reader);
	store_close(s);
	forget();
}

/* A limit that is smaller than before: the oldest are removed when the store is opened. */
static void test_smaller_limit(void)
{
	struct store *s = opened(LARGE);
	struct store_epoch *e;
	GError *error = NULL;
	guint n;

	for (guint i = 0; i < 100; i++)
		put(s, DAY + i * 10 * MINUTE, 4000);
	CHECK(store_bytes(path) > 3 << 19);
	store_close(s);
	s = opened(1 << 20);
	CHECK(store_bytes(path) <= 1 << 20);
	e = got(s, 0, G_MAXINT64, &n, &error);
	CHECK(e && n > 3 && n < 100 && e->end == DAY + 1000 * MINUTE && samples_of(e) == e->books.received);
	store_epoch_free(e);
	put(s, DAY + 1000 * MINUTE, 4000);
	CHECK(store_bytes(path) <= 1 << 20);
	store_close(s);
	forget();
}

/*
 * The clock is set back by an hour, and forward by years and back: all samples are there, also in
 * hours and days, and those of the years to come are where the clock said.
 */
static void test_clock_steps(void)
{
	static const gint64 starts[] = { 100 * DAY, 100 * DAY + 10 * MINUTE, 100 * DAY - 50 * MINUTE,
					 100 * DAY - 40 * MINUTE, 9000 * DAY, 100 * DAY - 30 * MINUTE };
	struct store *s = opened(LARGE);
	guint64 samples = 0, later[3];
	struct store_epoch *e;
	GError *error = NULL;
	guint n;

	for (guint i = 0; i < G_N_ELEMENTS(starts); i++) {
		e = some_epoch(starts[i], 50);
		samples += e->books.received;
		CHECK(!store_put(s, e, &error));
		store_epoch_free(e);
	}
	for (int i = 0; i < 3; i++) {
		e = got(s, 0, G_MAXINT64, &n, &error);
		CHECK(e && e->books.received == samples && samples_of(e) == samples &&
		      e->start == 100 * DAY - 50 * MINUTE && e->end == 9000 * DAY + 10 * MINUTE);
		CHECK(n == (i ? 3 : G_N_ELEMENTS(starts)));
		store_epoch_free(e);
		e = got(s, 8000 * DAY, G_MAXINT64, &n, &error);
		CHECK(e && n == 1);
		later[i] = e->books.received;
		store_epoch_free(e);
		CHECK(!store_compact(s, i ? 110 * DAY : 103 * DAY, &error));
	}
	CHECK(later[0] == later[1] && later[1] == later[2]);
	store_close(s);
	forget();
}

static GArray *random_rows(guint n, int varies)
{
	GArray *rows = g_array_new(FALSE, TRUE, sizeof(struct segment_row));

	for (guint i = 0; i < n; i++) {
		struct segment_row r = { .offset = (guint64)random() % 50000 * 3 + (i % 7 ? 0 : 1ull << 63),
					 .event = (guint32)(random() % 2),
					 .unit = (guint32)(random() % 5),
					 .count = (guint64)(random() % 9) + 1 };

		r.weight = r.count * (varies ? (guint64)random() : 10309278);
		g_array_append_val(rows, r);
	}
	return rows;
}

static void test_segment(guint n, int varies)
{
	GArray *rows = random_rows(n, varies), *back = g_array_new(FALSE, TRUE, sizeof(struct segment_row));
	guint64 count = 0, weight = 0;
	GByteArray *bytes;

	for (guint i = 0; i < rows->len; i++) {
		count += g_array_index(rows, struct segment_row, i).count;
		weight += g_array_index(rows, struct segment_row, i).weight;
	}
	bytes = segment_encode(rows);
	CHECK(!segment_decode(bytes->data, bytes->len, back) && back->len == rows->len);
	CHECK(!n || !memcmp(back->data, rows->data, rows->len * sizeof(struct segment_row)));
	for (guint i = 0; i < back->len; i++) {
		count -= g_array_index(back, struct segment_row, i).count;
		weight -= g_array_index(back, struct segment_row, i).weight;
	}
	CHECK(!count && !weight);
	CHECK(varies || bytes->len <= 7 * n + 32);
	for (guint cut = 0; cut < bytes->len; cut += 1 + bytes->len / 50)	/* it ends early, or is other */
		if (n && !segment_decode(bytes->data, cut, back))
			CHECK(bytes->data[0] == 1 && cut < bytes->len);
	g_byte_array_unref(bytes);
	g_array_unref(rows);
	g_array_unref(back);
}

/* The writer is killed at any time: what is there is whole. */
static void test_killed(void)
{
	for (int i = 0; i < 20; i++) {
		pid_t pid = fork();
		struct store_epoch *e;
		GError *error = NULL;
		struct store *s;
		guint n;

		if (!pid) {
			s = store_open(path, 1 << 20, NULL);
			for (gint64 at = 0; s; at++)
				put(s, DAY + at * 10 * MINUTE, 300);
			_exit(1);
		}
		g_usleep((gulong)(random() % 60000));
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		s = opened(1 << 20);
		e = got(s, 0, G_MAXINT64, &n, &error);
		CHECK(e && samples_of(e) == e->books.received && e->books.lost == 7 * (guint64)n);
		CHECK(store_bytes(path) <= 1 << 20);
		store_epoch_free(e);
		store_close(s);
	}
	forget();
}

static void refused(const char *what, enum failure_code cause)
{
	GError *error = NULL;
	struct store *s = store_open_read(path, &error);
	struct store_epoch *e;
	guint n;

	if (s) {
		e = got(s, 0, G_MAXINT64, &n, &error);
		CHECK(!e);
		store_close(s);
	}
	if (!error || error->code != (int)cause)
		printf("%s: %s\n", what, error ? error->message : "is taken");
	CHECK(error && error->code == (int)cause);
	g_clear_error(&error);
}

static void test_others(void)
{
	struct store *s;
	sqlite3 *db;
	char garbage[4096];

	refused("no file", FAILURE_FILE_READ);
	memset(garbage, 'x', sizeof(garbage));
	g_file_set_contents(path, garbage, sizeof(garbage), NULL);
	refused("no database", FAILURE_CAPTURE_CORRUPT);
	forget();
	CHECK(!sqlite3_open(path, &db) && !sqlite3_exec(db, "CREATE TABLE x(y)", NULL, NULL, NULL));
	sqlite3_close(db);
	refused("another program's", FAILURE_CAPTURE_OTHER);
	forget();
	s = opened(LARGE);
	put(s, DAY, 100);
	store_close(s);
	sqlite3_open(path, &db);
	sqlite3_exec(db, "UPDATE counts SET data = x'0180808080'", NULL, NULL, NULL);
	sqlite3_close(db);
	refused("damaged counts", FAILURE_CAPTURE_CORRUPT);
	sqlite3_open(path, &db);
	sqlite3_exec(db, "PRAGMA user_version = 3", NULL, NULL, NULL);
	sqlite3_close(db);
	refused("a later version", FAILURE_CAPTURE_OTHER);
	forget();
}

int main(void)
{
	folder = g_dir_make_tmp("lapwing-store-XXXXXX", NULL);
	path = g_build_filename(folder, "own", "watch.db", NULL);
	g_free(folder);
	folder = g_path_get_dirname(path);
	test_segment(0, 0);
	test_segment(1, 0);
	test_segment(3000, 0);
	test_segment(3000, 1);
	test_same();
	test_events();
	test_stacks();
	test_migration();
	test_apart();
	test_without_places();
	test_rates();
	test_compact();
	test_limit(1 << 20);
	test_limit(1300001);
	test_names();
	test_reader();
	test_smaller_limit();
	test_clock_steps();
	test_killed();
	test_others();
	g_rmdir(folder);
	*strrchr(folder, '/') = 0;
	g_rmdir(folder);
	return failures != 0;
}
