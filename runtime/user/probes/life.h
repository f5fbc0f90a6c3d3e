/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * life.h - turns in the lives of processes and threads, from perf's records: what is known of them
 * follows, and probes are hit.
 */
#ifndef LAPWING_USER_LIFE_H
#define LAPWING_USER_LIFE_H

#include "runtime/user/events/hit.h"

struct image;
struct perf_event_header;

/*
 * A record (perf/records.h), in order of time. hit has its time and CPU; image: of its mapping, or
 * NULL.
 */
void life_record(const struct perf_event_header *h, struct image *image, struct hit *hit);
/*
 * Records from before that time were lost, of processes too if of_processes: what they would have
 * told is in doubt.
 */
void life_lost(u64 until, int of_processes);

#endif
