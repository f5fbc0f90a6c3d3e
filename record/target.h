/* SPDX-License-Identifier: GPL-2.0-or-later */
/* target.h - the profiled target and its end: a command, or existing processes. */
#ifndef LAPWING_RECORD_TARGET_H
#define LAPWING_RECORD_TARGET_H

#include "record/record.h"

/* Forks the command, stopped before its exec; 0, or -1 with *error set. */
int target_start(char **command, GError **error);
pid_t target_pid(void);			/* 0: no command */
pid_t target_left(void);		/* 0: no command, or already waited for; safe in any
					 * thread */
void target_go(void);			/* lets the command exec */
void target_watch(const GArray *pids);	/* pid_t: target_ended() when all of them have exited */
/* the command exited or could not be run, or all watched processes exited */
int target_ended(void);
/* the command's exit status as a shell gives it; waits for its end */
int target_status(void);

#endif
