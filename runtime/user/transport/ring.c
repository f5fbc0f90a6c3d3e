/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ring.c - the one output ring. In user space it grows rather than lose records: the consumer gets
 * its address again in every round.
 */
#include "runtime/user/transport/ring.h"

#include "runtime/core/frame.h"
#include "runtime/user/user.h"

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

	size = bytes;
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

/* Doubles the size; unread records are kept, at new positions. */
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
		struct wire_record *rec =
			(struct wire_record *)((u8 *)old + WIRE_RING_HEADER + (pos & (size - 1)));

		if (rec->type != WIRE_PAD) {
			memcpy((u8 *)r + WIRE_RING_HEADER + r->head, rec, rec->len);
			r->head += rec->len;
		}
		pos += rec->len;
	}
	size *= 2;
	ring_writer_init(&writer, r, size);
	free(old);
	return 0;
}

void runtime_flush(struct rt_ctx *c, int more)
{
	struct wire_record head = {
		.len = (u32)sizeof(head) + c->out_used,
		.type = WIRE_OUTPUT,
		.flags = (u8)((more ? WIRE_MORE : 0) | (c->taken & WIRE_ASIDE)),
		.cpu = (u16)c->cpu,
		.stamp = c->out_stamp,
	};

	if (!ring_write(&writer, &head, c->out, c->out_used, 0)) {
		grow();		/* without memory, the loss is counted */
		ring_write(&writer, &head, c->out, c->out_used, 1);
	}
}

void runtime_wake(void)		/* the consumer is this process */
{
}

void ring_close(void)
{
	free(writer.ring);
	memset(&writer, 0, sizeof(writer));
}
