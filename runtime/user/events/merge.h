/* SPDX-License-Identifier: GPL-2.0-or-later */
/* merge.h - merges many perf rings and timers in order of time. */
#ifndef LAPWING_USER_EVENTS_MERGE_H
#define LAPWING_USER_EVENTS_MERGE_H

#include "runtime/user/user.h"

/* The first event is open: records are in order from now on. */
void merge_begin(void);
/* Closes the events of hit (source_close()); with the last ones, pending records are dropped. */
void merge_close(hit_fn *hit);
/* Adds a timer: due() is called at each due time and returns the next one. */
void merge_timer(const void *row, u64 first, u64 (*due)(const void *row, struct hit *hit));
void merge_drop_timers(void);
/*
 * Reads the rings; handles records that are older than the previous call, or all if last. Returns
 * the time until the next timer, ns, at most a poll period.
 */
u64 merge_round(int last);
/* A note of a program, handled in order of time. 0, -EINVAL: not a note, or -ENOMEM. */
int merge_note(const struct wire_note *note, u64 len);
/* WIRE_SWITCH: affects hits after now. 0 or -ENOMEM. */
int merge_switch(int on);
struct merge_tally;
/*
 * A hit at that time, which a source without a ring has read up to now in this round; the caller fills
 * the rest of it. NULL: no memory; it counts as lost.
 */
struct hit *merge_add(u64 time, hit_fn *hit, const void *row, struct merge_tally *tally);
/* Stores the rings' descriptors, at most max, to poll for records. Returns their number. */
int merge_fds(int *fds, int max);

#endif
