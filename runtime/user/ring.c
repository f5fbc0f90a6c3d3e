/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ring.c - the one output ring. In user space it grows instead of losing: the consumer asks for it anew in every round.
 */
#include "runtime/user/user.h"

#include "runtime/core/frame.h"

#include <stdlib.h>
#include <string.h>

static struct ring_writer writer;
static u64 size;

static struct wire_ring *make(u64 bytes)
{
	return aligned_alloc(4096, WIRE_RING_HEADER + bytes);
}

int ring_open(u64 bytes)
{
	struct wire_ring *r;

	for (size = 65536; size < bytes; size *= 2)
		;
	r = make(size);
	if (!r)
		return -1;
	memset(r, 0, WIRE_RING_HEADER);
	ring_writer_init(&writer, r, size);
	return 0;
}

struct wire_ring *ring_get(void)
{
	return writer.ring;
}

/* Twice the room; what has not been read keeps its positions. */
static int grow(void)
{
	struct wire_ring *old = writer.ring, *r = make(2 * size);
	u64 head = old->head;

	if (!r)
		return -1;
	memcpy(r, old, WIRE_RING_HEADER);
	/* Records never wrap in either size only if positions start over: move them down to 0. */
	r->head = 0;
	r->tail = 0;
	for (u64 pos = old->tail; pos < head; ) {
		struct wire_record *rec = (struct wire_record *)((u8 *)old + WIRE_RING_HEADER + (pos & (size - 1)));

		if (rec->type != WIRE_PAD) {
			memcpy((u8 *)r + WIRE_RING_HEADER + r->head, rec, rec->len);
			r->head += rec->len;
		}
		pos += rec->len;
	}
	head = r->head;
	size *= 2;
	ring_writer_init(&writer, r, size);
	writer.reserved = head;
	free(old);
	return 0;
}

void runtime_flush(struct rt_ctx *c, int more)
{
	u32 len = (u32)sizeof(struct wire_record) + c->out_used;
	struct wire_record *rec = ring_reserve(&writer, len, 0);

	if (!rec) {
		ring_commit(&writer);
		rec = grow() ? NULL : ring_reserve(&writer, len, 1);
	}
	if (rec) {
		rec->type = WIRE_OUTPUT;
		rec->flags = more ? WIRE_MORE : 0;
		rec->cpu = 0;
		rec->stamp = c->out_stamp;
		memcpy(rec + 1, c->out, c->out_used);
	}
	ring_commit(&writer);
	c->out_used = 0;
}

void ring_close(void)
{
	free(writer.ring);
	memset(&writer, 0, sizeof(writer));
}
