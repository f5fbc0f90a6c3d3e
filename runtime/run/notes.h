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
 * handle() is called for each valid note of len bytes. Returns 0, or -1 if programs cannot send
 * notes here (errno).
 */
int notes_open(void (*handle)(const struct note *note, u32 len));
void notes_read(void);			/* handles pending notes */
int notes_fds(struct pollfd *fds);	/* descriptors to poll, at most one; returns their number */
u64 notes_close(void);			/* returns the number of malformed datagrams */

#endif
