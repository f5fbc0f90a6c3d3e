// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * frame.c - rings and records; see frame.h.
 */
#include "runtime/core/frame.h"
#include "runtime/core/port.h"

void ring_writer_init(struct ring_writer *w, struct wire_ring *ring, u64 size)
{
	ring->magic = WIRE_MAGIC;
	ring->size = size;
	w->ring = ring;
	w->size = size;
	w->end = ring->head;
	w->at = w->safe = ring_at(ring, size, w->end);
	w->wake = w->end + size / 4;
}

struct ring_writer ring_none;

int ring_has_room(struct ring_writer *w, u32 n)
{
	u64 left, room;

	if (!w->ring)
		return 0;
	w->at = ring_at(w->ring, w->size, w->end);
	left = w->size - (w->end & (w->size - 1));
	room = __atomic_load_n(&w->ring->tail, __ATOMIC_ACQUIRE) + w->size - w->end;
	if (left < room)
		room = left;
	w->safe = w->at + room;
	return n <= room;
}

void ring_pad(struct ring_writer *w, u32 n)
{
	struct wire_record *pad = (struct wire_record *)w->at;

	pad->len = n;
	pad->type = WIRE_PAD;
	w->end += n;
	w->at = w->safe = ring_at(w->ring, w->size, w->end);
}

int ring_is_late(struct ring_writer *w)
{
	u64 tail = __atomic_load_n(&w->ring->tail, __ATOMIC_RELAXED),
	    late = w->end - tail > w->size / 4;

	w->wake = (late ? w->end : tail) + w->size / 4;
	return (int)late;
}

const struct wire_record *ring_next(const struct wire_ring *r, u64 size, u64 *pos, u64 head,
				    u32 *len, int *bad)
{
	while (*pos != head) {
		u64 left = size - (*pos & (size - 1));
		const struct wire_record *rec = (const struct wire_record *)ring_at(r, size, *pos);
		u32 n = left < 8 ? 0 : __atomic_load_n(&rec->len, __ATOMIC_RELAXED);

		/*
		 * Padding at the very end may be too short for a whole header; its length and type
		 * come first.
		 */
		if (!n || head - *pos > size || (n & 7) || n < 8 || n > left || n > head - *pos) {
			*bad = 1;
			*pos = head;
			return 0;
		}
		*pos += n;
		if (rec->type == WIRE_PAD || n < sizeof(*rec))
			continue;
		*len = n;
		return rec;
	}
	return 0;
}

const struct wire_item *record_item(const struct wire_record *rec, u32 *at)
{
	u32 size = rec->len - sizeof(*rec);
	const struct wire_item *item = (const struct wire_item *)((const u8 *)(rec + 1) + *at);

	if (*at > size || size - *at < sizeof(*item))
		return 0;
	if (item->len < sizeof(*item) || (item->len & 7) || item->len > size - *at)
		return 0;
	*at += item->len;
	return item;
}
