/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * family_process.h - probes of the lives of processes and threads.
 */
#ifndef LAPWING_USER_FAMILY_PROCESS_H
#define LAPWING_USER_FAMILY_PROCESS_H

#include "runtime/user/events/hit.h"

/* It happens to the process or thread of hit; which program that runs is known (exe_file.h). */
void process_lives(enum rt_process_event event, const struct hit *hit);

#endif
