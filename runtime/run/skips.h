/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * skips.h - optional probes that the runtime could not arm (WIRE_SKIPPED): counts them, and warns. Of
 * hundreds with one reason the first is named, and how many there are.
 */
#ifndef LAPWING_RUN_SKIPS_H
#define LAPWING_RUN_SKIPS_H

#include "runtime/rt.h"
#include "runtime/wire.h"

/* The message of probe id; n: bytes of it. Warns if the reason is new, or with -v. */
void skips_take(u32 id, const struct wire_skipped *s, u32 n);
/* Says how many each reason has. Called when the run has started, or has failed to. */
void skips_report(void);
/* Number of probes that are left out. */
unsigned skips_count(void);

#endif
