/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * procstat.h - fields of /proc/PID/stat for a process or thread.
 */
#ifndef LAPWING_PROCSTAT_H
#define LAPWING_PROCSTAT_H

#include <stddef.h>

#define PROCSTAT_SIZE	1024

/*
 * Reads it for thread tid, or for the process as a whole (tid 0). The name may contain any byte but
 * NUL, brackets and line breaks too: *name points to it in text, NUL-terminated. Returns the text
 * after the name (field 3, the state), or NULL: no such process.
 */
const char *procstat_read(int pid, int tid, char text[PROCSTAT_SIZE], char **name);
/*
 * The ID under which /proc has the data of a whole process: maps, exe, root. The process's own; if
 * its first thread has ended, /proc no longer has them there, and the result is the ID of a thread
 * that lives.
 */
int procstat_alive(int pid);
/* True if all of its threads have ended. */
int procstat_is_over(int pid);
/* Calls visit() for each thread that exists now; name: valid during the call. */
void procstat_each_thread(void (*visit)(int pid, int tid, const char *name));

#endif
