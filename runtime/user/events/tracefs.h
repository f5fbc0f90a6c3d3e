/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracefs.h - where tracefs is, and the kprobe and uprobe events of this run, which are described
 * to the kernel there.
 *
 * They are in the group lapwing_PID, named by their family's letter and a number. The kernel keeps
 * them until they are removed: a run that was killed leaves its own, which the next run removes
 * before it adds its first.
 */
#ifndef LAPWING_TRACEFS_H
#define LAPWING_TRACEFS_H

#include "runtime/core/refuse.h"
#include "runtime/rt.h"
#include "runtime/user/events/record_layout.h"

/* The file that takes the descriptions, and the letter that the names of its events begin with. */
struct tracefs_kind {
	const char	*file;		/* "kprobe_events" */
	char		letter;
	enum run_error	none, forbidden;	/* what -ENOENT and -EINVAL mean */
};

/*
 * The path of tracefs, which is mounted if needed; NULL: not available. That is reported as an
 * error, so the caller need not.
 */
const char *tracefs_root(void);
/*
 * All below need a root. The ID of one of the kernel's own events; system may be "*". -1: no event
 * has that name.
 */
long tracefs_event(const char *system, const char *name);
/* Offset of a field of 4 bytes in that event's records; 0: there is no such field. */
u32 tracefs_field(const char *system, const char *name, const char *field);
/*
 * Stores where that event's records have what belongs to a system call. Returns the hash of all of their
 * fields (tracefs_layout()); 0: unknown.
 */
u64 tracefs_records(const char *system, const char *name, struct record_layout *layout);
/* Removes the events of dead runs. Call it once, before the first event is added. */
void tracefs_sweep(const struct tracefs_kind *kind);
/*
 * Adds event n: how is "p", "r", or "r16" with maxactive; what is the text after the name. 0 or
 * -errno, not reported.
 */
int tracefs_add(const struct tracefs_kind *kind, u32 n, const char *how, const char *what);
/* refuse_errno() for a probe whose event tracefs_add() refused with rc. */
int tracefs_refuse(const struct tracefs_kind *kind, const struct rt_probe *p, int optional, int rc);
/* The ID of event n, as perf needs it; -1: no such event. */
long tracefs_id(const struct tracefs_kind *kind, u32 n);
/*
 * Stores the layout of event n, unless it has that of an event of the same kind already. 0 or
 * -errno, not reported.
 */
int tracefs_own_records(const struct tracefs_kind *kind, u32 n, struct record_layout *layout);
/* Removes the first n events; all must be closed. */
void tracefs_drop(const struct tracefs_kind *kind, u32 n);

#endif
