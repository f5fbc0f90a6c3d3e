/* SPDX-License-Identifier: GPL-2.0-or-later */
/* events.h - the events that a recording samples: texts to attributes, adapted to this machine. */
#ifndef LAPWING_RECORD_EVENTS_H
#define LAPWING_RECORD_EVENTS_H

#include "record/record.h"

/*
 * The events of the options, struct record_event; NULL with *error set. On a machine without a PMU
 * cpu-clock replaces cycles, with a message.
 */
GArray *events_choose(const struct record_options *opt, GError **error);

#endif
