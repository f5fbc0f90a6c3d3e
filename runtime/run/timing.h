/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timing.h - -t: the time that handlers take.
 */
#ifndef LAPWING_RUN_TIMING_H
#define LAPWING_RUN_TIMING_H

#include "runtime/rt.h"

struct wire_account;

/* Variance of the times of a probe's handler, an integer as @variance. */
u64 timing_variance(const struct wire_account *a);
void timing_report(void);

#endif
