/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nop5.h - finds out whether probes on 5-byte nops break programs on this kernel.
 */
#ifndef LAPWING_RUN_NOP5_H
#define LAPWING_RUN_NOP5_H

#include "runtime/rt.h"

/*
 * 1: a probe on a 5-byte nop breaks programs on this kernel, or this cannot be determined; 0: it
 * does not.
 */
u32 nop5_check(void);

#endif
