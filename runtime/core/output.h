/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output.h - output of handlers: items for the reader (wire.h) in the hit's staging buffer,
 * sprintf, definitions for the reader.
 */
#ifndef LAPWING_CORE_OUTPUT_H
#define LAPWING_CORE_OUTPUT_H

#include "runtime/core/core.h"

/*
 * Room for an item's payload of `bytes` bytes in the hit's output; NULL: the hit has failed, or
 * that is more than a record holds.
 */
void *output_item(struct rt_ctx *c, u16 format, u32 bytes);
/* Adds text to the hit's output unchanged; truncated to the size of the staging buffer. */
void output_text(struct rt_ctx *c, const char *p, u32 n);

/*
 * Sends WIRE_FORMAT for every format and WIRE_PROBE for every probe of rt_script. 0, or -1: no
 * memory, nothing was sent.
 */
int core_describe(void);

/* The header of the hit's output record in its current state. */
static inline struct wire_record output_head(const struct rt_ctx *c, int more)
{
	return (struct wire_record){
		.len = (u32)sizeof(struct wire_record) + c->out_used,
		.type = WIRE_OUTPUT,
		.flags = (u8)((more ? WIRE_MORE : 0) | (c->taken & WIRE_ASIDE)),
		.cpu = (u16)c->cpu,
		.stamp = c->out_stamp,
	};
}

/*
 * Sends the hit's output as one record and empties it; more: sets WIRE_MORE. One stamp for all
 * records of a hit keeps them together.
 */
static inline void output_flush(struct rt_ctx *c, int more)
{
	if (__builtin_expect(!(c->taken & RT_TOOK_STAMP), 1))
		c->out_stamp = runtime_clock();
	if (more)
		c->taken |= RT_TOOK_STAMP;
	if (__builtin_expect(c->out != c->stage, 1)) {
		struct wire_record *rec = (struct wire_record *)c->out - 1;

		*rec = output_head(c, more);
		if (__builtin_expect(ring_publish(c->ring, rec->len), 0))
			runtime_wake();
	} else {
		runtime_flush(c, more);
	}
	c->out_used = 0;
}

#endif
