/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf.h - what perf events can be opened and count.
 */
#ifndef LAPWING_DOCTOR_PERF_H
#define LAPWING_DOCTOR_PERF_H

struct machine;

/* Can an event of that name be opened and does it count? "cpu-clock", "cycles". */
int perf_opens(const struct machine *m, const char *event);
/* Hardware counters that can run at once now; 0: none. */
unsigned perf_free_counters(const struct machine *m);

#endif
