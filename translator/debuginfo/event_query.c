/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event_query.c - asks lapwing-events how libpfm4 encodes an event: libpfm4's tables would cost
 * every start a millisecond.
 */
#include "translator/debuginfo/event_query.h"

#include "lib/paths.h"
#include "lib/run.h"
#include "translator/debuginfo/event.h"

int event_ask(const char *name, struct event *e, char **why)
{
	char *program = paths_program("lapwing-events");
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
		*why = g_strdup_printf("'%s' is no portable name, and lapwing-events, which knows those of PMUs, does not run", name);
	g_free(program);
	return rc;
}
