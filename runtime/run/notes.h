/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * notes.h - the socket at which programs tell of themselves while somebody records them
 * (runtime/lapwing-note.h).
 */
#ifndef LAPWING_RUN_NOTES_H
#define LAPWING_RUN_NOTES_H

#include "runtime/run/note.h"

#include <poll.h>

/*
 * take() gets each note, judged; len: its bytes. 0, or -1: programs cannot tell of themselves here
 * (errno).
 */
int notes_open(void (*take)(const struct note *note, u32 len));
void notes_take(void);			/* what there is */
int notes_fds(struct pollfd *fds);	/* descriptors to poll, at most one; returns their number */
u64 notes_close(void);			/* returns the number of malformed datagrams */

#endif
