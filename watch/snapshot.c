/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshot.c - see snapshot.h. */
#include "watch/snapshot.h"

#include "lib/boot.h"
#include "watch/kernel_map.h"
#include "watch/units.h"

#include <string.h>

struct store_image snapshot_image(guint i, guint64 offset, guint64 *base)
{
	static char none[] = "";
	const struct kept_image *kept = stacks_image(i);
	const struct kernel_area *area = kept->kind == CAP__IMAGE__KIND__KERNEL ? kernel_map_find(offset) : NULL;
	int of_file = kept->kind == CAP__IMAGE__KIND__FILE || kept->kind == CAP__IMAGE__KIND__UNKNOWN;

	*base = area ? area->start : 0;
	if (area)
		return area->image;
	return (struct store_image){ (int)kept->kind, kept->path, kept->build_id,
				     of_file ? none : (char *)boot_id() };
}

/* Indexes plus one of what has been added to an epoch; 0: it was not. Those of images by their path's address. */
struct added { guint32 *units, *events; GHashTable *images, *nodes; };

/* Makes the offset that in the store's image. */
static guint32 image_of(struct store_epoch *e, struct added *added, guint32 i, guint64 *offset)
{
	guint64 base;
	struct store_image image = snapshot_image(i, *offset, &base);
	guint32 at = GPOINTER_TO_UINT(g_hash_table_lookup(added->images, image.path));

	*offset -= base;
	if (!at) {
		at = store_epoch_image(e, &image) + 1;
		g_hash_table_insert(added->images, image.path, GUINT_TO_POINTER(at));
	}
	return at - 1;
}

static guint32 unit_of(struct store_epoch *e, struct added *added, guint32 i)
{
	if (!added->units[i])
		added->units[i] = store_epoch_unit(e, units_at(i)->name, units_at(i)->cgroup) + 1;
	return added->units[i] - 1;
}

static guint32 event_of(struct store_epoch *e, struct added *added, const GArray *events, guint32 i)
{
	const struct record_event *event = &g_array_index(events, struct record_event, i);
	struct store_event new = { event->name, event->period, event->nanoseconds };

	if (!added->events[i])
		added->events[i] = store_epoch_event(e, &new) + 1;
	return added->events[i] - 1;
}

/* The number of a stack's node, as a caller; 0: of none. */
static guint32 node_of(struct store_epoch *e, struct added *added, guint32 stack)
{
	guint32 known = GPOINTER_TO_UINT(g_hash_table_lookup(added->nodes, GUINT_TO_POINTER(stack))), caller, image;
	guint64 offset;

	if (!stack || known)
		return known;
	caller = node_of(e, added, stacks_caller(stack));
	stacks_place(stack, &image, &offset);
	image = image_of(e, added, image, &offset);
	known = store_epoch_node(e, caller, image, offset);
	g_hash_table_insert(added->nodes, GUINT_TO_POINTER(stack), GUINT_TO_POINTER(known));
	return known;
}

struct store_epoch *snapshot_take(const struct counts *counts, const GArray *events)
{
	struct store_epoch *e = store_epoch_new();
	struct added added = { g_new0(guint32, units_count() + 1), g_new0(guint32, events->len + 1),
			       g_hash_table_new(NULL, NULL), g_hash_table_new(NULL, NULL) };

	kernel_map_read();
	for (const struct count_row *r = counts_next(counts, NULL); r; r = counts_next(counts, r)) {
		struct segment_row row = { .count = r->count, .weight = r->weight, .flaws = r->key.flaws };
		guint32 image;

		stacks_place(r->key.stack, &image, &row.offset);
		image = image_of(e, &added, image, &row.offset);
		row.stack = node_of(e, &added, stacks_caller(r->key.stack));
		row.unit = unit_of(e, &added, r->key.unit);
		row.event = event_of(e, &added, events, r->key.event);
		store_epoch_add(e, image, &row);
	}
	g_free(added.units);
	g_free(added.events);
	g_hash_table_unref(added.images);
	g_hash_table_unref(added.nodes);
	return e;
}
