/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pfm.h - libpfm4: events of this machine's PMUs, or of those that LIBPFM_FORCE_PMU selects.
 *
 * Only lapwing-events is linked with it.
 */
#ifndef LAPWING_PFM_H
#define LAPWING_PFM_H

#include "translator/debuginfo/event.h"

/* A `library` callback of struct event_machine. */
int pfm_encode(const char *name, struct event *e, char **why);
/* Calls each() for the events of all present PMUs: full name, description, PMU's description. */
void pfm_list(void (*each)(const char *name, const char *note, const char *pmu, void *data),
	      void *data);
/* This machine's core PMUs, "arm_n1 (ARM Neoverse N1, 6 counters)"; "": none. Caller frees. */
char *pfm_describe(void);

#endif
