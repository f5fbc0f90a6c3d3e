/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * records.h - perf's records of processes (COMM, FORK, EXIT, MMAP2), for process.h.
 */
#ifndef LAPWING_PERF_RECORDS_H
#define LAPWING_PERF_RECORDS_H

#include "symbolize/process.h"

#include <linux/perf_event.h>

/* Sets the attributes that these records need; all others are the caller's. */
void records_request(struct perf_event_attr *attr);
/*
 * The end of all records except samples, for events with sample_id_all and at least this
 * sample_type.
 */
#define RECORDS_SAMPLE_TYPE \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU)
struct records_trailer {
	u32	pid, tid;
	u64	time;		/* ns, of the event's clock */
	u32	cpu, reserved;
	u64	id;		/* the event's */
};
/* NULL: the record is too short. */
const struct records_trailer *records_trailer(const struct perf_event_header *h);
/*
 * The number in a PERF_RECORD_LOST or PERF_RECORD_LOST_SAMPLES: records that found the ring full.
 * 0 for all other records.
 */
u64 records_lost(const struct perf_event_header *h);
/*
 * A record type that perf does not have: a struct wire_note and its name after the header.
 * records_note() makes one, which the caller frees. NULL: malformed note, or no memory.
 */
#define RECORDS_NOTE	0x6c61706eu
struct perf_event_header *records_note(const struct wire_note *note, u64 len);
/* The image of an MMAP2 record, opened now: call it when the record is read. NULL: none. */
struct image *records_image(const struct perf_event_header *h);
/* Reads the mapping of an MMAP2 record. 1, or 0: another record. */
int records_map(const struct perf_event_header *h, struct image_map *map);
/* Applies a record to process.h: call it in order of time. image: result of records_image(). */
void records_apply(const struct perf_event_header *h, struct image *image);

#endif
