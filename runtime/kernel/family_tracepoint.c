// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * family_tracepoint.c - kernel.trace: the kernel's tracepoints, found by name.
 *
 * A handler is called with the row and, where the script asks for them, the event's own values.  Modules'
 * tracepoints and rt_tracepoint.system are not looked at: names are unique in the kernel proper.
 */
#include <linux/errno.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "runtime/core/core.h"
#include "runtime/kernel/arg.h"
#include "runtime/kernel/family.h"

/* Per row; NULL: an optional row that is not armed. Constant between start and stop. */
static struct tracepoint **points;

struct search {
	const char		*name;
	struct tracepoint	*found;
};

static void compare(struct tracepoint *tp, void *data)
{
	struct search *s = data;

	if (!s->found && !strcmp(tp->name, s->name))
		s->found = tp;
}

/* Every tracepoint's callback starts with its data pointer, the probe; the arguments after it stay where they are. */
static notrace void tracepoint_hit(void *data)
{
	enter_here(data, NULL, 0);
}

/* With its arguments. A tracepoint that has fewer leaves what is behind them as it was: nothing the script can name. */
static notrace void tracepoint_hit_args(void *data, u64 a0, u64 a1, u64 a2, u64 a3, u64 a4, u64 a5, u64 a6, u64 a7,
					u64 a8, u64 a9, u64 a10, u64 a11)
{
	const u64 args[RT_ARGS] = { a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11 };

	enter_values(data, NULL, 0, args);
}

static void *tracepoint_handler(const struct rt_tracepoint *row)
{
	return row->probe->capture & RT_CAP_ARGS ? (void *)tracepoint_hit_args : (void *)tracepoint_hit;
}

static void tracepoint_stop(const void *rows, u32 nrows)
{
	const struct rt_tracepoint *row = rows;
	u32 i;

	for (i = 0; i < nrows; i++)
		if (points[i])
			tracepoint_probe_unregister(points[i], tracepoint_handler(&row[i]), (void *)row[i].probe);
	tracepoint_synchronize_unregister();
	runtime_free(points);
	points = NULL;
}

static int tracepoint_start(const void *rows, u32 nrows)
{
	const struct rt_tracepoint *row = rows;
	u32 i;

	points = runtime_alloc((u64)nrows * sizeof(*points));
	if (!points)
		return -ENOMEM;
	for (i = 0; i < nrows; i++) {
		struct search s = { .name = row[i].name };
		int rc;

		for_each_kernel_tracepoint(compare, &s);
		rc = s.found ? tracepoint_probe_register(s.found, tracepoint_handler(&row[i]), (void *)row[i].probe) : -ENOENT;
		if (!rc)
			points[i] = s.found;
		else if (!row[i].optional) {
			tracepoint_stop(rows, nrows);
			return rc;
		}
	}
	return 0;
}

const struct rt_family rt_family_tracepoint = {
	.name	= "tracepoint",
	.start	= tracepoint_start,
	.stop	= tracepoint_stop,
};
