/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * procstat.h - what /proc/PID/stat says of a process or thread.
 */
#ifndef LAPWING_PROCSTAT_H
#define LAPWING_PROCSTAT_H

#include <stddef.h>

#define PROCSTAT_SIZE	1024

/*
 * Reads it, of thread tid, or of the process as a whole (tid 0). Its name may hold any byte but
 * NUL, brackets and line breaks too: *name is where it is in text, ended by NUL. What follows it
 * (field 3, the state), or NULL: there is no such process.
 */
const char *procstat_read(int pid, int tid, char text[PROCSTAT_SIZE], char **name);
/*
 * The number under which /proc has what belongs to all of a process: maps, exe, root. Its own;
 * where its first thread has ended that knows nothing of them any more, and it is that of a thread
 * that lives.
 */
int procstat_alive(int pid);
/* Have all of its threads ended? */
int procstat_is_over(int pid);

#endif
