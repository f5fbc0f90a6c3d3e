/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_state.h - the state of the run as hits and long work see it: which hits can run, whether it
 * is to end, and by what. session.c leads it from one phase to the next.
 */
#ifndef LAPWING_KERNEL_RUN_STATE_H
#define LAPWING_KERNEL_RUN_STATE_H

#include "runtime/rt.h"
#include "runtime/wire.h"

extern struct wire_target run_target;	/* set before the start */

/*
 * What hits can run: those of phase RT_RUNNING, or-ed with the bits below; less than 0: none. Any
 * context. Hits that find it plain take the fast way (enter.h); RUN_ODD sends all of them the other
 * way, and costs nothing where it is not set.
 */
extern int run_gate;
#define RUN_ONLY	0x100	/* those of the target's tree only */
#define RUN_ODD		0x200	/* all take the slow path, which times them */
#define RUN_PAUSED	0x400	/* none: they are counted as of a condition that is false */
#define RUN_CLOSED	(-1)
#define RUN_OVERLOADED	(-2)	/* closed by the guard; hits are counted until the probes are off */

static inline int run_is_paused(int gate)
{
	return gate >= 0 && gate & RUN_PAUSED;
}

/* Hits can run from now on. Process context. */
void run_open(void);
/* No more hits run; how: RUN_CLOSED or RUN_OVERLOADED. The first call counts. Any context. */
void run_close(int how);
struct task_struct;
/* Runs a begin, end or error probe now; NULL: nobody. Written by that task. */
extern struct task_struct *run_phase_task;
/* WIRE_SWITCH: RUN_PAUSED when off. Process context. */
void run_switch(int on);
/* When hits could run, CLOCK_MONOTONIC ns: all ones, not yet. */
void run_span(u64 *from, u64 *until);

/* Not 0: hits are timed where that counts for the overload guard; the number of the check. */
extern int run_timed;
/* Sets it. Any context but NMI. */
void run_time_hits(int check);

/* Ends the run with an error. Any context but NMI. */
void run_fail(void);
/* It ends with an error, and is ending or not running yet. */
void run_set_failed(void);
int run_has_failed(void);
/*
 * A handler ended by a run-time error: ends the run after maxerrors of them. Any context but NMI.
 */
void run_error(void);
/* Only counts it. 1: that was one too many. */
int run_count_error(void);
/* A hit was missed: ends the run after maxskipped of them. Any context but NMI. */
void run_skipped(void);
u64 run_errors(void);
u64 run_skips(void);
/*
 * 1: WIRE_STOP came, or the consumer has gone: what is still being armed need not be. Any context.
 */
int run_is_ending(void);
void run_end(void);
/* 1: the consumer has gone; nobody will make room. Any context. */
int run_is_abandoned(void);
void run_abandon(void);

#endif
