/* SPDX-License-Identifier: GPL-2.0-or-later */
/* epoch.h - what was counted in a time, in memory. */
#ifndef LAPWING_STORE_EPOCH_H
#define LAPWING_STORE_EPOCH_H

#include "lib/pair_ids.h"
#include "store/segment.h"

/* An image as it is identified in all epochs. */
struct store_image {
	int		kind;		/* enum image_kind */
	char		*path;
	GBytes		*build_id;	/* NULL: it has none */
	char		*boot;		/* whose addresses the offsets are: of the kernel, and of code
					 * that processes made; "" : the file's */
};

struct store_unit {
	char		*name, *cgroup;
};

struct store_event {
	char		*name;
	guint64		period;		/* 0: varies */
	int		nanoseconds;	/* unit; else a count */
};

/*
 * Samples: all that the events' counts predict, and what became of them; CPU time of the recorder, ns.
 * unknown: enum verdict_skips, what is missing and in no number.
 */
struct store_books {
	guint64		expected, received, lost, idle, asleep, throttled, own_cpu, unknown;
};

/* One of the epochs that were added up; its times as those of struct store_epoch. */
struct store_span {
	gint64		start, end;
	guint64		covered;
	struct store_books books;
};

struct store_epoch {
	gint64		start, end;	/* ns since 1970 */
	guint64		covered;	/* ns of it in which sampling was on */
	struct store_books books;
	GArray		*images, *units, *events;	/* struct store_image, _unit, _event */
	/* GArray of struct segment_row by image; unit and event are indexes of those above */
	GPtrArray	*rows;
	GArray		*nodes;		/* struct segment_node: callers, with indexes of images */
	struct pair_ids	node_ids;	/* of store_epoch_node() */
	GArray		*spans;		/* struct store_span, of epochs that store_get() has added up */
};

struct store_epoch *store_epoch_new(void);
void store_epoch_free(struct store_epoch *e);
/* Indexes of what an epoch has; adds what is new. Takes no ownership. */
guint32 store_epoch_image(struct store_epoch *e, const struct store_image *image);
guint32 store_epoch_unit(struct store_epoch *e, const char *name, const char *cgroup);
guint32 store_epoch_event(struct store_epoch *e, const struct store_event *event);
/* The number of a caller's node, an index plus one; caller: that of its own caller, 0: none. */
guint32 store_epoch_node(struct store_epoch *e, guint32 caller, guint32 image, guint64 offset);
void store_epoch_add(struct store_epoch *e, guint32 image, const struct segment_row *row);
/* Adds a time, of which `covered` ns were sampled, and its books; no row. */
void store_epoch_extend(struct store_epoch *e, const struct store_span *span);
/* Adds another epoch, which it frees. */
void store_epoch_join(struct store_epoch *e, struct store_epoch *other);

#endif
