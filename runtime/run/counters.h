/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counters.h - can the events that a script counts be counted here, all at once? Asked before its
 * module is loaded (RT_EVENTS in rt.h).
 */
#ifndef LAPWING_RUN_COUNTERS_H
#define LAPWING_RUN_COUNTERS_H

#include "runtime/run/run.h"

/* 1: the events of RT_EVENTS (NULL: none) cannot all be counted here, and why has been said. */
int counters_refuse(const char *events);

#endif
