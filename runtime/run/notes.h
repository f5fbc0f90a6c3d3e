/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * notes.h - the socket to which programs send notes about themselves while they are recorded
 * (runtime/lapwing-note.h).
 */
#ifndef LAPWING_RUN_NOTES_H
#define LAPWING_RUN_NOTES_H

#include "runtime/run/note.h"

#include <poll.h>

/*
 * take() gets each note, validated; len: its bytes. 0, or -1 (errno): programs cannot send notes
 * here.
 */
int notes_open(void (*take)(const struct note *note, u32 len));
void notes_take(void);			/* takes the pending notes */
int notes_fds(struct pollfd *fds);	/* descriptors to poll, at most one; returns their number */
u64 notes_close(void);			/* returns the number of malformed datagrams */

#endif
