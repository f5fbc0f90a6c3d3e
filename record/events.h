/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * events.h - what is sampled: texts of events to attributes, and what this machine makes of them.
 */
#ifndef LAPWING_RECORD_EVENTS_H
#define LAPWING_RECORD_EVENTS_H

#include "record/record.h"

/* The events of the options, struct record_event; NULL with *error set. A machine without a PMU gives the clock for cycles, and says so. */
GArray *events_choose(const struct record_options *opt, GError **error);

#endif
