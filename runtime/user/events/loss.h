/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loss.h - when records were lost without which the entry and the return of a call cannot be
 * joined.
 *
 * A return whose own entry was lost finds that of an earlier call which left the same stack pointer
 * behind, if that one's return was lost too. So what is open at any time of a loss, in any ring, as
 * threads migrate, is not proven to be one call, and what is not proven is no hit: it is counted.
 * Records that count here: those of entries and returns, of context switches, of processes (an exit
 * that was lost leaves calls to whoever has the thread's number next).
 *
 * The kernel tells of a loss in a record of its own, with the next one for which there is room,
 * which may be never. A ring that may have been full is asked about itself: how often its events
 * happened, beside how many records came.
 */
#ifndef LAPWING_LOSS_H
#define LAPWING_LOSS_H

#include "runtime/user/events/source.h"

/*
 * A ring lost records between two times, CLOCK_MONOTONIC ns. To be called before what is younger
 * than from is handled; needs no memory.
 */
void loss_add(const struct event_source *ring, u64 from, u64 to);
/*
 * The next record to be handled is of that time: calls that were open in an earlier loss are no
 * longer proven (call.h); if records of processes were lost, /proc is read again.
 */
void loss_reach(u64 time);
/* True if the time is within a loss that was reached. */
int loss_holds(u64 time);
/* Was any reached? */
int loss_has_been(void);
void loss_clear(void);

/* A ring tells of n lost records; time: of its telling. */
void loss_told(struct event_source *ring, u64 n, u64 time);
/* A round has read a ring that began at tail. last: its events are stopped, and all is read. */
void loss_look(struct event_source *ring, u64 tail, int last);

#endif
