/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf_merge.c - see perf_merge.h.
 */
#include "perf/perf_merge.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM 1024		/* items */

static struct perf_merge_item *item_at(const struct perf_merge *m, size_t i)
{
	return (void *)(m->items + i * m->size);
}

static int grow(struct perf_merge *m)
{
	size_t want = m->room ? 2 * m->room : FIRST_ROOM;
	u8 *more;

	if (!m->current)
		m->current = malloc(m->size);
	more = m->current ? realloc(m->items, want * m->size) : NULL;
	if (!more)
		return -1;
	m->items = more;
	m->room = want;
	return 0;
}

void perf_merge_begin(struct perf_merge *m, u64 now)
{
	m->previous = now;
}

void *perf_merge_add(struct perf_merge *m, u64 time, const struct perf_event_header *record)
{
	struct perf_event_header *copy = record ? malloc(record->size) : NULL;
	struct perf_merge_item *item;

	if ((record && !copy) || (m->n == m->room && grow(m))) {
		free(copy);
		return NULL;
	}
	if (record)
		memcpy(copy, record, record->size);
	item = item_at(m, m->n++);
	memset(item, 0, m->size);
	*item = (struct perf_merge_item){ .time = time, .sequence = m->sequence++, .record = copy };
	return item;
}

u64 perf_merge_round(struct perf_merge *m, u64 now)
{
	u64 previous = m->previous;

	m->previous = now;
	return previous;
}

static int by_time(const void *a, const void *b)
{
	const struct perf_merge_item *p = a, *q = b;

	if (p->time != q->time)
		return p->time < q->time ? -1 : 1;
	return (p->sequence > q->sequence) - (p->sequence < q->sequence);
}

/* Handlers may add items, which may move waiting ones: each is handled as a copy. */
void perf_merge_handle(struct perf_merge *m, u64 until,
		       void (*handle)(struct perf_merge_item *item))
{
	struct perf_merge_item *current = (void *)m->current;
	size_t done = 0;

	if (!m->n)
		return;
	qsort(m->items, m->n, m->size, by_time);
	while (done < m->n && item_at(m, done)->time <= until) {
		memcpy(m->current, item_at(m, done++), m->size);
		handle(current);
		free(current->record);
	}
	memmove(m->items, item_at(m, done), (m->n - done) * m->size);
	m->n -= done;
}

void perf_merge_clear(struct perf_merge *m)
{
	while (m->n)
		free(item_at(m, --m->n)->record);
	free(m->items);
	free(m->current);
	*m = (struct perf_merge){ .size = m->size };
}
