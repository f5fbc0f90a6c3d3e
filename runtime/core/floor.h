/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * floor.h - what calibrating hits read; functions and places that the consumer told.
 */
#ifndef LAPWING_CORE_FLOOR_H
#define LAPWING_CORE_FLOOR_H

#include "runtime/rt.h"

struct rt_uprobe;

/* Memory for what calibrating hits read. 0 or -ENOMEM. */
int floor_load(void);
void floor_unload(void);
/*
 * WIRE_WANTS_STUB_CALLS, WIRE_WANTS_CALIBRATE, WIRE_WANTS_NOP5, or-ed: what stopwatches want
 * called, and what probes want to be told.
 */
u32 core_requests(void);
/*
 * A copy of rows, where the consumer's functions have places, and nops of 5 bytes that would break
 * the program have given theirs up for those beside them; runtime_free() it. After WIRE_ABOUT;
 * NULL: no memory.
 */
struct rt_uprobe *core_uprobes(const void *rows, u32 n);
/*
 * Why a row's instruction must not be probed on this kernel, nor another in its place: behind
 * CORE_STUCK. NULL: it may.
 */
#define CORE_STUCK \
	"this kernel replaces the 5-byte nop there with a call, which would break the program, " \
	"and no other address is safe: "
const char *core_uprobe_stuck(const struct rt_uprobe *row);

#endif
