/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output.h - what handlers print: items for the reader (wire.h) in the hit's staging buffer,
 * sprintf here, definitions for the reader.
 */
#ifndef LAPWING_CORE_OUTPUT_H
#define LAPWING_CORE_OUTPUT_H

#include "runtime/core/core.h"

/* Room for an item's payload of so many bytes in the hit's output; NULL: the hit has failed, or that is more than it may print at once. */
void *output_item(struct rt_ctx *c, u16 format, u32 bytes);
/* Text as it is among the hit's output; cut at what the staging buffer holds. */
void output_text(struct rt_ctx *c, const char *p, u32 n);

/*
 * Sends WIRE_FORMAT for every format and WIRE_PROBE for every probe of rt_script. 0, or -1: no
 * memory, nothing was sent.
 */
int core_describe(void);

#endif
