/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * leftovers.h - what a run that is killed (SIGKILL, the machine's lack of memory) cannot take away itself: its sockets, its events of
 * tracefs, its module, its programs. Each run has a file in the folder of runs (folder.h), which is locked for as long as it lives; the
 * next run of that user, or `lapwing ctl`, finds it unlocked and tidies up.
 *
 * Runs that live are never touched: a lock ends with the process that holds it, whoever has its number later.
 */
#ifndef LAPWING_RUN_LEFTOVERS_H
#define LAPWING_RUN_LEFTOVERS_H

#include <sys/types.h>

/* Tidies up after runs that are gone. Costs a look into the folder when there are none. */
void leftovers_sweep(void);
/* The same, and this run is there from now on. Where the folder cannot be written nobody tidies up after it. */
void leftovers_begin(void);
/* A program that is to end with this run; once. */
void leftovers_program(pid_t pid);
void leftovers_end(void);

#endif
