/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spe_source.h - samples of Arm's SPE, which perf writes to an AUX area beside a ring: hits in order
 * of time.
 */
#ifndef LAPWING_USER_EVENTS_SPE_SOURCE_H
#define LAPWING_USER_EVENTS_SPE_SOURCE_H

#include "runtime/user/user.h"

struct merge_tally;
struct perf_event_attr;

/* Opens such an event on each CPU that the PMU is of. 0 or -errno, which is reported. */
int spe_source_open(const struct perf_event_attr *attr, const char *what, hit_fn *hit,
		    const void *row, struct merge_tally *tally);
/* Adds what was sampled up to now to the merge; last: nothing is sampled from then on. */
void spe_source_read(int last);
/*
 * Closes a row's events. 1: the hardware or the kernel dropped samples, and nobody counts how many.
 */
int spe_source_close(const void *row);

#endif
