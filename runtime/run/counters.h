/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counters.h - checks whether the events that a script counts can be counted here together, before
 * its module is loaded (RT_EVENTS in rt.h).
 */
#ifndef LAPWING_RUN_COUNTERS_H
#define LAPWING_RUN_COUNTERS_H

#include "runtime/run/run.h"

/* 1, reported: the events of RT_EVENTS (NULL: none) cannot all be counted here. */
int counters_refuse(const char *events);

#endif
