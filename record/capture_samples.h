/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture_samples.h - turns records into frames of the capture: processes and threads, samples, and
 * how long threads ran and waited.
 */
#ifndef LAPWING_RECORD_CAPTURE_SAMPLES_H
#define LAPWING_RECORD_CAPTURE_SAMPLES_H

#include "record/record.h"
#include "record/rings.h"

/* threads: those that began during the recording. */
struct samples_books { guint64 received, idle, own, samples, threads; };

/* tids: threads of opt->pids. */
void samples_open(struct capture_writer *w, const struct record_options *opt, const GArray *events, const GArray *tids);
/* For rings_open(). */
extern const struct rings_reader samples_reader;
/* Sampling is off from that time on: the state of threads until the next record is unknown. */
void samples_pause(guint64 time);
/* The recording ends at that time: later time is not counted. */
void samples_end(guint64 time);
struct samples_books samples_sofar(void);
/* Writes what is buffered to the capture. */
void samples_flush(void);
/* No more samples: accounts for the last state of each thread. */
struct samples_books samples_close(guint64 end);

#endif
