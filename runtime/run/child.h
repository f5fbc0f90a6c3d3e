/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * child.h - the program of -c: started stopped, so that probes are armed before it runs; its end
 * ends the session.
 */
#ifndef LAPWING_RUN_CHILD_H
#define LAPWING_RUN_CHILD_H

#include "runtime/run/run.h"

pid_t child_start(const char *command);	/* stopped before its exec; -1, reported */
/* returns once it waits for its release: what it calls before is ours, and must not hit probes */
void child_settle(void);
void child_release(void);
int child_ended(void);			/* 1 after it has been waited for */
int child_fd(void);			/* readable when it ends; -1: ended, or none */
const char *child_died(
	void); /* the name of the signal of a fault that ended it ("SEGV"), or NULL */
int child_report(void);			/* 0, or its status if it failed, reported */
void child_kill(void);
void child_run(const char *command);	/* system(): runs in parallel */
void child_wait(void);			/* waits for these, or a signal */

#endif
