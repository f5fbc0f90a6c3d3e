/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf_open.h - opens perf events on CPUs or on the threads of a process, with as much of each
 * sample as the script needs.
 *
 * Before the first one it opens an event that records forks, execs, mappings and exits.
 */
#ifndef LAPWING_USER_PERF_OPEN_H
#define LAPWING_USER_PERF_OPEN_H

#include "runtime/user/events/perf_source.h"

#include <linux/perf_event.h>

/*
 * Opens attr on every CPU, or with --only-target on the target and its descendants; sample type,
 * clock and records are set here. hit is called for its samples; *tally accounts for them. It only
 * counts without a sample_period. 0 or -errno; the reason is reported as WIRE_ERROR.
 */
int perf_open(const struct perf_event_attr *attr, const char *what, hit_fn *hit, const void *row,
	      struct perf_tally *tally);
/*
 * The same for one process and its descendants (0: all); attr NULL: only records of processes.
 */
int perf_open_process(s32 pid, const struct perf_event_attr *attr, const char *what, hit_fn *hit,
		      const void *row, struct perf_tally *tally);
/* The same as perf_open(), on one CPU, for all threads. */
int perf_open_one(const struct perf_event_attr *attr, const char *what, hit_fn *hit,
		  const void *row, struct perf_tally *tally);
/* True if an event is open on every CPU. */
int perf_open_is_everywhere(void);
/* Opens those events on a CPU that came online. 0, or -ENODEV: it is not online yet. */
int perf_open_cpu(int cpu);
/* Closes the events of hit; NULL: all. */
void perf_close(hit_fn *hit);

#endif
