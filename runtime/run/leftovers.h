/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * leftovers.h - cleans up after killed runs (SIGKILL, OOM killer): sockets, events in tracefs, the
 * module, programs. Each run locks a file in the directory of runs
 * (folder.h) for its lifetime; the next run of that user, or `lapwing ctl`, finds it unlocked and
 * cleans up.
 *
 * Live runs are never touched: a lock ends with its process, even if the pid is reused.
 */
#ifndef LAPWING_RUN_LEFTOVERS_H
#define LAPWING_RUN_LEFTOVERS_H

#include <sys/types.h>

/* Cleans up after dead runs; if there are none, it only lists the directory. */
void leftovers_sweep(void);
/*
 * The same, and registers this run. If the directory is not writable, this run will not be cleaned
 * up.
 */
void leftovers_begin(void);
/* Registers a program that must end with this run; once. */
void leftovers_program(pid_t pid);
void leftovers_end(void);

#endif
