/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * arcs.h - calls that a script counts while recording: what arcs_print() (tapsets/arcs.stp) printed
 * becomes a frame of the capture.
 */
#ifndef LAPWING_RECORD_ARCS_H
#define LAPWING_RECORD_ARCS_H

#include "report/capture.h"

#include <sys/types.h>

/*
 * Puts the table in text into the capture; 0, or -1 with *error set: no table, or an incomplete
 * one.
 */
int arcs_put(const char *text, struct capture_writer *w, GError **error);

/*
 * The machine that the table in text is from, which may not be this one; 0: the text does not say.
 */
struct arcs_machine {
	char	machine[66], release[66], host[66];
	unsigned cpus;
};
int arcs_machine(const char *text, struct arcs_machine *m);

/*
 * Starts `lapwing SCRIPT` for the tree of process pid (0: for all) and waits until its probes are
 * armed. rows: rows of its tables, or 0 (the script's own).
 */
int arcs_start(const char *script, pid_t pid, guint rows, GError **error);
/* Ends the script, unless it ended with its process, and puts its counts into the capture. */
int arcs_finish(struct capture_writer *w, GError **error);

#endif
