/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table.h - the end probe of a stopwatch: prints the results as a table of 130 columns, one of 80,
 * CSV or JSON.
 */
#ifndef LAPWING_STOPWATCH_TABLE_H
#define LAPWING_STOPWATCH_TABLE_H

#include "stopwatch/script.h"

/* The end probe that prints the result (table.c). */
void stopwatch_table(GString *out, const struct words *w);

#endif
