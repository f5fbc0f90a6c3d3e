/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace.h - stp()'s records as text: a line each, with a tab between values.
 */
#ifndef LAPWING_RUN_TRACE_H
#define LAPWING_RUN_TRACE_H

#include "runtime/run/run.h"

struct fmt_item_source;
struct sink;

/* WIRE_FORMAT: notes what the columns need, if this is a record's row. */
void trace_want(const char *kinds);
/* True if source lines will be printed. */
int trace_wants_lines(void);
/* Prints a record of that time; kinds: its row's. Nothing in the values is trusted. */
void trace_print(struct sink *out, const char *kinds, struct fmt_item_source *values, u64 time);

#endif
