/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_state.h - state of the run: errors, and requests to end it. session.c starts and ends it. */
#ifndef LAPWING_KERNEL_RUN_STATE_H
#define LAPWING_KERNEL_RUN_STATE_H

#include <linux/atomic.h>

#include "runtime/rt.h"

struct run_state {
	atomic_t	failed;		/* an error ended the run: error probes run instead of
					 * end probes */
	atomic_t	exit_requested;	/* the consumer has been asked to end the run */
	atomic_t	asked;		/* WIRE_START or WIRE_STOP was received */
	atomic_t	ending;		/* WIRE_STOP was received, or the consumer has exited:
					 * arming may be aborted */
	atomic_t	abandoned;	/* the consumer has exited: the rings will not be drained */
	atomic64_t	errors, skips;	/* handlers that ended by a run-time error; missed hits */
	u32		unarmed;	/* rows that families could not arm and skipped with a
					 * warning; during start */
};
extern struct run_state run_state;

/* Ends the run with an error. Any context but NMI, like the next two. */
void run_fail(void);
void run_count_error(void);	/* a handler ended by a run-time error */
void run_count_skipped(void);	/* a hit was missed */
/* Members of run_state, 0 or 1. Any context. */
int run_is_requested(void);
int run_is_ending(void);
int run_is_abandoned(void);

#endif
