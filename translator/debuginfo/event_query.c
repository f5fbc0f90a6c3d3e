/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event_query.c - queries lapwing-events for libpfm4's encoding of an event: loading its tables
 * would cost every start a millisecond.
 */
#include "translator/debuginfo/event_query.h"

#include "lib/paths.h"
#include "lib/run.h"
#include "translator/debuginfo/event.h"

int event_query(const char *name, struct event *e, char **why)
{
	g_autofree char *program = paths_program("lapwing-events");
	const char *argv[] = { program, "--encode", name, NULL };
	struct run_result r = { 0 };
	int rc = -1;

	*why = NULL;
	if (program && !run_program(argv, NULL, NULL, 1, &r, NULL)) {
		if (!r.status)
			rc = event_parse(r.out, e);
		else
			*why = g_strdup(g_strchomp(r.err));
		run_result_clear(&r);
	}
	if (rc && !*why)
		*why = g_strdup_printf("'%s' is not a portable name, and lapwing-events, which "
				       "knows PMU events, cannot be run", name);
	return rc;
}
