/* SPDX-License-Identifier: GPL-2.0-or-later */
/* epoch.c - see epoch.h. */
#include "store/epoch.h"

#include <string.h>

static void clear_image(void *data)
{
	struct store_image *image = data;

	g_free(image->path);
	g_free(image->boot);
	g_clear_pointer(&image->build_id, g_bytes_unref);
}

static void clear_unit(void *data)
{
	struct store_unit *unit = data;

	g_free(unit->name);
	g_free(unit->cgroup);
}

static void clear_event(void *data)
{
	g_free(((struct store_event *)data)->name);
}

struct store_epoch *store_epoch_new(void)
{
	struct store_epoch *e = g_new0(struct store_epoch, 1);

	e->images = g_array_new(FALSE, TRUE, sizeof(struct store_image));
	e->units = g_array_new(FALSE, TRUE, sizeof(struct store_unit));
	e->events = g_array_new(FALSE, TRUE, sizeof(struct store_event));
	g_array_set_clear_func(e->images, clear_image);
	g_array_set_clear_func(e->units, clear_unit);
	g_array_set_clear_func(e->events, clear_event);
	e->rows = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
	e->nodes = g_array_new(FALSE, FALSE, sizeof(struct segment_node));
	e->spans = g_array_new(FALSE, FALSE, sizeof(struct store_span));
	return e;
}

void store_epoch_free(struct store_epoch *e)
{
	g_array_unref(e->images);
	g_array_unref(e->units);
	g_array_unref(e->events);
	g_ptr_array_unref(e->rows);
	g_array_unref(e->nodes);
	pair_ids_clear(&e->node_ids);
	g_array_unref(e->spans);
	g_free(e);
}

static int same_bytes(GBytes *a, GBytes *b)
{
	return a && b ? g_bytes_equal(a, b) : a == b;
}

guint32 store_epoch_image(struct store_epoch *e, const struct store_image *image)
{
	struct store_image new = *image;

	for (guint i = 0; i < e->images->len; i++) {
		const struct store_image *known = &g_array_index(e->images, struct store_image, i);

		if (known->kind == image->kind && same_bytes(known->build_id, image->build_id) &&
		    !strcmp(known->path, image->path) && !strcmp(known->boot, image->boot))
			return i;
	}
	new.path = g_strdup(image->path);
	new.boot = g_strdup(image->boot);
	new.build_id = image->build_id ? g_bytes_ref(image->build_id) : NULL;
	g_array_append_val(e->images, new);
	g_ptr_array_add(e->rows, g_array_new(FALSE, TRUE, sizeof(struct segment_row)));
	return e->images->len - 1;
}

guint32 store_epoch_unit(struct store_epoch *e, const char *name, const char *cgroup)
{
	struct store_unit new = { 0 };

	for (guint i = 0; i < e->units->len; i++) {
		const struct store_unit *known = &g_array_index(e->units, struct store_unit, i);

		if (!strcmp(known->name, name) && !strcmp(known->cgroup, cgroup))
			return i;
	}
	new.name = g_strdup(name);
	new.cgroup = g_strdup(cgroup);
	g_array_append_val(e->units, new);
	return e->units->len - 1;
}

guint32 store_epoch_event(struct store_epoch *e, const struct store_event *event)
{
	struct store_event new = *event;

	for (guint i = 0; i < e->events->len; i++) {
		const struct store_event *known = &g_array_index(e->events, struct store_event, i);

		if (known->period == event->period && known->nanoseconds == event->nanoseconds &&
		    !strcmp(known->name, event->name))
			return i;
	}
	new.name = g_strdup(event->name);
	g_array_append_val(e->events, new);
	return e->events->len - 1;
}

guint32 store_epoch_node(struct store_epoch *e, guint32 caller, guint32 image, guint64 offset)
{
	const struct segment_node node = { caller, image, offset };
	guint32 at = pair_ids_number(&e->node_ids, (guint64)caller << 32 | image, offset);

	if (at == e->nodes->len)
		g_array_append_val(e->nodes, node);
	return at + 1;
}

void store_epoch_add(struct store_epoch *e, guint32 image, const struct segment_row *row)
{
	g_array_append_val(g_ptr_array_index(e->rows, image), *row);
}

void store_epoch_extend(struct store_epoch *e, const struct store_span *span)
{
	const struct store_books *books = &span->books;
	struct store_books *to = &e->books;

	e->start = e->start ? MIN(e->start, span->start) : span->start;
	e->end = MAX(e->end, span->end);
	e->covered += span->covered;
	to->expected += books->expected;
	to->received += books->received;
	to->lost += books->lost;
	to->idle += books->idle;
	to->asleep += books->asleep;
	to->throttled += books->throttled;
	to->own_cpu += books->own_cpu;
	to->unknown |= books->unknown;
}

/* Numbers that another epoch's nodes have in e, by their own; to be freed. images: the same of images. */
static guint32 *add_nodes(struct store_epoch *e, const struct store_epoch *other, const guint32 *images)
{
	guint32 *nodes = g_new0(guint32, other->nodes->len + 1);

	for (guint i = 0; i < other->nodes->len; i++) {
		const struct segment_node *node = &g_array_index(other->nodes, struct segment_node, i);

		nodes[i + 1] = store_epoch_node(e, nodes[node->caller], images[node->image], node->offset);
	}
	return nodes;
}

static void add_row(struct store_epoch *e, guint32 image, const struct store_epoch *other, const guint32 *nodes,
		    const struct segment_row *from)
{
	const struct store_unit *unit = &g_array_index(other->units, struct store_unit, from->unit);
	struct segment_row row = *from;

	row.unit = store_epoch_unit(e, unit->name, unit->cgroup);
	row.event = store_epoch_event(e, &g_array_index(other->events, struct store_event, from->event));
	row.stack = nodes[from->stack];
	store_epoch_add(e, image, &row);
}

void store_epoch_join(struct store_epoch *e, struct store_epoch *other)
{
	const struct store_span span = { other->start, other->end, other->covered, other->books };
	guint32 *images = g_new(guint32, other->images->len + 1), *nodes;

	store_epoch_extend(e, &span);
	for (guint i = 0; i < other->images->len; i++)
		images[i] = store_epoch_image(e, &g_array_index(other->images, struct store_image, i));
	nodes = add_nodes(e, other, images);
	for (guint i = 0; i < other->images->len; i++) {
		const GArray *rows = g_ptr_array_index(other->rows, i);

		for (guint k = 0; k < rows->len; k++)
			add_row(e, images[i], other, nodes, &g_array_index(rows, struct segment_row, k));
		segment_merge(g_ptr_array_index(e->rows, images[i]));
	}
	g_free(images);
	g_free(nodes);
	store_epoch_free(other);
}
