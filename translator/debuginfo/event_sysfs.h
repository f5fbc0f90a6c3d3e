/* SPDX-License-Identifier: GPL-2.0-or-later */
/* event_sysfs.h - events as the kernel's PMUs describe them in /sys/bus/event_source/devices. */
#ifndef LAPWING_DEBUGINFO_EVENT_SYSFS_H
#define LAPWING_DEBUGINFO_EVENT_SYSFS_H

#include "translator/debuginfo/event.h"

/* PMU/term=value,term,.../ or PMU/NAME/. 0, or -1 with *why. */
int event_from_sysfs(const struct event_machine *m, const char *text, struct event *e, char **why);
/* The kinds of CPU whose PMUs are told apart ("cpu_core", "cpu_atom"), with their CPUs ("0-7"); empty where all are alike. */
GPtrArray *event_core_pmus(const struct host *host);	/* texts, "NAME CPUS"; free with g_ptr_array_unref */
/* Where the event is of one kind of CPU: pmu and cpus. */
void event_find_cores(const struct host *host, struct event *e);
/* Number of a PMU; 0: there is none of that name. */
guint32 event_pmu_type(const struct host *host, const char *pmu);

#endif
