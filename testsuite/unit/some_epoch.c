/* SPDX-License-Identifier: GPL-2.0-or-later */
/* some_epoch.c - see some_epoch.h. */
#include "testsuite/unit/some_epoch.h"

#include <stdlib.h>
#include <string.h>

struct store_epoch *some_epoch(gint64 start, guint rows)
{
	struct store_epoch *e = store_epoch_new();
	GBytes *id = g_bytes_new_static("0123456789", 10);

	e->start = start;
	e->end = start + 10 * MINUTE;
	e->covered = 10 * MINUTE;
	for (guint i = 0; i < rows; i++) {
		char *image = g_strdup_printf("/lib/%ld", random() % 9), *unit = g_strdup_printf("unit%ld", random() % 20);
		struct store_image in = { 0, image, random() % 2 ? id : NULL, (char *)"" };
		struct store_event of = { (char *)"cycles", 1000003, 0 };
		struct segment_row row = { .offset = (guint64)random() % 100000,
					   .count = (guint64)random() % 5 + 1 };

		row.weight = row.count * of.period;
		row.unit = store_epoch_unit(e, unit, "/a.slice/b.service");
		row.event = store_epoch_event(e, &of);
		store_epoch_add(e, store_epoch_image(e, &in), &row);
		e->books.received += row.count;
		g_free(image);
		g_free(unit);
	}
	e->books.expected = e->books.received + 7;
	e->books.lost = 7;
	e->books.unknown = 1;
	g_bytes_unref(id);
	return e;
}

void add_stacks(struct store_epoch *e)
{
	for (guint i = 0; i < e->rows->len; i++) {
		const GArray *rows = g_ptr_array_index(e->rows, i);

		for (guint k = 0; k < rows->len; k++) {
			struct segment_row *row = &g_array_index(rows, struct segment_row, k);

			row->flaws = (guint32)random() % 8;
			row->stack = 0;
			for (long depth = random() % 6; depth--;)
				row->stack = store_epoch_node(e, row->stack, (guint32)random() % e->images->len,
							      (guint64)random() % 4);
		}
	}
}

/* "/lib/1+8 /lib/2+0", the innermost caller first. */
static char *callers_of(const struct store_epoch *e, guint32 stack)
{
	GString *text = g_string_new(NULL);

	while (stack) {
		const struct segment_node *node = &g_array_index(e->nodes, struct segment_node, stack - 1);
		const struct store_image *image = &g_array_index(e->images, struct store_image, node->image);

		g_string_append_printf(text, " %s %d+%lu", image->path, image->build_id != NULL, node->offset);
		stack = node->caller;
	}
	return g_string_free(text, FALSE);
}

guint64 samples_of(const struct store_epoch *e)
{
	guint64 samples = 0;

	for (guint i = 0; i < e->rows->len; i++) {
		const GArray *rows = g_ptr_array_index(e->rows, i);

		for (guint k = 0; k < rows->len; k++)
			samples += g_array_index(rows, struct segment_row, k).count;
	}
	return samples;
}

static gint by_text(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

char *text_of(const struct store_epoch *e)
{
	GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);
	char *text;

	for (guint i = 0; i < e->rows->len; i++) {
		const struct store_image *image = &g_array_index(e->images, struct store_image, i);
		const GArray *rows = g_ptr_array_index(e->rows, i);

		for (guint k = 0; k < rows->len; k++) {
			const struct segment_row *r = &g_array_index(rows, struct segment_row, k);
			const struct store_unit *u = &g_array_index(e->units, struct store_unit, r->unit);
			char *callers = callers_of(e, r->stack);

			g_ptr_array_add(lines, g_strdup_printf("%s %d %lu %s %s %s %lu %lu %u%s", image->path,
				image->build_id != NULL, r->offset, u->name, u->cgroup,
				g_array_index(e->events, struct store_event, r->event).name, r->count, r->weight,
				r->flaws, callers));
			g_free(callers);
		}
	}
	g_ptr_array_sort(lines, by_text);
	g_ptr_array_add(lines, NULL);
	text = g_strjoinv("\n", (char **)lines->pdata);
	g_ptr_array_unref(lines);
	return text;
}
