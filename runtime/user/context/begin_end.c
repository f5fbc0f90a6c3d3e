/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * begin_end.c - see begin_end.h. One after another, each to its end, or to the end of its time.
 */
#include "runtime/user/context/begin_end.h"

#include "runtime/core/core.h"
#include "runtime/user/base/run_state.h"
#include "runtime/user/base/time.h"
#include "runtime/user/context/enter.h"
#include "runtime/user/events/hit.h"

#include <time.h>
#include <unistd.h>

#define TIME_LIMIT 10000000000ULL	/* ns of the processor, as in the kernel runtime */

static u64 began;

static u64 processor_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (u64)t.tv_sec * 1000000000 + (u64)t.tv_nsec;
}

int runtime_go_on(struct rt_ctx *c)
{
	return processor_ns() - began <= TIME_LIMIT;
}

void begin_end_run(enum rt_phase phase)
{
	for (u32 f = 0; f < rt_script.nfamilies; f++) {
		const struct rt_family_use *use = &rt_script.families[f];
		const struct rt_begin_end *rows = use->rows;

		if (use->family != &rt_family_begin_end)
			continue;
		for (u32 i = 0; i < use->nrows; i++) {
			struct hit hit = { .time = time_mono(), .pid = getpid(), .tid = getpid() };

			/* exit() ends begin probes too */
			if (rows[i].probe->phase != phase ||
			    (phase == RT_BEGIN && run_state.exit_requested))
				continue;
			began = processor_ns();
			if (!enter_run(rows[i].probe, &hit))
				continue;
			run_state.errors++;
			if (phase == RT_ERROR || run_state.errors <= rt_script.limits.maxerrors)
				continue;
			run_state.failed = 1;
			return;
		}
	}
}
