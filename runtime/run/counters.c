/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counters.c - checks whether the script's events fit into the counters together, before its module
 * is loaded (RT_EVENTS in rt.h).
 */
#include "runtime/run/counters.h"

#include "lib/counters.h"
#include "lib/failure.h"
#include "perf/spe.h"
#include "runtime/run/run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Parses one "TYPE CONFIG CONFIG1 CONFIG2 PRECISE EXCLUDE PERIOD NAME" into *c; 0: malformed. */
static int parse_event(char *text, struct counter *c)
{
	unsigned exclude;
	int name = 0;

	memset(c, 0, sizeof(*c));
	if (sscanf(text, "%u %" PRIx64 " %" PRIx64 " %" PRIx64 " %u %u %" PRIu64 " %n", &c->type,
		   &c->config[0], &c->config[1], &c->config[2], &c->precise, &exclude, &c->period,
		   &name) != 7 ||
	    !name)
		return 0;
	c->exclude_user = !!(exclude & RT_NOT_USER);
	c->exclude_kernel = !!(exclude & RT_NOT_KERNEL);
	c->exclude_hv = !!(exclude & RT_NOT_HYPERVISOR);
	c->name = text + name;
	return 1;
}

/*
 * An SPE samples into an AUX area, which a trial has not: its events leave the list. 1, reported:
 * nor has the kernel runtime.
 */
static int take_spe(struct counter *c, unsigned *n)
{
	for (unsigned i = 0; i < *n;) {
		if (!c[i].period || !spe_is(c[i].type)) {
			i++;
			continue;
		}
		if (session == &session_kernel) {
			fprintf(stderr,
				"ERROR: event '%s': --runtime=user alone reads samples of the SPE",
				c[i].name);
			failure_end(stderr, failure_number(FAILURE_EVENT_NOT_HERE));
			putc('\n', stderr);
			return 1;
		}
		c[i] = c[--*n];
	}
	return 0;
}

int counters_refuse(const char *events)
{
	struct counter c[RT_MAXEVENTS];
	char *text = strdup(events ? events : ""), *next = text, *one;
	unsigned n = 0;
	int wrong;

	while (text && n < RT_MAXEVENTS && (one = strsep(&next, ";")))
		n += (unsigned)parse_event(one, &c[n]);
	wrong = take_spe(c, &n);
	if (!wrong && n && counters_try_all(c, n) < n)
		wrong = counters_explain(c, n, "ERROR: ", failure_number(FAILURE_EVENT_NOT_HERE),
					 stderr);
	free(text);
	return wrong;
}
