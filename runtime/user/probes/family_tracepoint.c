/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * family_tracepoint.c - kernel.trace: perf tracepoint events by their number in tracefs.
 */
#include "runtime/user/context/enter.h"
#include "runtime/user/events/hit.h"
#include "runtime/user/events/merge.h"
#include "runtime/user/events/perf_open.h"
#include "runtime/user/events/perf_source.h"
#include "runtime/user/events/tracefs.h"
#include "runtime/user/probes/family.h"
#include "runtime/user/transport/message.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>

static struct site {			/* per row */
	const struct rt_tracepoint *row;
	u32	*fields;		/* offsets of row->fields */
	struct perf_tally tally;
} *sites;

static void hit_row(const void *row, struct hit *hit)
{
	const struct site *s = row;

	hit->fields = s->fields;
	enter_probe(s->row->probe, hit);
}

static void stop(const void *rows, u32 n)
{
	const struct rt_tracepoint *t = rows;

	merge_close(hit_row);
	for (u32 i = 0; sites && i < n; i++) {
		enter_tally(t[i].probe, &sites[i].tally);
		free(sites[i].fields);
	}
	free(sites);
	sites = NULL;
}

static int refuse(const struct rt_tracepoint *t, const char *what, const char *of, const char *why)
{
	message_text(t->optional ? WIRE_WARNING : WIRE_ERROR, "probe %s %s: %s%s%s",
		     t->probe->point, t->optional ? "skipped" : "registration error", what, of,
		     why);
	return t->optional ? 0 : -ENOENT;
}

static int arm(struct site *s, const char *root)
{
	const struct rt_tracepoint *t = s->row;
	const struct rt_record_field *missing;
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT, .sample_period = 1 };
	long id = tracefs_event(t->system ? t->system : "*", t->name);

	if (id < 0)
		return refuse(t, "no such event in ", root, "/events");
	s->fields = calloc(t->nfields + 1, sizeof(*s->fields));
	if (!s->fields)
		return -ENOMEM;
	missing = tracefs_find_fields(t, s->fields);
	if (missing)
		return refuse(t, "records of this kernel have no field '", missing->name,
			      "' of the expected size: translate the script on this kernel");
	if (t->probe->capture & (RT_CAP_ARGS | RT_CAP_SYSCALL))
		attr.sample_type = PERF_SAMPLE_RAW;
	attr.config = (u64)id;
	s->tally.described = 1;
	return perf_open(&attr, t->probe->point, hit_row, s, &s->tally);
}

static int start(const void *rows, u32 n)
{
	const struct rt_tracepoint *t = rows;
	const char *root = tracefs_root();
	int rc = 0;

	if (!root)
		return -ENOENT;
	sites = calloc(n, sizeof(*sites));
	if (!sites)
		return -ENOMEM;
	for (u32 i = 0; i < n && !rc; i++) {
		sites[i].row = &t[i];
		rc = arm(&sites[i], root);
	}
	if (rc)
		stop(rows, n);
	return rc;
}

const struct rt_family rt_family_tracepoint = {
	.name	= "tracepoint",
	.start	= start,
	.stop	= stop,
};
