/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpi_events.h - events whose counts give cycles per instruction, by their names without modifiers.
 */
#ifndef LAPWING_CPI_EVENTS_H
#define LAPWING_CPI_EVENTS_H

#include <stddef.h>

static const char *const cpi_cycles[] = { "cycles", "cpu-cycles", "cpu_cycles", "PAPI_TOT_CYC",
					  NULL };
static const char *const cpi_instructions[] = { "instructions", "instructions_retired",
						"PAPI_TOT_INS", NULL };

#endif
