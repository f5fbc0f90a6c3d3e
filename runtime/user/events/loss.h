/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loss.h - losses of records that are needed to join the entry and the return of a call.
 *
 * A return whose own entry was lost matches that of an earlier call with the same stack pointer, if
 * that call's return was lost too. So a call that is open during a loss, in any ring, as threads
 * migrate, is unproven, and an unproven call is not a hit: it is counted. The records that matter
 * here are those of entries and returns, of context switches, and of processes (a lost exit leaves
 * calls to the next thread with the same thread ID).
 *
 * The kernel reports a loss in a record of its own, with the next record for which there is room,
 * which may be never. So a ring that may have been full is checked: how often its events happened,
 * against how many records arrived.
 */
#ifndef LAPWING_LOSS_H
#define LAPWING_LOSS_H

#include "runtime/user/events/source.h"

/*
 * A ring lost records between two times, CLOCK_MONOTONIC ns. Call it before handling anything later
 * than `from`; needs no memory.
 */
void loss_add(const struct event_source *ring, u64 from, u64 to);
/*
 * The next record to be handled has this time: calls that were open in an earlier loss become
 * unproven (call.h); if process records were lost, /proc is read again.
 */
void loss_reach(u64 time);
/* True if the time is within a loss that was reached. */
int loss_holds(u64 time);
/* True if any loss was reached. */
int loss_has_been(void);
void loss_clear(void);

/* A ring reports n lost records; time: of the report. */
void loss_told(struct event_source *ring, u64 n, u64 time);
/* A round has read a ring from tail on. last: its events are stopped, and all is read. */
void loss_look(struct event_source *ring, u64 tail, int last);

#endif
