/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue.c - see queue.h.
 */
#include "perf/queue.h"

#include "perf/records.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Records are copied one behind the other; a block is free when all of its records are handled. */
#define BLOCK_BYTES	(256 << 10)

struct queue_block {
	size_t	used, live;		/* bytes; records */
	char	bytes[] __attribute__((aligned(8)));
};

static struct queue_block *block_with(struct queue *q, size_t bytes)
{
	struct queue_block *b = q->block;

	if (b && !b->live)
		b->used = 0;
	if (b && b->used + bytes <= BLOCK_BYTES)
		return b;
	b = q->spare;
	q->spare = NULL;
	if (!b)
		b = malloc(sizeof(*b) + BLOCK_BYTES);
	if (!b)
		return NULL;
	*b = (struct queue_block){ 0 };
	q->block = b;
	return b;
}

/* Its block is kept before a record. NULL: no memory. */
static struct perf_event_header *record_new(struct queue *q, size_t bytes)
{
	size_t room = sizeof(struct queue_block *) + ((bytes + 7) & ~(size_t)7);
	struct queue_block *b = block_with(q, room);
	void *at;

	if (!b)
		return NULL;
	at = b->bytes + b->used;
	b->used += room;
	b->live++;
	*(struct queue_block **)at = b;
	return (struct perf_event_header *)((struct queue_block **)at + 1);
}

static void record_free(struct queue *q, struct perf_event_header *record)
{
	struct queue_block *b = record ? ((struct queue_block **)(void *)record)[-1] : NULL;

	if (!b || --b->live || b == q->block)
		return;
	free(q->spare);
	q->spare = b;
}

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

int queue_keep_record(struct queue *q, struct queued *item, const struct perf_event_header *h)
{
	item->record = record_new(q, h->size);
	if (!item->record)
		return -ENOMEM;
	memcpy(item->record, h, h->size);
	return 0;
}

void *queue_add_record(struct queue *q, u64 time, const struct perf_event_header *h)
{
	struct queued *item = queue_add(q, time);

	if (!item)
		return NULL;
	if (queue_keep_record(q, item, h)) {
		queue_drop_last(q);
		return NULL;
	}
	item->image = records_image(h);
	return item;
}

int queue_add_note(struct queue *q, const struct wire_note *note, u64 len)
{
	struct perf_event_header *record;
	struct queued *item;

	if (!records_is_note(note, len))
		return -EINVAL;
	record = record_new(q, sizeof(*record) + len);
	item = record ? queue_add(q, note->time) : NULL;
	if (!item) {
		record_free(q, record);
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
	record_free(q, item_at(q, --q->n)->record);
}

/* ---- order -----------------------------------------------------------------------*/

/*
 * Items come from one ring after the other, each nearly in order of time: sequences are found, and
 * merged.
 */
#define NEARLY	16		/* so far out of place is an item put right at once */

static int is_later(const struct queue *q, u32 a, u32 b)
{
	const struct queued *p = item_at(q, a), *r = item_at(q, b);

	return p->time != r->time ? p->time > r->time : p->sequence > r->sequence;
}

/* Moves the last item of order[from..to] to its place, if that is near. 0: it is not. */
static int place(const struct queue *q, u32 *order, size_t from, size_t to)
{
	u32 last = order[to];
	size_t at = to;

	while (at > from && to - at < NEARLY && is_later(q, order[at - 1], last))
		at--;
	if (at > from && is_later(q, order[at - 1], last))
		return 0;
	memmove(order + at + 1, order + at, (to - at) * sizeof(*order));
	order[at] = last;
	return 1;
}

/* Where the sequence that begins at `from` ends, after putting right what is nearly in order. */
static size_t sequence_end(const struct queue *q, u32 *order, size_t from)
{
	size_t to = from + 1;

	while (to < q->n && (!is_later(q, order[to - 1], order[to]) || place(q, order, from, to)))
		to++;
	return to;
}

/* Merges order[a..b) and order[b..c) into `into`. */
static void merge(const struct queue *q, const u32 *order, size_t a, size_t b, size_t c, u32 *into)
{
	size_t i = a, k = b, at = a;

	while (i < b && k < c)
		into[at++] = is_later(q, order[i], order[k]) ? order[k++] : order[i++];
	memcpy(into + at, order + i, (b - i) * sizeof(*order));
	memcpy(into + at + b - i, order + k, (c - k) * sizeof(*order));
}

/* The numbers of the items in order of time; NULL: no memory. */
static u32 *in_order(struct queue *q)
{
	u32 *order, *into;
	size_t first = 0, sequences = 2;

	if (q->order_room < q->n) {
		order = realloc(q->order, 2 * q->room * sizeof(*order));
		if (!order)
			return NULL;
		q->order = order;
		q->order_room = q->room;
	}
	order = q->order;
	into = q->order + q->order_room;
	for (size_t i = 0; i < q->n; i++)
		order[i] = (u32)i;
	while (sequences > 1) {
		u32 *other = order;

		for (first = sequences = 0; first < q->n; sequences++) {
			size_t middle = sequence_end(q, order, first),
			       last = middle < q->n ? sequence_end(q, order, middle) : middle;

			merge(q, order, first, middle, last, into);
			first = last;
		}
		order = into;
		into = other;
	}
	return order;
}

/* Removes the items up to that time. */
static void keep_later(struct queue *q, u64 until)
{
	size_t kept = 0;

	for (size_t i = 0; i < q->n; i++)
		if (item_at(q, i)->time > until && kept++ < i)
			memcpy(item_at(q, kept - 1), item_at(q, i), q->item_bytes);
	q->n = kept;
}

void queue_handle(struct queue *q, u64 until, void (*handle)(void *item))
{
	const u32 *order = q->n ? in_order(q) : NULL;
	size_t done = 0;

	for (; order && done < q->n && item_at(q, order[done])->time <= until; done++) {
		handle(item_at(q, order[done]));
		record_free(q, item_at(q, order[done])->record);
	}
	if (done)
		keep_later(q, until);
}

void queue_clear(struct queue *q)
{
	while (q->n)
		queue_drop_last(q);
	free(q->items);
	free(q->block);
	free(q->spare);
	free(q->order);
	q->items = NULL;
	q->order = NULL;
	q->order_room = 0;
	q->block = q->spare = NULL;
	q->room = 0;
}
