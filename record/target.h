/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * target.h - what is profiled, and its end: a command, started so that events can be opened for it
 * before it runs its first instruction, or processes that are there.
 */
#ifndef LAPWING_RECORD_TARGET_H
#define LAPWING_RECORD_TARGET_H

#include "record/record.h"

/* Starts the command, stopped before its exec; 0 or -1 with *error set. */
int target_start(char **command, GError **error);
pid_t target_pid(void);			/* 0: there is none */
pid_t target_left(void);		/* 0: there is none, or its end is known; safe in any thread */
void target_go(void);
void target_watch(const GArray *pids);	/* processes that are there */
int target_ended(void);			/* the command, of its own or because it could not be run; or all processes that are watched */
int target_status(void);		/* as a shell gives it; waits for the end */

#endif
