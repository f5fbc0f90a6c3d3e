/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exe_file.h - the file that each process runs, from perf's records and /proc: the first mapping of
 * code after an exec is that of the program itself. State is that of the record being handled.
 */
#ifndef LAPWING_USER_EXE_FILE_H
#define LAPWING_USER_EXE_FILE_H

#include "symbolize/image.h"

/* The process executes another program: which one is known with its first mapping. */
void exe_exec(s32 pid);
/* A mapping of code. 1: it is the program that an exec started. */
int exe_map(s32 pid, const struct image_map *m);
void exe_fork(s32 pid, s32 parent);
void exe_exit(s32 pid);
/* True if the process runs the file with that absolute path. */
int exe_is(s32 pid, const char *path);
/*
 * Looks up what a process runs if no record has told: now, so that it is known after the process
 * has ended.
 */
void exe_look(s32 pid);
/*
 * Opens the file that the process runs, for reading; the caller closes it. -1: no longer available.
 */
int exe_open(s32 pid);
/* True if the begin of the process was already reported; marks it as reported. */
int exe_begun(s32 pid);
/* True if exe_is() has been called. */
int exe_asked(void);
/* Records were lost: what is known is looked up again. */
void exe_doubt(void);
void exe_clear(void);

#endif
