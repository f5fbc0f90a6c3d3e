/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ticks.h - the share of CPU time that the kernel's own ticks have missed.
 *
 * The kernel accounts each CPU's time by ticks. If less time is accounted than has passed, ticks
 * were missed: the machine was paused (a guest whose CPUs the host stops, or emulates slowly) or
 * interrupts were off. timer.profile then loses ticks for the same reason.
 */
#ifndef LAPWING_RUN_TICKS_H
#define LAPWING_RUN_TICKS_H

/*
 * From two texts of /proc/stat, `seconds` apart, with `hz` ticks per second and CPU: the share, 0
 * to 1, of unaccounted time on CPUs present in both. -1: too short to tell.
 */
double ticks_missing(const char *before, const char *after, double seconds, double hz);
/* Reads /proc/stat now; ticks_missed() is the share since then, -1 if unknown. */
void ticks_begin(void);
double ticks_missed(void);

#endif
