/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * watchdog.h - a second thread that ends the process if the main thread does not react to a
 * terminating signal: it may be stuck in the kernel, in a file system or device served by another
 * process, where no handler runs and no call returns.
 *
 * It sleeps until the first signal. After that the process ends when the main thread has used no
 * CPU time for WATCHDOG_IDLE seconds, or at a deadline.
 */
#ifndef LAPWING_RUN_WATCHDOG_H
#define LAPWING_RUN_WATCHDOG_H

#define WATCHDOG_IDLE 10

/*
 * Handles SIGINT, SIGTERM and SIGHUP, whose handlers call watchdog_requested(). The calling thread
 * is the watched one. end() runs in the watchdog thread while the main thread may be anywhere: it
 * may only call async-signal-safe functions, and returns the exit status.
 */
void watchdog_start(int (*end)(void));
/* Safe in signal handlers. */
void watchdog_requested(void);
void watchdog_deadline(unsigned seconds);	/* counted from now, and effective once the end
						 * was requested */

#endif
