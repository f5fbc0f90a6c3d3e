/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table.h - the end probes of a stopwatch and of a profile: they print the results as a table (of a
 * stopwatch of 130 columns or of 80), CSV or JSON.
 */
#ifndef LAPWING_STOPWATCH_TABLE_H
#define LAPWING_STOPWATCH_TABLE_H

#include "stopwatch/script.h"

/* What the end probe does to print the result. */
void stopwatch_table(GString *out, const struct words *w);
/* The same of a profile; __rest is the number of all its samples. */
void profile_table(GString *out, const struct words *w);

#endif
