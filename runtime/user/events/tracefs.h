/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracefs.h - where tracefs is, and the events of this run that it describes to the kernel: kprobe
 * events and uprobe events.
 *
 * They are in the group lapwing_PID, by a letter of their family and a number. The kernel keeps
 * them until they are removed: a run that was killed leaves its own, which the next run removes
 * before it describes its first.
 */
#ifndef LAPWING_TRACEFS_H
#define LAPWING_TRACEFS_H

#include "runtime/rt.h"

/* Which file takes the descriptions, and the letter that its events begin with. */
struct tracefs_kind {
	const char	*file;		/* "kprobe_events" */
	char		letter;
};

/*
 * Mounted if need be; NULL: nowhere, or its events are not as this runtime knows them, which is
 * reported: who asks needs it, and does not say so again.
 */
const char *tracefs_root(void);
/*
 * All below need a root. The number of one of the kernel's own events; system may be "*". -1: there
 * is none of that name.
 */
long tracefs_event(const char *system, const char *name);
/* Where a record of that event has a field, of 4 bytes; 0: it has none such. */
u32 tracefs_field(const char *system, const char *name, const char *field);
/* Which layout its records have (lib/tracefs_layout.h); 0: it is not known. */
u64 tracefs_layout_of(const char *system, const char *name);
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
