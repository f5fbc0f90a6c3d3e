/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * floor.h - floors: what stopwatches read for empty functions; the fate of the calls that they were
 * to time; places of probes in programs.
 */
#ifndef LAPWING_CORE_FLOOR_H
#define LAPWING_CORE_FLOOR_H

#include "runtime/core/core.h"

/* Allocates memory for the readings of calibrating hits. 0 or -ENOMEM. */
int floor_load(void);
void floor_unload(void);
/*
 * WIRE_WANTS_EMPTY, WIRE_WANTS_CALIBRATE, WIRE_WANTS_NOP5, WIRE_REPLACES, or-ed: what stopwatches
 * need called, what probes need to know, and what they do to programs.
 */
u32 core_wants(void);
/*
 * A copy of rows in which the consumer's functions have their places, and probes on 5-byte nops
 * that would break the program are moved aside; runtime_free() it. After WIRE_ABOUT; NULL: no
 * memory.
 */
struct rt_uprobe *core_uprobes(const void *rows, u32 n);
/*
 * Why neither the row's instruction nor another in its place may be probed on this kernel, for
 * RUN_NOP_CALL. NULL: it may.
 */
const char *core_uprobe_stuck(const struct rt_uprobe *row);

#endif
