/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exe_file.h - the file that each process runs, from perf's records and /proc: the first mapping of
 * code after an exec is that of the program. The state is that of the record being handled.
 */
#ifndef LAPWING_USER_EXE_FILE_H
#define LAPWING_USER_EXE_FILE_H

#include "symbolize/image.h"

/* The process executes another program; its first mapping names it. */
void exe_file_exec(s32 pid);
/* A mapping of code. 1: it is that of the program after an exec. */
int exe_file_map(s32 pid, const struct image_map *m);
void exe_file_fork(s32 pid, s32 parent);
void exe_file_exit(s32 pid);
/* True if the process runs the file of that absolute path. */
int exe_file_is(s32 pid, const char *path);
/*
 * Reads which file a process runs if no record said it, so that it is known after the process has
 * ended.
 */
void exe_file_check(s32 pid);
/*
 * Opens the file that the process runs for reading; the caller closes it. -1: it is no longer
 * available.
 */
int exe_file_open(s32 pid);
/* True if the begin of the process was reported already; marks it as reported. */
int exe_file_begun(s32 pid);
/* True if exe_file_is() was called. */
int exe_file_requested(void);
/* Records were lost: known files are read again. */
void exe_file_doubt(void);
void exe_file_clear(void);

#endif
