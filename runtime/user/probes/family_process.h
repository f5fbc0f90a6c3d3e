/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * family_process.h - the life of processes and threads, from perf's records of them, and their
 * system calls, from raw_syscalls.
 */
#ifndef LAPWING_USER_PROBES_FAMILY_PROCESS_H
#define LAPWING_USER_PROBES_FAMILY_PROCESS_H

#include "runtime/user/user.h"

/* It happens to the process or thread of hit; which program that runs is known (exe_file.h). */
void process_lives(enum rt_process_event event, const struct hit *hit);
/* It runs a program of its own now, or may: records were lost. */
void process_ran(s32 pid);

#endif
