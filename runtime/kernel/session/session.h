/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session.h - the life of a run: idle, begin probes, armed, end probes, stopped.
 *
 * Starting and stopping run in a workqueue bound to one CPU, so that the consumer can drain the rings meanwhile and the output of
 * begin and end probes stays in one ring.
 */
#ifndef LAPWING_KERNEL_SESSION_H
#define LAPWING_KERNEL_SESSION_H

#include "runtime/core/core.h"

int session_load(void);
/* Call after everything is disarmed; frees. */
void session_unload(void);
/* Sends the hello: definitions, needs, WIRE_READY. */
void session_hello(void);
/* WIRE_START and WIRE_STOP (partial: as in struct wire_stop); -EBUSY out of turn. */
int session_start(void);
int session_stop(int partial);
/* Ends the run with an error. Any context but NMI. */
void session_fail(void);
/* The same: handlers took used of elapsed cycles of one CPU. */
void session_overload(u64 used, u64 elapsed);
int session_is_running_one(void);	/* 1: the current task is in a begin, end or error probe */
int session_is_asked(void);		/* 1: WIRE_START or WIRE_STOP came already */
int session_is_ending(void);		/* 1: WIRE_STOP came, or the consumer has gone: what is still being armed need not be. Any context */
/* The consumer is gone: disarm, run nothing more. Waits. */
void session_abandon(void);
/* 1: the consumer has gone; nobody will make room. Any context. */
int session_is_abandoned(void);
extern struct wire_target session_target;	/* set before start */
/*
 * What hits can run: of phase RT_RUNNING, or-ed with what is asked of them besides; below 0 none. Any context.
 * Hits that find it plain take the fast way (enter.h); one more bit sends all of them the other way, at no cost where it is not set.
 */
extern int session_gate;
#define SESSION_ONLY		0x100	/* those of the target's tree only */
#define SESSION_ODD		0x200	/* all go the odd way, for their time to be taken */
#define SESSION_PAUSED		0x400	/* none: they are booked as of a condition that is false */
#define SESSION_CLOSED		(-1)
#define SESSION_OVERLOADED	(-2)	/* closed by the guard; hits are booked until the probes are off */
extern int session_timed;		/* not 0: the time of hits is taken where it can count for the overload guard, for the look of this number */
void session_time_hits(int look);	/* sets that. Any context but NMI. */
void session_switch(int on);		/* WIRE_SWITCH: SESSION_PAUSED when off. Process context. */
static inline int session_is_paused(int gate)
{
	return gate >= 0 && gate & SESSION_PAUSED;
}
void session_open_span(u64 *from, u64 *until);	/* when hits could run, CLOCK_MONOTONIC ns: all ones, not yet */

/* What the session does with a hit's outcome. Any context but NMI. */
void session_error(void);		/* a handler ended by a run-time error */
void session_skipped(void);		/* a hit was missed */

#endif
