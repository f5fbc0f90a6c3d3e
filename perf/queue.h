/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue.h - puts the records of several rings in order of time: they wait in a queue until nothing
 * older can arrive.
 */
#ifndef LAPWING_PERF_QUEUE_H
#define LAPWING_PERF_QUEUE_H

#include "runtime/rt.h"

#include <stddef.h>

struct image;
struct perf_event_header;
struct wire_note;

/* The first member of a queue's items. */
struct queued {
	/* items of one time keep the order in which they were added */
	u64		time, sequence;
	struct perf_event_header *record;	/* freed by the queue; NULL: none */
	struct image	*image;			/* records_image() of it */
};

struct queue {
	size_t		item_bytes;		/* set by the caller; the rest is 0 at first */
	void		*items;
	size_t		n, room;
	u64		sequence;
	struct queue_block *block, *spare;	/* memory of records: used last; empty */
	u32		*order;			/* of the items, while they are handled; with scratch */
	size_t		order_room;
};

/*
 * Adds an item of that time, zero except for its head; valid until the next call. NULL: no memory.
 * queue_add_record() also keeps a copy of a record, and opens the image of a new mapping.
 */
void *queue_add(struct queue *q, u64 time);
void *queue_add_record(struct queue *q, u64 time, const struct perf_event_header *h);
/* Keeps a copy of a record with the item that was added last, which has none. 0, or -ENOMEM. */
int queue_keep_record(struct queue *q, struct queued *item, const struct perf_event_header *h);
/* Adds a program's note, `len` untrusted bytes, at its time. 0, -EINVAL: not a note, or -ENOMEM. */
int queue_add_note(struct queue *q, const struct wire_note *note, u64 len);
/* Removes the item that was added last. */
void queue_drop_last(struct queue *q);
/*
 * Passes each item up to that time to handle() and removes it. handle() must not use the queue.
 * Without memory it handles none.
 */
void queue_handle(struct queue *q, u64 until, void (*handle)(void *item));
/* Removes all items and frees the memory. */
void queue_clear(struct queue *q);

#endif
