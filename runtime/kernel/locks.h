/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * locks.h - the locks of globals, taken around a whole handler.
 *
 * Interrupts must be off from locks_take() to locks_drop(), and neither may be
 * called in an NMI.  A lock that does not come in time is given up: a handler
 * is then missed, never stuck.
 */
#ifndef LAPWING_KERNEL_LOCKS_H
#define LAPWING_KERNEL_LOCKS_H

#include "runtime/rt.h"

/*
 * Makes every global's lock, and each probe's plan of taking them (nsteps, lock_steps): none for a probe that only adds to its own CPU's
 * parts of variables that nobody else uses while probes run. 0 or -ENOMEM (nothing kept). Process context.
 */
int locks_load(void);
void locks_unload(void);
/* Takes all locks of p in its order. 1: held; 0: timed out, none is held. */
int locks_take(const struct rt_probe *p);
void locks_drop(const struct rt_probe *p);
/* How many hits were missed because this global's lock did not come in time. */
u64 locks_timeouts(const struct rt_global *g);

#endif
