/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nop5.h - finds out whether this kernel breaks programs that are probed on a nop of 5 bytes
 * (lib/nop5.h). The test runs once per boot, and its result is kept: "BOOT-ID 1" in the file nop5
 * of the folder of runs, which only this user can write.
 */
#ifndef LAPWING_RUN_NOP5_H
#define LAPWING_RUN_NOP5_H

#include "runtime/run/run.h"

/*
 * 1: a probe on a nop of 5 bytes breaks programs on this kernel, or that is unknown; 0: it does
 * not.
 */
u32 nop5_ask(void);

#endif
