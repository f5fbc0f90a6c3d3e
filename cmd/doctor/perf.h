/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf.h - findings about perf events: may they be opened, is there a PMU, how many counters are
 * free.
 */
#ifndef LAPWING_CMD_DOCTOR_PERF_H
#define LAPWING_CMD_DOCTOR_PERF_H

#include "cmd/doctor/doctor.h"

/* Can an event of that name be opened and does it count? "cpu-clock", "cycles". */
int perf_opens(const struct machine *m, const char *event);

#endif
