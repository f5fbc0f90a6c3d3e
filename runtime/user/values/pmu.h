/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pmu.h - the script's counters: a group of perf events on each CPU. Events of probes are members
 * of it, so that the record of a hit contains the counts at that instant.
 *
 * Counts per thread are calculated from those per CPU: the group's leader samples each context
 * switch with the counts. perf's own counters per thread would have to be opened before each thread
 * begins.
 */
#ifndef LAPWING_USER_PMU_H
#define LAPWING_USER_PMU_H

#include "runtime/rt.h"
#include "runtime/wire.h"

#include <linux/perf_event.h>

/* The attributes of an event of the script that only counts. */
struct perf_event_attr pmu_describe(const struct rt_event *event);
/*
 * Opens the groups. 0, or -errno with the reason reported; the caller closes them (merge_close(),
 * pmu_stop()).
 */
int pmu_start(void);
/* All events of the groups are open: enables counting. 0, or -errno, reported. */
int pmu_begin(void);
void pmu_stop(void);
/* The group that an event on that CPU joins; -1: none. */
int pmu_group(int cpu);
/* A CPU went offline; its counts are kept. */
void pmu_cpu_offline(int cpu);
/*
 * A CPU came online: pmu_cpu_online() makes the group that an event opened there leads; after all
 * events of the CPU are open, pmu_go_on() enables it. 0 or -errno.
 */
struct perf_source;
int pmu_cpu_online(const struct perf_source *s);
int pmu_go_on(const struct perf_source *s);
/* The thread has exited. */
void pmu_forget(s32 tid);
/* Context switches, and lost ones. */
void pmu_account(struct wire_summary *sum);

#endif
