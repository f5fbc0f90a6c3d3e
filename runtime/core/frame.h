/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * frame.h - rings and their records: the writer's side and the reader's.
 *
 * Writer: one CPU per ring, without concurrent writers: handlers run with interrupts off, and those
 * in NMIs have no output. head is published when the record is complete, so the reader never sees a
 * partial one. Reader: trusts no length.
 */
#ifndef LAPWING_CORE_FRAME_H
#define LAPWING_CORE_FRAME_H

#include "runtime/core/bytes.h"
#include "runtime/rt.h"
#include "runtime/wire.h"

struct ring_writer {
	struct wire_ring *ring;
	/* bytes of records; the reader may overwrite the ring's own field */
	u64	size;
	/* end of what was written: our copy of head, which the reader may overwrite */
	u64	end;
	/* end's address in the ring, or just behind the ring where the next round begins */
	u8	*at;
	/* up to here records are written in place without reading the reader's tail */
	u8	*safe;
	/* when end is beyond this, ring_is_late() decides whether to wake the reader */
	u64	wake;
} __attribute__((__aligned__(RT_LINE)));	/* each CPU has its own */

static inline u8 *ring_at(const struct wire_ring *r, u64 size, u64 pos)
{
	return (u8 *)r + WIRE_RING_HEADER + (pos & (size - 1));
}

/* Continues at the ring's head; the ring's header is zeroed or from earlier use. */
void ring_writer_init(struct ring_writer *w, struct wire_ring *ring, u64 size);
/* A writer without a ring, and so without room. */
extern struct ring_writer ring_none;
/* Checks the reader's tail: true if there is room for n contiguous bytes. */
int ring_has_room(struct ring_writer *w, u32 n);
/* True if more than a quarter of the ring is unread: the reader should be woken. */
int ring_is_late(struct ring_writer *w);

/* True if a record of up to n bytes may be written at w->at, without another check. */
static inline int ring_is_safe(const struct ring_writer *w, u32 n)
{
	return w->at + n <= w->safe;
}

/*
 * Address at which a record of up to n bytes may be written in place, then published with its
 * length; NULL: no contiguous room now.
 */
static inline void *ring_place(struct ring_writer *w, u32 n)
{
	if (__builtin_expect(!ring_is_safe(w, n), 0) && !ring_has_room(w, n))
		return 0;
	return w->at;
}

/* Publishes the n complete bytes at w->at. 1: the reader should be woken. */
static inline int ring_publish(struct ring_writer *w, u32 n)
{
	u64 end = w->end + n;

	w->at += n;
	w->end = end;
	__atomic_store_n(&w->ring->head, end, __ATOMIC_RELEASE);
	return __builtin_expect(end > w->wake, 0) && ring_is_late(w);
}

/* Pads the n bytes up to the ring's end; they are published with the next record. */
void ring_pad(struct ring_writer *w, u32 n);

/*
 * Writes a record: head, whose len covers both, and body_len bytes of body (multiples of 8). 0: no
 * room, counted if count_loss; 2: the reader should be woken.
 */
static inline int ring_write(struct ring_writer *w, const struct wire_record *head,
			     const void *body, u32 body_len, int count_loss)
{
	struct wire_ring *r = w->ring;
	/* never wraps: padding up to the end */
	u64 left = w->size - (w->end & (w->size - 1)), pad = head->len > left ? left : 0;

	if (__builtin_expect(head->len > w->size / 2 ||
				     w->end + pad + head->len -
						     __atomic_load_n(&r->tail, __ATOMIC_ACQUIRE) >
					     w->size,
			     0)) {
		if (count_loss) {
			r->lost++;
			r->lost_bytes += head->len;
		}
		return 0;
	}
	w->at = ring_at(r, w->size, w->end);
	if (pad)
		ring_pad(w, (u32)pad);
	*(struct wire_record *)w->at = *head;
	bytes_copy8((struct wire_record *)w->at + 1, body, body_len);
	return 1 + ring_publish(w, head->len);
}

/* Reader: the position up to which records are complete. */
static inline u64 ring_head(const struct wire_ring *r)
{
	return __atomic_load_n(&r->head, __ATOMIC_ACQUIRE);
}
/*
 * The record at *pos (before head), or NULL at the end; moves *pos past it and past padding. size
 * is the mapped size, not the ring's own field. *len is the checked length: use it when copying the
 * record, because the one in the shared ring may change. *bad is set for a malformed ring; *pos is
 * then head.
 */
const struct wire_record *ring_next(const struct wire_ring *r, u64 size, u64 *pos, u64 head,
				    u32 *len, int *bad);
/* Releases everything before pos to the writer. */
static inline void ring_release(struct wire_ring *r, u64 pos)
{
	__atomic_store_n(&r->tail, pos, __ATOMIC_RELEASE);
}

/* Items of a WIRE_OUTPUT record, one by one; *at starts at 0. NULL: no more (or malformed). */
const struct wire_item *record_item(const struct wire_record *rec, u32 *at);

#endif
