/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rings.h - the kernel's side of recording: one ring for each CPU, which all events of that CPU
 * write to, read in order of time.
 */
#ifndef LAPWING_RECORD_RINGS_H
#define LAPWING_RECORD_RINGS_H

#include "record/record.h"

guint64 record_now(void);		/* CLOCK_MONOTONIC, ns */

/*
 * What did not come of the samples that there should be by what events have counted: how many, ring losses among them; of these, those
 * of idle CPUs, which are no loss. known: all events can tell.
 */
struct rings_books { guint64 missing, asleep, throttled; int known; };

/* Opens the events on threads (pid_t; NULL: everywhere). on_exec: they begin with the target's exec. 0 or -1 with *error set. */
int rings_open(const struct record_options *opt, const GArray *events, const GArray *tids, int on_exec, GError **error);
void rings_switch(int on);

struct wire_note;
void rings_note(const struct wire_note *note, guint32 len);
/* Handles what there is, up to the time of the round before; last: all of it. */
void rings_round(int last);
/* Until there is something to read, fd (-1: none) has something, a signal or so many ms. 1: fd has. */
int rings_wait(int fd, int ms);
/* Stops the events; rings_round(1) still reads what was taken, and rings_settle() then knows what there should be. */
void rings_stop(void);
void rings_settle(struct rings_books *books);
guint64 rings_lost(void);		/* samples that had no room, as the kernel told up to now */
void rings_close(void);

#endif
