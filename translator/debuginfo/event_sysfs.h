/* SPDX-License-Identifier: GPL-2.0-or-later */
/* event_sysfs.h - events as the kernel's PMUs describe them in /sys/bus/event_source/devices. */
#ifndef LAPWING_DEBUGINFO_EVENT_SYSFS_H
#define LAPWING_DEBUGINFO_EVENT_SYSFS_H

#include "translator/debuginfo/event.h"

/* PMU/term=value,term,.../ or PMU/NAME/. 0, or -1 with *why. */
int event_from_sysfs(const struct event_machine *m, const char *text, struct event *e, char **why);
/*
 * The PMUs of CPU types ("cpu_core", "cpu_atom") with their CPUs: strings "NAME CPUS"; empty if all
 * CPUs are the same. Free with g_ptr_array_unref.
 */
GPtrArray *event_core_pmus(const struct host *host);
/*
 * What the machine tells of a sample besides its place: texts, "cpu: precise to :ppp", in order.
 * Free with g_ptr_array_unref.
 */
GPtrArray *event_precise(const struct host *host);
/* Sets pmu and cpus of an event that only one type of CPU has. */
void event_find_cores(const struct host *host, struct event *e);
/* A PMU's type number; 0: no such PMU. */
guint32 event_pmu_type(const struct host *host, const char *pmu);

#endif
