/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * family_process.h - begin and end of processes and threads, from perf's process records, and their
 * system calls, from raw_syscalls.
 */
#ifndef LAPWING_USER_PROBES_FAMILY_PROCESS_H
#define LAPWING_USER_PROBES_FAMILY_PROCESS_H

#include "runtime/user/user.h"

/* An event of the hit's process or thread; the program that it runs is known (exe_file.h). */
void process_lives(enum rt_process_event event, const struct hit *hit);
/* The process now runs a program of its own, or may, as records were lost. */
void process_ran(s32 pid);

#endif
