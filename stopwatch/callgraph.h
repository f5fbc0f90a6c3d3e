/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * callgraph.h - what a callgraph declaration stands for, as a script: probes at the entries and the
 * returns of its functions, and at those of functions in which nothing happens, whose handlers call
 * tapsets/arcs.stp.
 */
#ifndef LAPWING_STOPWATCH_CALLGRAPH_H
#define LAPWING_STOPWATCH_CALLGRAPH_H

#include "stopwatch/script.h"

/*
 * Of a callgraph (callgraph.c), with 2 floors for the time and for each event. prints: its end
 * probe is in it. Caller frees.
 */
char *callgraph_text(const struct statement *s, int of_program, unsigned number, unsigned floor,
		     int prints);

#endif
