/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pace.h - progress of work on many probes: the total, how many are done, and the time left.
 *
 * On a terminal it is progress.h's line; elsewhere nothing is written. libc only; one task at a
 * time.
 */
#ifndef LAPWING_PACE_H
#define LAPWING_PACE_H

#include <stddef.h>

/*
 * Starts a task. who: the program. doing: "arming", "building". Both must stay valid. always: every
 * pace_show() prints a line.
 */
void pace_begin(const char *who, const char *doing, int always);
/* Reports that n of total are done; left: seconds, or below 0: estimated from the pace so far. */
void pace_show(unsigned long done, unsigned long total, double left);
void pace_end(void);
/*
 * Formats the display: "arming 12,345 of 33,972 probes, 8 s left"; done 0: "building 33,972
 * probes". left below 0: omitted.
 */
void pace_text(char *to, size_t size, const char *doing, unsigned long done, unsigned long total,
	       double left);
/* Formats the end of such a text: ", 8 s left"; left below 0: "". */
void pace_time(char *to, size_t size, double left);

#endif
