// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * progress.c - see progress.h. It knows only the number of probes.
 */
#include "runtime/kernel/transport/progress.h"

#include <linux/errno.h>
#include <linux/sched.h>
#include <linux/timekeeping.h>

#include "runtime/core/core.h"
#include "runtime/kernel/base/run_state.h"

#define PROGRESS_EVERY	(250 * NSEC_PER_MSEC)

static void progress_tell(struct progress *p)
{
	struct wire_progress w = { .done = p->done, .total = p->total, .disarming = p->disarming };

	p->told = ktime_get_mono_fast_ns();
	runtime_message(WIRE_PROGRESS, 0, &w, sizeof(w));
}

void progress_begin(struct progress *p, u32 total, int disarming)
{
	*p = (struct progress){ .total = total, .disarming = disarming };
	if (disarming)
		progress_tell(p);
}

int progress_add(struct progress *p, u32 done)
{
	p->done += done;
	cond_resched();
	if (p->done < p->total && ktime_get_mono_fast_ns() - p->told >= PROGRESS_EVERY)
		progress_tell(p);
	return !p->disarming && run_is_ending() ? -EINTR : 0;
}

void progress_end(struct progress *p)
{
	p->done = p->total;
	if (p->told)
		progress_tell(p);
}
