/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * family_tracepoint.c - kernel.trace: perf tracepoint events by their ID in tracefs.
 */
#include "runtime/user/context/enter.h"
#include "runtime/user/events/merge.h"
#include "runtime/user/events/source.h"
#include "runtime/user/events/tracefs.h"
#include "runtime/user/transport/message.h"
#include "runtime/user/user.h"
#include "runtime/user/context/regs.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>

static void hit_row(const void *row, struct hit *hit)
{
	const struct rt_tracepoint *t = row;

	enter_probe(t->probe, hit);
}

static struct merge_tally *tallies;	/* per row */

static void stop(const void *rows, u32 n)
{
	const struct rt_tracepoint *t = rows;

	merge_close(hit_row);
	for (u32 i = 0; tallies && i < n; i++)
		enter_missed(t[i].probe, merge_lost(&tallies[i]));
	free(tallies);
	tallies = NULL;
}

static int start(const void *rows, u32 n)
{
	const struct rt_tracepoint *t = rows;

	if (!tracefs_root())		/* which it reported */
		return -ENOENT;
	tallies = calloc(n, sizeof(*tallies));
	if (!tallies)
		return -ENOMEM;
	for (u32 i = 0; i < n; i++) {
		long id = tracefs_event(t[i].system ? t[i].system : "*", t[i].name);
		struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT,
						.config = (u64)id,
						.sample_period = 1 };
		int rc;

		if (t[i].probe->capture & (RT_CAP_ARGS | RT_CAP_SYSCALL))
			attr.sample_type = PERF_SAMPLE_RAW;
		if (t[i].probe->capture & RT_CAP_ABI)		/* comes with the registers */
			attr.sample_regs_user = regs_stack_bit();
		if (id < 0)
			rc = refuse_probe(t[i].probe, t[i].optional, -ENOENT, RUN_TRACEPOINT_NONE,
					  NULL);
		else if (t[i].layout && t[i].layout != tracefs_layout_of(t[i].system, t[i].name))
			rc = refuse_probe(t[i].probe, 0, -ESTALE, RUN_TRACEPOINT_FIELDS, NULL);
		else
			rc = merge_open(&attr, t[i].probe->point, hit_row, &t[i], &tallies[i]);
		if (rc) {
			stop(rows, n);
			return rc;
		}
	}
	return 0;
}

const struct rt_family rt_family_tracepoint = {
	.name	= "tracepoint",
	.start	= start,
	.stop	= stop,
};
