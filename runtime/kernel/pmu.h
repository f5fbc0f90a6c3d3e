/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pmu.h - the script's counters: one pinned perf event per event and CPU, and their counts per thread (core/vcount.h).
 */
#ifndef LAPWING_KERNEL_PMU_H
#define LAPWING_KERNEL_PMU_H

#include "runtime/rt.h"

struct perf_event_attr;

/* What perf takes for an event of the script; period 0: it only counts. */
void pmu_describe(const struct rt_event *event, u64 period, struct perf_event_attr *attr);
/* Why an event could not be opened: a WIRE_ERROR that names it. */
void pmu_refuse(const struct rt_event *event, const char *what, int cpu, int rc);
/* Starts all counters of rt_script.events. 0, or -errno with the reason said and nothing kept. Process context. */
int pmu_start(void);
/* Warns of counters that were not counting all the time. Nothing reads them any more. */
void pmu_stop(void);

#endif
