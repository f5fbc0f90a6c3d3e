/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress.h - how far long work on many probes is: told to the consumer a few times a second, with the processor offered to others.
 *
 * Arming ends early when the consumer wants the run to end; disarming never does.
 */
#ifndef LAPWING_KERNEL_PROGRESS_H
#define LAPWING_KERNEL_PROGRESS_H

#include "runtime/rt.h"

struct progress {
	u32	done, total;	/* probes */
	u32	disarming;
	u64	told;		/* when, ns */
};

/* Work on so many probes begins. Disarming is told at once, before WIRE_STOPPED: the consumer then waits for its end. */
void progress_begin(struct progress *p, u32 total, int disarming);
/* So many more are done: call it at least every second or so. 0, or -EINTR: arming is to end. Process context, holding nothing. */
int progress_add(struct progress *p, u32 done);
/* It is over, done or given up: told when it was told that it began. */
void progress_end(struct progress *p);

#endif
