/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * merge.h - reads all perf rings and handles their records in order of time.
 */
#ifndef LAPWING_USER_MERGE_H
#define LAPWING_USER_MERGE_H

#include "runtime/user/events/hit.h"

struct wire_note;

/* The first event is open: begins to merge records. */
void merge_begin(void);
/* Closes the events of hit (perf_close()); with the last ones, pending records are dropped. */
void merge_close(hit_fn *hit);
/*
 * Reads the rings; handles records that are older than the previous call, or all if last. Returns
 * the time until the next timer, ns, at most a poll period.
 */
u64 merge_round(int last);
/* A note of a program, handled in order of time. 0, -EINVAL: not a note, or -ENOMEM. */
int merge_note(const struct wire_note *note, u64 len);
/* WIRE_SWITCH: affects hits after now. 0 or -ENOMEM. */
int merge_switch(int on);
/* Stores the rings' descriptors, at most max, to poll for records. Returns their number. */
int merge_fds(int *fds, int max);

#endif
