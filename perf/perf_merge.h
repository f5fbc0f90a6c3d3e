/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf_merge.h - records of many rings, handled in time order.
 *
 * Within a ring records are nearly in order; between rings they are not. A round takes a clock
 * value, reads every ring up to its head, and handles all records older than the clock value of the
 * previous round: no older record can appear any more. So a ring whose records come a round late is
 * still merged in order. Records with equal times are handled in the order in which they were read.
 * Records lost by the kernel are not known here (records_lost()). Single-threaded.
 */
#ifndef LAPWING_PERF_MERGE_H
#define LAPWING_PERF_MERGE_H

#include "runtime/rt.h"

#include <linux/perf_event.h>
#include <stddef.h>

/* A waiting record: the first member of a struct of the caller's. */
struct perf_merge_item {
	u64		time, sequence;
	struct perf_event_header *record;	/* a copy, freed after the item was handled;
						 * NULL: none */
};

struct perf_merge {
	size_t		size;			/* bytes of an item */
	u8		*items, *current;	/* waiting items; a copy of the one being handled */
	size_t		n, room;
	u64		sequence, previous;
};

/*
 * A merge of structs that begin with a perf_merge_item. It owns memory after perf_merge_add();
 * perf_merge_clear() frees it.
 */
#define PERF_MERGE_OF(type) \
	{ \
		.size = sizeof(type) + 0 * sizeof(char[offsetof(type, item) ? -1 : 1]) \
	} /* its first member is `item` */

/* Starts the rounds: no record is older than `now`. */
void perf_merge_begin(struct perf_merge *m, u64 now);
/*
 * Adds an item, zeroed except for its time and its copy of the record (NULL: without one): valid
 * until the next call. NULL: no memory. Handlers may also add items.
 */
void *perf_merge_add(struct perf_merge *m, u64 time, const struct perf_event_header *record);
/*
 * now: the clock before the rings were read. Returns the time up to which all records have been
 * read: the `now` of the round before.
 */
u64 perf_merge_round(struct perf_merge *m, u64 now);
/*
 * Calls handle() for each item with a time <= until, in order. Handlers must not call it, nor
 * perf_merge_clear().
 */
void perf_merge_handle(struct perf_merge *m, u64 until,
		       void (*handle)(struct perf_merge_item *item));
/* Drops all waiting items and forgets the rounds. */
void perf_merge_clear(struct perf_merge *m);

#endif
