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

static struct event {			/* per row */
	const struct rt_tracepoint *row;
	struct record_layout layout;
	struct merge_tally tally;
} *events;

static void hit_row(const void *data, struct hit *hit)
{
	const struct event *e = data;

	hit->layout = &e->layout;
	enter_probe(e->row->probe, hit);
}

static void stop(const void *rows, u32 n)
{
	const struct rt_tracepoint *t = rows;

	merge_close(hit_row);
	for (u32 i = 0; events && i < n; i++)
		enter_missed(t[i].probe, merge_lost(&events[i].tally));
	free(events);
	events = NULL;
}

static int arm(const struct rt_tracepoint *t, struct event *e)
{
	long id = tracefs_event(t->system ? t->system : "*", t->name);
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT,
					.config = (u64)id,
					.sample_period = 1 };
	u64 layout = 0;

	e->row = t;
	if (id < 0)
		return refuse_probe(t->probe, t->optional, -ENOENT, RUN_TRACEPOINT_NONE, NULL);
	if (t->probe->capture & (RT_CAP_ARGS | RT_CAP_SYSCALL))
		attr.sample_type = PERF_SAMPLE_RAW;
	if (attr.sample_type || t->layout)
		layout = tracefs_records(t->system ? t->system : "*", t->name, &e->layout);
	if (t->layout && t->layout != layout)
		return refuse_probe(t->probe, 0, -ESTALE, RUN_TRACEPOINT_FIELDS, NULL);
	if (t->probe->capture & RT_CAP_ABI)		/* comes with the registers */
		attr.sample_regs_user = regs_stack_bit();
	return merge_open(&attr, t->probe->point, hit_row, e, &e->tally);
}

static int start(const void *rows, u32 n)
{
	const struct rt_tracepoint *t = rows;
	int rc = 0;

	if (!tracefs_root())		/* which it reported */
		return -ENOENT;
	events = calloc(n, sizeof(*events));
	if (!events)
		return -ENOMEM;
	for (u32 i = 0; i < n && !rc; i++)
		rc = arm(&t[i], &events[i]);
	if (rc)
		stop(rows, n);
	return rc;
}

const struct rt_family rt_family_tracepoint = {
	.name	= "tracepoint",
	.start	= start,
	.stop	= stop,
};
