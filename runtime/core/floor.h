/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * floor.h - what stopwatches read of functions in which nothing happens, and what became of the
 * calls that they were to time; where probes of programs stand.
 */
#ifndef LAPWING_CORE_FLOOR_H
#define LAPWING_CORE_FLOOR_H

#include "runtime/core/core.h"

/* Memory for what calibrating hits read. 0 or -ENOMEM. */
int floor_load(void);
void floor_unload(void);
/*
 * WIRE_WANTS_EMPTY, WIRE_WANTS_CALIBRATE, WIRE_WANTS_NOP5, WIRE_REPLACES, or-ed: what stopwatches
 * want called, what probes want to be told, and what they do to programs.
 */
u32 core_wants(void);
/*
 * A copy of rows, where the consumer's functions have places, and nops of 5 bytes that would break
 * the program have given theirs up for those beside them; runtime_free() it. After WIRE_ABOUT;
 * NULL: no memory.
 */
struct rt_uprobe *core_uprobes(const void *rows, u32 n);
/*
 * Why the row's instruction must not be probed on this kernel, nor another in its place: behind
 * CORE_STUCK. NULL: it may.
 */
#define CORE_STUCK "this kernel makes the 5-byte nop there a call, which would break the program, and no other place serves: "
const char *core_uprobe_stuck(const struct rt_uprobe *row);

#endif
