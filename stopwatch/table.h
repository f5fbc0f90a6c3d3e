/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table.h - the end probe that prints a stopwatch's result.
 */
#ifndef LAPWING_STOPWATCH_TABLE_H
#define LAPWING_STOPWATCH_TABLE_H

#include <glib.h>

struct words;

/* The end probe that prints the result. */
void stopwatch_table(GString *out, const struct words *w);

#endif
