// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tracepoint.c - see tracepoint.h.
 */
#include "runtime/kernel/probes/tracepoint.h"

#include <linux/string.h>
#include <linux/tracepoint.h>

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

struct tracepoint *tracepoint_named(const char *name)
{
	struct search s = { .name = name };

	for_each_kernel_tracepoint(compare, &s);
	return s.found;
}
