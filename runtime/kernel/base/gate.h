/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gate.h - the gate: the word that says whether hits run, and which checks they need. */
#ifndef LAPWING_KERNEL_GATE_H
#define LAPWING_KERNEL_GATE_H

#include "runtime/rt.h"

/*
 * State of hits: phase RT_RUNNING, or-ed with the flags below; below 0 no hits run. Any context.
 * Hits that find it plain take the fast path (enter.h); any flag sends all of them to the slow
 * path, at no cost while no flag is set.
 */
extern int gate_state;
#define GATE_ONLY	0x100	/* only hits of the target's tree run */
#define GATE_ODD	0x200	/* all hits take the slow path, to be timed */
#define GATE_PAUSED	0x400	/* none run: they are counted as condition off */
#define GATE_CLOSED	(-1)
#define GATE_OVERLOADED	(-2)	/* closed by the overload guard; hits are counted until the
				 * probes are removed */
extern int gate_timed;		/* nonzero: hits that count for the overload guard are timed;
				 * number of the interval */

/* Opens the gate; with `only`, for the target's tree only. Start only. */
void gate_open(int only);
/*
 * Closes the gate: GATE_CLOSED or GATE_OVERLOADED. Only the first call has an effect. Any context
 * but NMI.
 */
void gate_close(int how);
/* Sets gate_timed. Any context but NMI. */
void gate_time_hits(int look);
/* WIRE_SWITCH: sets GATE_PAUSED if off. Process context. */
void gate_switch(int on);
/* Time at which the gate was opened, CLOCK_MONOTONIC ns: all ones, not yet. */
void gate_open_span(u64 *from, u64 *until);

static inline int gate_is_paused(int gate)
{
	return gate >= 0 && gate & GATE_PAUSED;
}

#endif
