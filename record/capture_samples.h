/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture_samples.h - turns records into frames of the capture: processes and threads, samples, and
 * how long threads ran and waited.
 */
#ifndef LAPWING_RECORD_CAPTURE_SAMPLES_H
#define LAPWING_RECORD_CAPTURE_SAMPLES_H

#include "record/record.h"

struct image;

/* threads: those that began during the recording. */
struct samples_books { guint64 received, idle, own, samples, threads, paused; };

/* tids: threads of opt->pids. */
void samples_open(struct capture_writer *w, const struct record_options *opt, const GArray *events, const GArray *tids);
void samples_add(const struct record_sample *s);
/* A type that perf does not have: a thread's process, ID and name, as they are in /proc now. */
#define RECORD_LOOKED	0x6c61706fu
/* Calls visit() for each thread that exists now. */
void samples_each_thread(void (*visit)(gint32 pid, gint32 tid, const char *name));
/* A process record, RECORDS_NOTE or RECORD_LOOKED; image: result of records_image(). */
void samples_process(const struct perf_event_header *h, guint64 time, struct image *image);
/* A thread was scheduled in (1) or out (0). */
void samples_switch(guint64 time, gint32 pid, gint32 tid, int in, guint32 cpu);
/* Sampling is off from that time on: the state of threads until the next record is unknown. */
void samples_pause(guint64 time);
/* The recording ends at that time: later time is not counted. */
void samples_end(guint64 time);
struct samples_books samples_sofar(void);
/* How many samples the rings have lost so far. */
void samples_set_lost(guint64 lost);
/* Writes what is buffered to the capture. */
void samples_flush(void);
/* No more samples: accounts for the last state of each thread. */
struct samples_books samples_close(guint64 end);
/*
 * Symbolizes everything, with progress on a terminal, until stop is set. Returns the number of
 * images left without names.
 */
guint samples_name(int quiet, const volatile sig_atomic_t *stop);

#endif
