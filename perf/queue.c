/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue.c - see queue.h.
 */
#include "perf/queue.h"

#include "perf/records.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct queued *item_at(const struct queue *q, size_t i)
{
	return (struct queued *)(void *)((char *)q->items + i * q->item_bytes);
}

void *queue_add(struct queue *q, u64 time)
{
	struct queued *item;

	if (q->n == q->room) {
		size_t room = q->room ? 2 * q->room : 1024;
		void *more = realloc(q->items, room * q->item_bytes);

		if (!more)
			return NULL;
		q->items = more;
		q->room = room;
	}
	item = item_at(q, q->n++);
	memset(item, 0, q->item_bytes);
	item->time = time;
	item->sequence = q->sequence++;
	return item;
}

void *queue_add_record(struct queue *q, u64 time, const struct perf_event_header *h)
{
	struct queued *item = queue_add(q, time);

	if (!item)
		return NULL;
	item->record = malloc(h->size);
	if (!item->record) {
		queue_drop_last(q);
		return NULL;
	}
	memcpy(item->record, h, h->size);
	item->image = records_image(h);
	return item;
}

int queue_add_note(struct queue *q, const struct wire_note *note, u64 len)
{
	struct perf_event_header *record;
	struct queued *item;

	if (!records_is_note(note, len))
		return -EINVAL;
	record = malloc(sizeof(*record) + len);
	item = record ? queue_add(q, note->time) : NULL;
	if (!item) {
		free(record);
		return -ENOMEM;
	}
	*record = (struct perf_event_header){ .type = RECORDS_NOTE,
					      .size = (u16)(sizeof(*record) + len) };
	memcpy(record + 1, note, len);
	item->record = record;
	return 0;
}

void queue_drop_last(struct queue *q)
{
	free(item_at(q, --q->n)->record);
}

static int by_time(const void *a, const void *b)
{
	const struct queued *p = a, *q = b;

	if (p->time != q->time)
		return p->time < q->time ? -1 : 1;
	return (p->sequence > q->sequence) - (p->sequence < q->sequence);
}

void queue_handle(struct queue *q, u64 until, void (*handle)(void *item))
{
	size_t done = 0;

	if (!q->n)
		return;
	qsort(q->items, q->n, q->item_bytes, by_time);
	for (; done < q->n && item_at(q, done)->time <= until; done++) {
		handle(item_at(q, done));
		free(item_at(q, done)->record);
	}
	q->n -= done;
	memmove(q->items, item_at(q, done), q->n * q->item_bytes);
}

void queue_clear(struct queue *q)
{
	while (q->n)
		queue_drop_last(q);
	free(q->items);
	q->items = NULL;
	q->room = 0;
}
