/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * records.h - perf's records of processes (COMM, FORK, EXIT, MMAP2), for process.h.
 */
#ifndef LAPWING_PERF_RECORDS_H
#define LAPWING_PERF_RECORDS_H

#include "symbolize/process.h"

#include <linux/perf_event.h>

/* Sets the attributes that such records need; the caller sets the others. */
void records_ask(struct perf_event_attr *attr);
/* A type that perf does not have: after the header, a struct wire_note with its name. */
#define RECORDS_NOTE	0x6c61706eu
/* True if `len` untrusted bytes are a note with its name. */
int records_is_note(const struct wire_note *note, u64 len);
/* The image of an MMAP2 record, opened now: call it when the record is read. NULL: none. */
struct image *records_image(const struct perf_event_header *h);
/* Reads the mapping of an MMAP2 record. 1, or 0: another record. */
int records_map(const struct perf_event_header *h, struct image_map *map);
/* Applies a record to process.h: call it in order of time. image: result of records_image(). */
void records_apply(const struct perf_event_header *h, struct image *image);

#endif
