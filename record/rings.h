/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rings.h - the kernel's side of recording: one ring for each CPU, which all events of that CPU
 * write to, read in order of time.
 */
#ifndef LAPWING_RECORD_RINGS_H
#define LAPWING_RECORD_RINGS_H

#include "record/record.h"

/*
 * Samples that the events' counts predict and that are missing: all of them (ring losses included),
 * and those of idle CPUs, which are not a loss. throttled: how often the kernel throttled an event.
 * known: 0 if an event cannot report its count. refused: how often a CPU's events could not be opened
 * again, which is tried once a second: what is missing of that CPU is unknown.
 */
struct rings_books { guint64 missing, asleep, throttled, refused; int known; };

struct image;

/* A record type that perf does not have: a thread's process, ID and name, as they are in /proc now. */
#define RECORD_LOOKED	0x6c61706fu

/* Who handles what is read, in order of time. */
struct rings_reader {
	void	(*sample)(const struct record_sample *s);
	/*
	 * A process record, RECORDS_NOTE, RECORD_LOOKED, or, with the option `cgroups`,
	 * PERF_RECORD_CGROUP; image: result of records_image().
	 */
	void	(*process)(const struct perf_event_header *h, guint64 time, struct image *image);
	/* A thread was scheduled in (1) or out (0), where a blocked event is sampled. */
	void	(*switched)(guint64 time, gint32 pid, gint32 tid, int in, guint32 cpu);
	/* How many samples the rings have lost so far. */
	void	(*lost)(guint64 lost);
};

/*
 * Opens the events (struct record_event, which the caller keeps, as the reader) on threads (pid_t;
 * NULL: on all CPUs). on_exec: they are enabled by the target's exec. 0, or -1 with *error set.
 */
int rings_open(const struct record_options *opt, const struct rings_reader *reader,
	       const GArray *events, const GArray *tids, int on_exec, GError **error);
/*
 * Opens the events on all CPUs again, whose periods the caller has changed. All samples have been
 * handled: rings_stop(), rings_round(1).
 */
void rings_reopen(void);
/* Enables (1) or disables (0) the events. */
void rings_switch(int on);

struct wire_note;
/* A program's note about itself, handled at the note's time. len: bytes, untrusted. */
void rings_note(const struct wire_note *note, guint32 len);
/* Reads the rings and handles records up to the time of the previous round; last: all records. */
void rings_round(int last);
/*
 * Waits until a ring or fd (-1: none) is readable, a signal arrives, or for ms. 1: fd is
 * readable.
 */
int rings_wait(int fd, int ms);
/*
 * Disables the events; rings_round(1) reads the rest of the rings, then rings_settle() can report
 * what is missing.
 */
void rings_stop(void);
void rings_settle(struct rings_books *books);
/* The same so far, while sampling goes on: samples that have just happened may count as missing. */
void rings_sofar(struct rings_books *books);
/* samples lost because a ring was full, as the kernel has reported so far */
guint64 rings_lost(void);
void rings_close(void);

#endif
