/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * events.c - what is sampled: perf's names of events to attributes, and what this machine makes of them.
 */
#include "record/record.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct known {
	const char	*name;
	guint32		type;
	guint64		config;
	int		nanoseconds;
} known[] = {
	{ "cpu-clock",			PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK,			1 },
	{ "task-clock",			PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK,			1 },
	{ "page-faults",		PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS,			0 },
	{ "faults",			PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS,			0 },
	{ "minor-faults",		PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN,		0 },
	{ "major-faults",		PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ,		0 },
	{ "context-switches",		PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES,		0 },
	{ "cs",				PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES,		0 },
	{ "cpu-migrations",		PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS,		0 },
	{ "alignment-faults",		PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS,		0 },
	{ "emulation-faults",		PERF_TYPE_SOFTWARE, PERF_COUNT_SW_EMULATION_FAULTS,		0 },
	{ "cycles",			PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES,			0 },
	{ "cpu-cycles",			PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES,			0 },
	{ "instructions",		PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS,			0 },
	{ "cache-references",		PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES,		0 },
	{ "cache-misses",		PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES,			0 },
	{ "branches",			PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS,		0 },
	{ "branch-instructions",	PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS,		0 },
	{ "branch-misses",		PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES,		0 },
	{ "bus-cycles",			PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES,			0 },
	{ "ref-cycles",			PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES,		0 },
	{ "stalled-cycles-frontend",	PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND,	0 },
	{ "stalled-cycles-backend",	PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND,	0 },
};

static int has_pmu(const struct perf_event_attr *attr)
{
	struct perf_event_attr a = *attr;
	int fd;

	a.size = sizeof(a);
	a.exclude_kernel = a.exclude_hv = a.disabled = 1;
	fd = (int)syscall(SYS_perf_event_open, &a, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd >= 0)
		close(fd);
	return fd >= 0 || (errno != ENOENT && errno != EOPNOTSUPP && errno != ENODEV);
}

static const struct known *find(const char *name, gsize len)
{
	for (guint i = 0; i < G_N_ELEMENTS(known); i++)
		if (strlen(known[i].name) == len && !strncmp(known[i].name, name, len))
			return &known[i];
	return NULL;
}

/* ":u" and ":k" say whose code is sampled, ":p"s how exact the place is to be. */
static int modifiers(const char *text, struct perf_event_attr *attr)
{
	int user = 0, kernel = 0;

	for (; *text; text++) {
		user |= *text == 'u';
		kernel |= *text == 'k';
		attr->precise_ip += *text == 'p' && attr->precise_ip < 3;
		if (!strchr("ukp", *text))
			return -1;
	}
	attr->exclude_user = kernel && !user;
	attr->exclude_kernel = user && !kernel;
	return 0;
}

/* A clock goes by its period, so that it is known when each sample was due; what is not a clock by the rate. */
static void set_rate(const struct record_options *opt, struct record_event *e)
{
	int one_by_one = e->attr.type == PERF_TYPE_SOFTWARE && !e->nanoseconds;

	if (opt->period || e->nanoseconds || one_by_one) {
		e->period = opt->period ? opt->period : one_by_one ? 1 : 1000000000 / opt->frequency;
		e->attr.sample_period = e->period;
	} else {
		e->attr.freq = 1;
		e->attr.sample_freq = opt->frequency;
	}
}

static int choose(const struct record_options *opt, const char *text, GArray *events, GError **error)
{
	const char *colon = strchr(text, ':');
	const struct known *k = find(text, colon ? (gsize)(colon - text) : strlen(text));
	struct record_event e = { 0 };

	if (!k) {
		GString *names = g_string_new(NULL);

		for (guint i = 0; i < G_N_ELEMENTS(known); i++)
			g_string_append_printf(names, "%s%s", i ? " " : "", known[i].name);
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "unknown event '%s': one of %s", text, names->str);
		g_string_free(names, TRUE);
		return -1;
	}
	e.attr.type = k->type;
	e.attr.config = k->config;
	e.nanoseconds = k->nanoseconds;
	if (modifiers(colon ? colon + 1 : "", &e.attr)) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "event '%s': behind ':' stand u (programs), k (the kernel) or p (precise)", text);
		return -1;
	}
	if (k->type == PERF_TYPE_HARDWARE && !has_pmu(&e.attr)) {
		if (strcmp(k->name, "cycles") && strcmp(k->name, "cpu-cycles")) {
			g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "event '%s': this machine has no hardware counters (a virtual machine "
				    "without a vPMU?): sample 'cpu-clock' instead", text);
			return -1;
		}
		g_printerr("lapwing record: no hardware counters here: sampling the processor's time (cpu-clock) instead of %s\n", text);
		e.attr.type = PERF_TYPE_SOFTWARE;
		e.attr.config = PERF_COUNT_SW_CPU_CLOCK;
		e.nanoseconds = 1;
		text = "cpu-clock";
	}
	e.name = g_strdup(text);
	set_rate(opt, &e);
	g_array_append_val(events, e);
	return 0;
}

/* The stack where a thread stops to run; how long it did, its next switch-in tells (keep_switch). */
static void choose_blocked(GArray *events)
{
	struct record_event e = {
		.name = g_strdup("off-cpu"), .nanoseconds = 1, .blocked = 1,
		.attr = { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CONTEXT_SWITCHES, .sample_period = 1, .context_switch = 1 },
	};

	g_array_append_val(events, e);
}

GArray *events_choose(const struct record_options *opt, GError **error)
{
	static char *usual[] = { "cpu-clock", NULL };
	GArray *events = g_array_new(FALSE, TRUE, sizeof(struct record_event));

	for (char **name = opt->events ? opt->events : usual; *name; name++)
		if (choose(opt, *name, events, error)) {
			g_array_free(events, TRUE);
			return NULL;
		}
	if (opt->off_cpu)
		choose_blocked(events);
	return events;
}
