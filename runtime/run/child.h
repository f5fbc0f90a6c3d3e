/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * child.h - the command of -c, and commands that scripts start.
 */
#ifndef LAPWING_RUN_CHILD_H
#define LAPWING_RUN_CHILD_H

#include <sys/types.h>

pid_t child_start(const char *command);	/* stopped before its first instruction; -1, reported */
void child_release(void);
int child_ended(void);			/* 1 after it has been waited for */
int child_fd(void);			/* readable when it ends; -1: ended, or none */
int child_report(void);			/* 1 and a message if it failed */
void child_kill(void);
void child_run(const char *command);	/* system(): runs in parallel */
void child_wait(void);			/* waits for these, or a signal */

#endif
