/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * frame.h - rings and their records: the writer's side and the reader's.
 *
 * Writer: one CPU per ring. Reservations may nest (an interrupt's inside a task's): only the outermost commit publishes head, as
 * perf does, so the reader never sees a record that is not complete. NMI safe on the ring's own CPU.
 * Reader: trusts no length.
 */
#ifndef LAPWING_CORE_FRAME_H
#define LAPWING_CORE_FRAME_H

#include "runtime/rt.h"
#include "runtime/wire.h"

struct ring_writer {
	struct wire_ring *ring;
	u64	size;		/* of records; the ring's own word is the reader's to scribble on */
	u64	reserved;	/* end of reservations; own CPU only */
	u32	nest;		/* reservations not yet committed */
};

void ring_writer_init(struct ring_writer *w, struct wire_ring *ring, u64 size);
/*
 * Room for a record of len bytes (header included, a multiple of 8) with len filled in; NULL when there is none. Each call, also one
 * that gave NULL, must be followed by ring_commit() on the same CPU. count_loss: NULL is counted in the ring.
 */
struct wire_record *ring_reserve(struct ring_writer *w, u32 len, int count_loss);
void ring_commit(struct ring_writer *w);

/* Reader: the position up to which records are complete. */
static inline u64 ring_head(const struct wire_ring *r) { return __atomic_load_n(&r->head, __ATOMIC_ACQUIRE); }
/*
 * The record at *pos (before head), or NULL at the end; moves *pos over it and over padding. size is what the reader mapped, not what the
 * ring says. *len is the checked length: who copies the record takes that, for the one in the shared ring may change. *bad is set for a
 * ring no writer of ours made; *pos is then head.
 */
const struct wire_record *ring_next(const struct wire_ring *r, u64 size, u64 *pos, u64 head, u32 *len, int *bad);
/* Gives everything before pos back to the writer. */
static inline void ring_release(struct wire_ring *r, u64 pos) { __atomic_store_n(&r->tail, pos, __ATOMIC_RELEASE); }

/* Items of a WIRE_OUTPUT record, one after the other; *at starts at 0. NULL: no more (or hostile). */
const struct wire_item *record_item(const struct wire_record *rec, u32 *at);

#endif
