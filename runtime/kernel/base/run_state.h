/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_state.h - the state of the run as hits and long work see it: which hits can run, whether the
 * run is to end, and why. session.c moves it from phase to phase.
 */
#ifndef LAPWING_KERNEL_RUN_STATE_H
#define LAPWING_KERNEL_RUN_STATE_H

#include "runtime/rt.h"
#include "runtime/wire.h"

extern struct wire_target run_target;	/* set before the start */

/*
 * Which hits can run: RT_RUNNING, or-ed with the bits below; less than 0: none. Any context. Hits
 * that find plain RT_RUNNING take the fast path (enter.h); RUN_ODD sends all of them to the slow
 * path, and costs nothing when it is not set.
 */
extern int run_gate;
#define RUN_ONLY	0x100	/* only hits in the target's process tree */
#define RUN_ODD		0x200	/* all take the slow path, which times them */
#define RUN_PAUSED	0x400	/* none: hits are counted as if their condition were false */
#define RUN_CLOSED	(-1)
/* closed by the overload guard; hits are counted until the probes are off */
#define RUN_OVERLOADED	(-2)

static inline int run_is_paused(int gate)
{
	return gate >= 0 && gate & RUN_PAUSED;
}

/* Hits can run from now on. Process context. */
void run_open(void);
/* No more hits run; how: RUN_CLOSED or RUN_OVERLOADED. The first call counts. Any context. */
void run_close(int how);
struct task_struct;
/* The task that runs a begin, end or error probe now, or NULL. Written by that task. */
extern struct task_struct *run_phase_task;
/* WIRE_SWITCH: RUN_PAUSED when off. Process context. */
void run_switch(int on);
/* When hits could run, CLOCK_MONOTONIC ns; *from all ones: not yet. */
void run_span(u64 *from, u64 *until);

/* Not 0: hits are timed where the overload guard needs it; the value is the number of the check. */
extern int run_timed;
/* Sets run_timed. Any context but NMI. */
void run_time_hits(int check);

/* Ends the run with an error. Any context but NMI. */
void run_fail(void);
/* Marks the run as failed; for a run that is ending or not running yet. */
void run_set_failed(void);
int run_has_failed(void);
/* A run-time error ended a handler: ends the run after maxerrors of them. Any context but NMI. */
void run_error(void);
/* Only counts the error. 1: that was one too many. */
int run_count_error(void);
/* A hit was missed: ends the run after maxskipped of them. Any context but NMI. */
void run_skipped(void);
u64 run_errors(void);
u64 run_skips(void);
/* 1: WIRE_STOP came, or the consumer has gone: no further probes need to be armed. Any context. */
int run_is_ending(void);
void run_end(void);
/* 1: the consumer has gone; the rings will not be drained. Any context. */
int run_is_abandoned(void);
void run_abandon(void);

#endif
