/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * events.c - the events to sample: texts to attributes, adapted to this machine.
 */
#include "record/events.h"

#include "lib/counters.h"
#include "lib/failure_error.h"
#include "record/record.h"
#include "runtime/core/event_kind.h"
#include "translator/debuginfo/event.h"
#include "translator/debuginfo/event_query.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

static int is_cycles(const struct perf_event_attr *a)
{
	return a->type == PERF_TYPE_HARDWARE && a->config == PERF_COUNT_HW_CPU_CYCLES;
}

static struct perf_event_attr attr_of(const struct event *e)
{
	return (struct perf_event_attr){
		.type = e->type,
		.config = e->config[0],
		.config1 = e->config[1],
		.config2 = e->config[2],
		.precise_ip = e->precise & 3,
		.exclude_user = e->only_kernel && !e->only_user,
		.exclude_kernel = e->only_user && !e->only_kernel,
		.exclude_hv = e->only_user || e->only_kernel,
	};
}

/*
 * A clock uses its period, so that the due time of each sample is known; other events use the rate.
 */
static void set_rate(const struct record_options *opt, const struct event *said,
		     struct record_event *e)
{
	guint64 hertz = said->hertz ? said->hertz : opt->frequency,
		period = said->period ? said->period : opt->period;
	int rare = e->attr.type == PERF_TYPE_SOFTWARE && !e->nanoseconds;	/* sample every
										 * occurrence */

	if (period || e->nanoseconds || rare) {
		e->period = period ? period : rare ? 1 : 1000000000 / hertz;
		e->attr.sample_period = e->period;
	} else {
		e->attr.freq = 1;
		e->attr.sample_freq = hertz;
	}
}

/*
 * Checks that an event can be counted here. Cycles are replaced by the clock if they cannot: a user
 * of cycles wants to know where time goes.
 */
static int settle(const char *text, struct record_event *e, GError **error)
{
	struct counter c = { .name = text,
			     .type = e->attr.type,
			     .config = { e->attr.config, e->attr.config1, e->attr.config2 },
			     .precise = e->attr.precise_ip,
			     .exclude_kernel = 1,
			     .exclude_hv = 1 };
	char *why = NULL;
	size_t size;
	FILE *to;

	if (e->attr.type == PERF_TYPE_SOFTWARE || counters_try(&c, 1, -1) == 1)
		return 0;
	if (is_cycles(&e->attr)) {
		g_printerr(
			"lapwing record: no hardware counters here: sampling the processor's time (cpu-clock) instead of %s\n",
			text);
		e->attr.type = PERF_TYPE_SOFTWARE;
		e->attr.config = PERF_COUNT_SW_CPU_CLOCK;
		g_free(e->name);
		e->name = g_strdup("cpu-clock");
		return 0;
	}
	to = open_memstream(&why, &size);
	counters_explain(&c, 1, "", NULL, to);
	fclose(to);
	g_set_error(error, FAILURE_ERROR, FAILURE_EVENT_NOT_HERE, "%s", g_strchomp(why));
	free(why);
	return -1;
}

static int choose(const struct record_options *opt, const char *text, GArray *events,
		  GError **error)
{
	struct utsname name;
	struct event_machine here = {
		.host = { "" }, .is_here = 1, .guru = opt->guru, .library = event_ask
	};
	struct record_event e = { 0 };
	struct event said;
	char *why;

	uname(&name);
	here.arch = strcmp(name.machine, "aarch64") ? name.machine : "arm64";
	if (event_encode(&here, text, &said, &why)) {
		g_set_error(error, FAILURE_ERROR, FAILURE_EVENT_UNKNOWN, "-e %s: %s", text,
			    why);
		g_free(why);
		return -1;
	}
	e.attr = attr_of(&said);
	e.name = g_strdup(text);
	if (settle(text, &e, error)) {
		g_free(e.name);
		return -1;
	}
	e.nanoseconds = event_is_clock(e.attr.type, e.attr.config);
	set_rate(opt, &said, &e);
	g_array_append_val(events, e);
	return 0;
}

/*
 * Samples the stack where a thread stops running; its next switch-in gives the duration
 * (struct rings_reader).
 */
static void choose_blocked(GArray *events)
{
	struct record_event e = {
		.name = g_strdup("off-cpu"),
		.nanoseconds = 1,
		.blocked = 1,
		.attr = { .type = PERF_TYPE_SOFTWARE,
			  .config = PERF_COUNT_SW_CONTEXT_SWITCHES,
			  .sample_period = 1,
			  .context_switch = 1 },
	};

	g_array_append_val(events, e);
}

GArray *events_choose(const struct record_options *opt, GError **error)
{
	static const char *usual[] = { "cpu-clock", NULL };
	GArray *events = g_array_new(FALSE, TRUE, sizeof(struct record_event));

	if (opt->calls_only)
		return events;
	for (const char **name = opt->events ? opt->events : usual; *name; name++)
		if (choose(opt, *name, events, error)) {
			g_array_free(events, TRUE);
			return NULL;
		}
	if (opt->off_cpu)
		choose_blocked(events);
	return events;
}
