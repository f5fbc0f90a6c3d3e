/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * units.h - whom samples are counted for: the name of the process and its control group, which tells
 * the systemd unit or the container.
 *
 * State is that of the last record. Single-threaded.
 */
#ifndef LAPWING_WATCH_UNITS_H
#define LAPWING_WATCH_UNITS_H

#include "runtime/rt.h"

#include <glib.h>
#include <linux/perf_event.h>

struct unit {
	/* of the process; kernel threads are told apart up to a '/' in the name: "kworker" */
	char		name[16];
	const char	*cgroup;	/* its path; "": unknown, or of the kernel's threads */
};

/* Reads which control groups there are. */
void units_open(void);
/* Applies a record of rings_reader.process. Whether what was found in /proc is another program than before. */
int units_process(const struct perf_event_header *h);
/*
 * The number of the process's unit, from 0. cgroup: the kernel's ID of the control group. If that is
 * 0, or the root group, the path is read from /proc at the first such call after the process executed
 * a program, as there may be other hierarchies; if it has ended by then, it is unknown.
 */
guint32 units_of(gint32 pid, guint64 cgroup);
/* Reads it now, of a process without records. */
void units_look(s32 pid);
guint32 units_count(void);
const struct unit *units_at(guint32 i);
/* Forgets processes that have ended before the previous call. */
void units_sweep(void);
/* Forgets the units: numbers begin at 0 again. Processes stay known. */
void units_clear(void);

#endif
