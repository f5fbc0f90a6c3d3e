/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pace.h - work on many probes that may take long: how many there are, how many are done, and the time that is left.
 *
 * On a terminal it is progress.h's line; elsewhere a line every 10 seconds. libc only; one work at a time.
 */
#ifndef LAPWING_PACE_H
#define LAPWING_PACE_H

#include <stddef.h>

/* Work begins. who: the program. doing: "arming", "building". Both stay the caller's. always: every pace_show() is a line of its own. */
void pace_begin(const char *who, const char *doing, int always);
/* So many of total are done; left: seconds, or below 0: as the pace so far says. */
void pace_show(unsigned long done, unsigned long total, double left);
void pace_end(void);
/* What is shown: "arming 12,345 of 33,972 probes, 8 s left"; done 0: "building 33,972 probes". left below 0: it is not said. */
void pace_text(char *to, size_t size, const char *doing, unsigned long done, unsigned long total, double left);

#endif
