/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nop5.h - does this kernel break programs that are probed on a nop of 5 bytes (lib/nop5.h)? It is
 * asked once, and what it said is kept for as long as the machine is up: "BOOT-ID 1" in the file
 * nop5 of the folder of runs, which is ours alone to write.
 */
#ifndef LAPWING_RUN_NOP5_H
#define LAPWING_RUN_NOP5_H

#include "runtime/run/run.h"

/*
 * 1: a probe on a nop of 5 bytes breaks programs on this kernel, or it cannot be told; 0: it does
 * not.
 */
u32 nop5_ask(void);

#endif
