/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timing.h - -t: prints the probes' times at the end, a line per probe that was hit, in SystemTap's
 * format.
 */
#ifndef LAPWING_RUN_TIMING_H
#define LAPWING_RUN_TIMING_H

#include "runtime/run/run.h"

/* -t */
u64 timing_variance(const struct wire_account *a);
void timing_report(void);

#endif
