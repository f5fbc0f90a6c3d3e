/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pmu.h - the script's counters: on each CPU a group of perf events, of which the events that hit
 * probes are members, so that a hit's record has the counts of that instant.
 *
 * Counts of threads are made of those of CPUs: the group's leader tells of every switch, with the
 * counts too. perf's own counters of threads would have to be opened for each thread before it
 * begins.
 */
#ifndef LAPWING_USER_PMU_H
#define LAPWING_USER_PMU_H

#include "runtime/user/user.h"

#include <linux/perf_event.h>

/* The attributes of an event of the script that only counts. */
struct perf_event_attr pmu_describe(const struct rt_event *event);
/*
 * Opens the groups. 0, or -errno with the reason said; the caller closes (merge_close(),
 * pmu_stop()).
 */
int pmu_start(void);
/* All events of the groups are open: enables counting. 0, or -errno, reported. */
int pmu_begin(void);
void pmu_stop(void);
/* The group that an event on that CPU joins; -1: none. */
int pmu_group(int cpu);
/* A CPU is not there any more; its counts stay. */
void pmu_gone(int cpu);
/*
 * A CPU has come: of an event that was opened there first, the group is made if it leads one; last,
 * it counts. 0 or -errno.
 */
struct event_source;
int pmu_came(const struct event_source *s);
int pmu_go_on(const struct event_source *s);
/*
 * To be called before what comes with counts is handled: its thread may have come to its CPU
 * unseen.
 */
void pmu_look(const struct hit *hit);
/* The thread has exited. */
void pmu_forget(s32 tid);
/* Context switches, and lost ones. */
void pmu_account(struct wire_summary *sum);

#endif
