/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * week.c - what a week of lapwing watch is in a store: epochs of ten minutes at 97 Hz, of samples that
 * are drawn at random from what was recorded of an idle machine, of compilers and of a server. Nights
 * and week-ends are idle; of a working day's ten hours every other one is of compilers.
 *
 * Usage: week STORE MAX_BYTES IDLE BUILDS REQUESTS: the last three are stores, of one epoch each, at
 * any rate. Prints a TSV: epochs put, samples, the largest size there was, the size at the end, all in
 * bytes; the time of store_put() and of compaction, the mean and the longest, in ms.
 */
#include "store/store.h"

#include <stdio.h>
#include <stdlib.h>

#define SECOND	1000000000LL
#define EPOCH	(600 * SECOND)
#define DAY	(86400 * SECOND)
#define WEEK	(7 * DAY)
#define HZ	97
#define START	(20055 * DAY)

/* What was recorded. */
struct source {
	struct store	*store;
	struct store_epoch *e;
	GArray		*rows;		/* struct source_row */
	guint64		n;		/* samples of an epoch at HZ */
	int		has_names;	/* they have been put */
};

struct source_row {
	guint32		image;
	struct segment_row row;
	guint64		below;		/* samples of all rows before it */
};

static void fail(const char *what, GError *error)
{
	fprintf(stderr, "week: %s: %s\n", what, error ? error->message : "?");
	exit(1);
}

static struct source source_of(const char *path)
{
	GError *error = NULL;
	struct source s = { .store = store_open_read(path, &error),
			    .rows = g_array_new(FALSE, FALSE, sizeof(struct source_row)) };
	guint64 below = 0, period;

	s.e = s.store ? store_get(s.store, 0, G_MAXINT64, 0, NULL, &error) : NULL;
	if (!s.e)
		fail(path, error);
	for (guint i = 0; i < s.e->rows->len; i++) {
		const GArray *rows = g_ptr_array_index(s.e->rows, i);

		for (guint k = 0; k < rows->len; k++) {
			struct source_row r = { i, g_array_index(rows, struct segment_row, k), below };

			g_array_append_val(s.rows, r);
			below += r.row.count;
		}
	}
	period = g_array_index(s.e->events, struct store_event, 0).period;
	s.n = (guint64)((double)below * EPOCH / (double)s.e->covered * (double)period / ((double)SECOND / HZ));
	return s;
}

static guint row_at(const struct source *s, guint64 sample)
{
	guint low = 0, high = s->rows->len;

	while (high - low > 1) {
		guint middle = (low + high) / 2;

		if (g_array_index(s->rows, struct source_row, middle).below <= sample)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static struct store_epoch *draw(const struct source *s, gint64 start)
{
	const struct source_row *last = &g_array_index(s->rows, struct source_row, s->rows->len - 1);
	guint64 *counts = g_new0(guint64, s->rows->len), all = last->below + last->row.count;
	const struct store_event event = { (char *)"cpu-clock", SECOND / HZ, 1 };
	struct store_epoch *e = store_epoch_new();

	for (guint64 i = 0; i < s->n; i++)
		counts[row_at(s, ((guint64)random() << 31 | (guint64)random()) % all)]++;
	for (guint i = 0; i < s->e->images->len; i++)
		store_epoch_image(e, &g_array_index(s->e->images, struct store_image, i));
	for (guint i = 0; i < s->rows->len; i++) {
		const struct source_row *r = &g_array_index(s->rows, struct source_row, i);
		const struct store_unit *unit = &g_array_index(s->e->units, struct store_unit, r->row.unit);
		struct segment_row row = { .offset = r->row.offset, .count = counts[i] };

		if (!counts[i])
			continue;
		row.weight = row.count * event.period;
		row.unit = store_epoch_unit(e, unit->name, unit->cgroup);
		row.event = store_epoch_event(e, &event);
		store_epoch_add(e, r->image, &row);
	}
	e->start = start;
	e->end = start + EPOCH;
	e->covered = EPOCH;
	e->books.received = e->books.expected = s->n;
	g_free(counts);
	return e;
}

static void put_names(struct store *to, struct source *s)
{
	static const char *const about[] = { "host", "machine", "kernel", "cpus" };
	guint n = s->e->images->len, has = 0;
	struct store_image *images = g_new(struct store_image, n);
	GBytes **names = g_new(GBytes *, n);
	GError *error = NULL;

	for (guint i = 0; i < n; i++) {
		images[has] = g_array_index(s->e->images, struct store_image, i);
		names[has] = store_names(s->store, &images[has]);
		has += names[has] != NULL;
	}
	if (store_add_names(to, images, names, has, &error)) {	/* a small store has no room for all */
		fprintf(stderr, "week: %s\n", error->message);
		g_clear_error(&error);
	}
	for (guint i = 0; i < G_N_ELEMENTS(about); i++) {
		char *text = store_about(s->store, about[i]);

		if (store_put_about(to, about[i], text, &error))
			fail("about", error);
		g_free(text);
	}
	for (guint i = 0; i < has; i++)
		g_bytes_unref(names[i]);
	g_free(images);
	g_free(names);
	s->has_names = 1;
}

/* Which source an epoch is of. */
static guint kind_of(gint64 since)
{
	gint64 day = since / DAY, hour = since % DAY / (3600 * SECOND);

	return day >= 5 || hour < 8 || hour >= 18 ? 0 : 1 + hour % 2;
}

int main(int argc, char **argv)
{
	struct source sources[3];
	guint64 samples = 0, largest = 0;
	gint64 longest = 0, sum = 0;
	GError *error = NULL;
	struct store *to;
	guint n = 0;

	if (argc != 6)
		return 2;
	to = store_open(argv[1], strtoull(argv[2], NULL, 10), &error);
	if (!to)
		fail(argv[1], error);
	for (int i = 0; i < 3; i++)
		sources[i] = source_of(argv[3 + i]);
	for (gint64 at = 0; at < WEEK; at += EPOCH, n++) {
		struct source *s = &sources[kind_of(at)];
		struct store_epoch *e = draw(s, START + at);
		gint64 began = g_get_monotonic_time(), took;

		if (store_put(to, e, &error))
			fail("put", error);
		if (!s->has_names)
			put_names(to, s);
		if (store_compact(to, e->end, &error))
			fail("compact", error);
		took = g_get_monotonic_time() - began;
		sum += took;
		longest = MAX(longest, took);
		largest = MAX(largest, store_bytes(argv[1]));
		samples += e->books.received;
		store_epoch_free(e);
	}
	printf("%u\t%" G_GUINT64_FORMAT "\t%" G_GUINT64_FORMAT "\t%" G_GUINT64_FORMAT "\t%.1f\t%.1f\n", n, samples, largest,
	       store_bytes(argv[1]), (double)sum / n / 1e3, (double)longest / 1e3);
	store_close(to);
	return 0;
}
