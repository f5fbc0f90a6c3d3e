/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * enter.h - from an event to a handler: the one way in, for every probe family.
 */
#ifndef LAPWING_KERNEL_ENTER_H
#define LAPWING_KERNEL_ENTER_H

#include "runtime/rt.h"

struct pt_regs;

/*
 * What the session does with a hit's outcome and when hits count; the session of
 * the runtime answers.  Any context but NMI for the two reports.
 */
int session_phase(void);		/* enum rt_phase, or -1: no handler may run. Any context */
void session_error(void);		/* a handler ended by a run-time error */
void session_skipped(void);		/* a hit was missed */

/*
 * Runs p's handler for one hit, or books why not.  regs: registers at the hit
 * or NULL.  Any context; never sleeps.
 */
void enter_probe(const struct rt_probe *p, struct pt_regs *regs);
/* The same for a function: ip is its start, which addr() gives. */
void enter_function(const struct rt_probe *p, struct pt_regs *regs, unsigned long ip);

#endif
