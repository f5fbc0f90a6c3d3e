/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * watchdog.h - a second thread that ends the process if the first thread, which a signal asked to
 * end, cannot: it may be stuck in the kernel, in a file system or a device served by another
 * process, where no handler runs and no call returns.
 *
 * It sleeps until the first signal. After that the process ends when the first thread has used next
 * to no CPU time for WATCHDOG_IDLE seconds (a stuck thread may be woken for nothing now and then),
 * or at a deadline.
 */
#ifndef LAPWING_RUN_WATCHDOG_H
#define LAPWING_RUN_WATCHDOG_H

#define WATCHDOG_IDLE 10

/*
 * For SIGINT, SIGTERM and SIGHUP, whose handlers call watchdog_asked(). The calling thread is the
 * one that is watched. end() runs in the other one, while the first may be anywhere: it may do only
 * what a signal handler may, and returns the exit status.
 */
void watchdog_start(int (*end)(void));
/* Safe in signal handlers. */
void watchdog_asked(void);
void watchdog_deadline(unsigned seconds);	/* counted from now, and effective once the end
						 * was requested */

#endif
