/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracefs.h - where tracefs is, and the events of this run that it describes to the kernel: kprobe
 * events and uprobe events.
 *
 * They are in the group lapwing_PID, by a letter of their family and a number. The kernel keeps
 * them until they are removed: a run that was killed leaves its own, which the next run removes
 * before it describes its first.
 */
#ifndef LAPWING_USER_TRACEFS_H
#define LAPWING_USER_TRACEFS_H

#include "runtime/rt.h"

/* The file for descriptions, and the first letter of its events. */
struct tracefs_kind {
	const char	*file;		/* "kprobe_events" */
	char		letter;
};

/*
 * Mounted if need be; NULL: nowhere, which is reported: who asks needs it, and does not say so
 * again.
 */
const char *tracefs_root(void);
/* The same for optional use. */
int tracefs_is_mounted(void);
/*
 * All below need a root. The number of one of the kernel's own events; system may be "*". -1: there
 * is none of that name.
 */
long tracefs_event(const char *system, const char *name);
/*
 * The offsets in the event's records of a row's fields, by the running kernel: a script may have been
 * translated on another one. NULL, or the first field that has another size or is missing.
 */
const struct rt_record_field *tracefs_find_fields(const struct rt_tracepoint *t, u32 *offsets);
/*
 * How many bytes before the first field of a record are more than the usual 8: PREEMPT_RT of Linux
 * 6.1 has a further common field. Read from the running kernel, once.
 */
u32 tracefs_head_more(void);
/* Removes the events of dead runs. Once, before the first one is described. */
void tracefs_sweep(const struct tracefs_kind *kind);
/*
 * Describes event n: how is "p", "r", or "r16" with maxactive, what follows the name. 0 or -errno,
 * not reported.
 */
int tracefs_add(const struct tracefs_kind *kind, u32 n, const char *how, const char *what);
/* perf's number of event n; -1: no such event. */
long tracefs_id(const struct tracefs_kind *kind, u32 n);
/* Removes the first n events; all must be closed. */
void tracefs_drop(const struct tracefs_kind *kind, u32 n);

#endif
