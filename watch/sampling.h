/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sampling.h - samples of the whole machine, counted in memory as they are read. There is one sampling
 * in the process. Single-threaded.
 */
#ifndef LAPWING_WATCH_SAMPLING_H
#define LAPWING_WATCH_SAMPLING_H

#include "record/capture_ends.h"
#include "watch/counts.h"

#include <signal.h>

/* What was counted since sampling_clear(), by stacks and units as stacks.h and units.h number them. */
extern struct counts sampling_counts;
/* Of that, samples; `paused` and `own` stay 0. */
extern struct handled sampling_handled;
/* When sampling began, ns of the monotonic clock. */
extern guint64 sampling_began;
/* A signal asked for the end. */
extern volatile sig_atomic_t sampling_stopped;

/*
 * Opens the events (struct record_event, which the caller keeps) on all CPUs. 0, or -1 with *error
 * set.
 */
int sampling_open(const struct record_options *opt, const GArray *events, GError **error);
/* Begins. w: a capture that stacks are written to; NULL: none. */
void sampling_begin(const struct record_options *opt, struct capture_writer *w);
/* Waits for samples, until a time (us, g_get_monotonic_time()) at most, and counts what there is. */
void sampling_round(gint64 until);
/* Stops for good, and counts the rest. */
void sampling_end(void);
/* Forgets what was counted, and images, stacks and units that only that needed. */
void sampling_clear(void);
void sampling_close(void);

#endif
