/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf.h - findings about perf events: whether they may be opened, whether there is a PMU, how many
 * counters are free.
 */
#ifndef LAPWING_CMD_DOCTOR_PERF_H
#define LAPWING_CMD_DOCTOR_PERF_H

#include "cmd/doctor/doctor.h"

/* True if the event, "cpu-clock" or "cycles", can be opened. */
int perf_opens(const struct machine *m, const char *event);

#endif
