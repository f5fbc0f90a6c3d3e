/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counters.h - checks that the script's events can be counted together.
 */
#ifndef LAPWING_RUN_COUNTERS_H
#define LAPWING_RUN_COUNTERS_H

/* 1, and the reason is printed, if the events of RT_EVENTS (NULL: none) cannot be counted. */
int counters_refuse(const char *events);

#endif
