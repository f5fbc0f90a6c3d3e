/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output.h - what handlers print: items for the reader (wire.h) in the hit's staging buffer,
 * sprintf here, definitions for the reader.
 */
#ifndef LAPWING_CORE_OUTPUT_H
#define LAPWING_CORE_OUTPUT_H

#include "runtime/core/core.h"

/*
 * Room for an item's payload of so many bytes in the hit's output; NULL: the hit has failed, or
 * that is more than it may print at once.
 */
void *output_item(struct rt_ctx *c, u16 format, u32 bytes);
/* Text as it is among the hit's output; cut at what the staging buffer holds. */
void output_text(struct rt_ctx *c, const char *p, u32 n);

/*
 * Sends WIRE_FORMAT for every format and WIRE_PROBE for every probe of rt_script. 0, or -1: no
 * memory, nothing was sent.
 */
int core_describe(void);

/* The head of that record as it is now. */
static inline struct wire_record output_head(const struct rt_ctx *c, int more)
{
	return (struct wire_record){
		.len = (u32)sizeof(struct wire_record) + c->out_used,
		.type = WIRE_OUTPUT,
		.flags = more ? WIRE_MORE : 0,
		.cpu = (u16)c->cpu,
		.stamp = c->out_stamp,
	};
}

/*
 * Sends the hit's output off as one record and empties it; more: WIRE_MORE is set. One stamp for
 * all of it keeps it together.
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
