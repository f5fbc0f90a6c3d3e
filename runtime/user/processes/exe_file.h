/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exe_file.h - which file each process runs, as perf's records and /proc tell: an exec, then the
 * first mapping of code is that of the program itself. State is that of the record being handled.
 */
#ifndef LAPWING_USER_EXE_FILE_H
#define LAPWING_USER_EXE_FILE_H

#include "symbolize/image.h"

/* Another program begins: which one is known when its first mapping comes. */
void exe_exec(s32 pid);
/* A mapping of code. 1: it is the program that an exec began. */
int exe_map(s32 pid, const struct image_map *m);
void exe_fork(s32 pid, s32 parent);
void exe_exit(s32 pid);
/* Does the process run the file of that absolute path? */
int exe_is(s32 pid, const char *path);
/*
 * What a process runs that no record told of: read now, so that it is known when the process has
 * ended.
 */
void exe_look(s32 pid);
/*
 * Opens the file that the process runs, to be read: the caller's to close. -1: it cannot be had any
 * more.
 */
int exe_open(s32 pid);
/* Has its begin been told of? Sets it. */
int exe_begun(s32 pid);
/* Has exe_is() been asked? */
int exe_asked(void);
/* Records were lost: what is known is asked for again. */
void exe_doubt(void);
void exe_clear(void);

#endif
