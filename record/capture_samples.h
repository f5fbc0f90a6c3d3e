/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture_samples.h - converts records to frames of the capture: processes, threads, samples, time
 * on and off the CPU.
 *
 * Records come in time order (rings.h). All times are CLOCK_MONOTONIC, ns.
 */
#ifndef LAPWING_RECORD_CAPTURE_SAMPLES_H
#define LAPWING_RECORD_CAPTURE_SAMPLES_H

#include "record/record.h"
#include "report/capture.h"

#include <signal.h>

struct image;

/* threads: those that began during the recording. paused: ns, set by the caller. */
struct samples_account { guint64 received, idle, own, samples, threads, paused; };

/* The caller keeps events, opt and w. tids: threads of opt->pids, which are known from `now` on. */
void samples_open(struct capture_writer *w, const struct record_options *opt, const GArray *events,
		  const GArray *tids, guint64 now);
void samples_add(const struct record_sample *s);
/* n more samples were lost because a ring was full. */
void samples_lost(guint64 n);
/*
 * A record type that perf does not have: a thread's process, number and name, as /proc has them
 * now.
 */
#define RECORD_LOOKED	0x6c61706fu
/* Calls visit() for each thread in /proc. */
void proc_each_thread(void (*visit)(gint32 pid, gint32 tid, const char *name));
/* A process record, RECORDS_NOTE or RECORD_LOOKED; image: result of records_image(). */
void samples_process(const struct perf_event_header *h, guint64 time, struct image *image);
/* A thread was scheduled in (1) or out (0). */
void samples_switch(guint64 time, gint32 pid, gint32 tid, int in, guint32 cpu);
/* Sampling is off from that time on: the state of threads until the next record is unknown. */
void samples_pause(guint64 time);
/* The recording ends at that time: later time is not counted. */
void samples_end(guint64 time);
struct samples_account samples_so_far(void);
/* Writes what is buffered to the capture. */
void samples_flush(void);
/* Accounts each thread's time up to `end` and writes what is left. */
struct samples_account samples_close(guint64 end);
/*
 * Symbolizes all images, with progress on a terminal unless quiet, until *stop is set. Returns the
 * number of images left.
 */
guint samples_symbolize(int quiet, const volatile sig_atomic_t *stop);

#endif
