// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * frame.c - rings and records; see frame.h.
 */
#include "runtime/core/frame.h"
#include "runtime/core/port.h"

static u8 *ring_at(const struct wire_ring *r, u64 size, u64 pos)
{
	return (u8 *)r + WIRE_RING_HEADER + (pos & (size - 1));
}

void ring_writer_init(struct ring_writer *w, struct wire_ring *ring, u64 size)
{
	ring->magic = WIRE_MAGIC;
	ring->size = size;
	w->ring = ring;
	w->size = size;
	w->reserved = 0;
	w->nest = 0;
}

struct wire_record *ring_reserve(struct ring_writer *w, u32 len, int count_loss)
{
	struct wire_ring *r = w->ring;
	u64 size = w->size, from, to, offset;
	struct wire_record *rec;

	__atomic_fetch_add(&w->nest, 1, __ATOMIC_RELAXED);
	from = __atomic_load_n(&w->reserved, __ATOMIC_RELAXED);
	do {
		offset = from & (size - 1);
		to = from + len;
		if (offset + len > size)		/* never wraps: padding up to the end */
			to += size - offset;
		if (len > size / 2 || to - __atomic_load_n(&r->tail, __ATOMIC_ACQUIRE) > size) {
			if (count_loss) {
				__atomic_fetch_add(&r->lost, 1, __ATOMIC_RELAXED);
				__atomic_fetch_add(&r->lost_bytes, len, __ATOMIC_RELAXED);
			}
			return 0;
		}
	} while (!__atomic_compare_exchange_n(&w->reserved, &from, to, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	rec = (struct wire_record *)ring_at(r, size, from);
	if (to - from != len) {
		rec->len = (u32)(to - from - len);
		rec->type = WIRE_PAD;
		rec = (struct wire_record *)ring_at(r, size, to - len);
	}
	rec->len = len;
	return rec;
}

void ring_commit(struct ring_writer *w)
{
	u64 end;

	/* An interrupt's record made after head was stored, but before nest went down, was left to us: look again. */
	for (;;) {
		end = __atomic_load_n(&w->reserved, __ATOMIC_RELAXED);
		if (__atomic_load_n(&w->nest, __ATOMIC_RELAXED) == 1)
			__atomic_store_n(&w->ring->head, end, __ATOMIC_RELEASE);
		if (__atomic_fetch_sub(&w->nest, 1, __ATOMIC_RELAXED) != 1 ||
		    end == __atomic_load_n(&w->reserved, __ATOMIC_RELAXED))
			return;
		__atomic_fetch_add(&w->nest, 1, __ATOMIC_RELAXED);
	}
}

const struct wire_record *ring_next(const struct wire_ring *r, u64 size, u64 *pos, u64 head, u32 *len, int *bad)
{
	while (*pos != head) {
		u64 left = size - (*pos & (size - 1));
		const struct wire_record *rec = (const struct wire_record *)ring_at(r, size, *pos);
		u32 n = left < 8 ? 0 : __atomic_load_n(&rec->len, __ATOMIC_RELAXED);

		/* A pad at the very end may be too short for a whole header; its length and type come first. */
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
