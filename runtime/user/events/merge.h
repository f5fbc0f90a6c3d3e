/* SPDX-License-Identifier: GPL-2.0-or-later */
/* merge.h - many perf rings and timers, one order of time. */
#ifndef LAPWING_USER_EVENTS_MERGE_H
#define LAPWING_USER_EVENTS_MERGE_H

#include "runtime/user/user.h"

/* The first event is open: records are in order from now on. */
void merge_begin(void);
void merge_close(hit_fn *hit);
/* A timer: due() is called at each due time and gives the next one. */
void merge_timer(const void *row, u64 first, u64 (*due)(const void *row, struct hit *hit));
void merge_drop_timers(void);
/* Takes what there is; handles what is older than the last call, or all when last. Gives ns until the next timer (or a poll period). */
u64 merge_round(int last);
/* What a program tells of itself, handled at its time. 0, -EINVAL: it is none, or -ENOMEM. */
int merge_note(const struct wire_note *note, u64 len);
/* WIRE_SWITCH from now on: hits that come before are those of before. 0 or -ENOMEM. */
int merge_switch(int on);
int merge_fds(int *fds, int max);

#endif
