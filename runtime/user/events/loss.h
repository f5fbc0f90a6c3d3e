/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loss.h - the times at which rings lost records that are needed to match a return with its entry.
 *
 * If the return of a call and the entry of a later one were lost, and both have the same stack
 * pointer, the later return matches the earlier entry. A call that is open while any ring loses
 * records (threads migrate) is therefore not proven to be one call: it is not a hit, and is counted
 * as such. Records of entries, returns, context switches and processes are relevant: if an exit is
 * lost, the next thread with the same number inherits the open calls.
 *
 * The kernel reports a loss in a record of its own when there is room again, which may be never. So
 * for a ring that may have been full, the counts of its events are compared with the number of
 * records read.
 */
#ifndef LAPWING_USER_LOSS_H
#define LAPWING_USER_LOSS_H

#include "runtime/user/events/perf_source.h"

/*
 * A ring lost records between two times, CLOCK_MONOTONIC ns. Call it before records younger than
 * `from` are handled. Does not allocate.
 */
void loss_add(const struct perf_source *ring, u64 from, u64 to);
/*
 * The next record to be handled is of that time: calls that were open in an earlier loss are no
 * longer proven (call.h); if records of processes were lost, /proc is read again.
 */
void loss_reach(u64 time);
/* True if the time is within a loss that was reached. */
int loss_holds(u64 time);
void loss_clear(void);

/* A record of that time says that the ring lost n records. */
void loss_reported(struct perf_source *ring, u64 n, u64 time);
/* A round has read a ring from tail on. last: its events are stopped, and all records are read. */
void loss_check(struct perf_source *ring, u64 tail, int last);

#endif
