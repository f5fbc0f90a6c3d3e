/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pmu.h - the script's counters: on each CPU a group of perf events, of which the events that hit
 * probes are members, so that a hit's record has the counts of that instant.
 *
 * Counts of threads are computed from those of CPUs: the group's leader records every switch, with
 * the counts. perf's own counters of threads would have to be opened for each thread before it
 * begins.
 */
#ifndef LAPWING_USER_PMU_H
#define LAPWING_USER_PMU_H

#include "runtime/user/user.h"

#include <linux/perf_event.h>

/* The attributes of an event of the script that only counts. */
struct perf_event_attr pmu_describe(const struct rt_event *event);
/*
 * Opens the groups. 0, or -errno, reported; the caller closes them (pmu_stop()).
 */
int pmu_start(void);
/* All events of the groups are open: enables counting. 0, or -errno, reported. */
int pmu_begin(void);
void pmu_stop(void);
/* The group that an event on that CPU joins; -1: none. */
int pmu_group(int cpu);
/* A CPU has gone offline; its counts are kept. */
void pmu_gone(int cpu);
/*
 * A CPU has come online. pmu_came(), after an event was opened there: makes the group that the
 * event leads, if any; pmu_go_on(), last: enables counting. 0 or -errno.
 */
struct event_source;
int pmu_came(const struct event_source *s);
int pmu_go_on(const struct event_source *s);
/*
 * Call it before a hit with counts is handled: its thread may have come to its CPU without a
 * record.
 */
void pmu_look(const struct hit *hit);
/* The thread has exited. */
void pmu_forget(s32 tid);
/* Stores the numbers of context switches, and of lost ones. */
void pmu_account(struct wire_summary *sum);

#endif
