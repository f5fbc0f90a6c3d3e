/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress.h - progress of long work on many probes: sent to the consumer a few times a second,
 * with rescheduling.
 *
 * Arming ends early if the consumer requests the end; disarming never does.
 */
#ifndef LAPWING_KERNEL_PROGRESS_H
#define LAPWING_KERNEL_PROGRESS_H

#include "runtime/rt.h"

struct progress {
	u32	done, total;	/* probes */
	u32	disarming;
	u64	told;		/* last report, ns */
};

/*
 * Begins work on `total` probes. Disarming is reported at once, before WIRE_STOPPED: the consumer
 * then waits for its end.
 */
void progress_begin(struct progress *p, u32 total, int disarming);
/*
 * Adds `done` completed ones: call it at least about once a second. 0, or -EINTR: arming must end.
 * Process context, without locks.
 */
int progress_add(struct progress *p, u32 done);
/* Ends the work, complete or not; reported if its beginning was. */
void progress_end(struct progress *p);

#endif
