/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * callgraph.h - expands a callgraph declaration to a script: probes at the entries and the returns
 * of its functions, and at those of empty functions, whose handlers call tapsets/arcs.stp.
 */
#ifndef LAPWING_STOPWATCH_CALLGRAPH_H
#define LAPWING_STOPWATCH_CALLGRAPH_H

#include "stopwatch/script.h"

/*
 * The script of a callgraph (callgraph.c), with 2 floors for the time and for each event. prints:
 * it includes the end probe. Caller frees.
 */
char *callgraph_text(const struct statement *s, int of_program, unsigned number, unsigned floor,
		     int prints);

#endif
