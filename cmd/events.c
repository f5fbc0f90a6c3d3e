/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * events.c - `lapwing events`: which events can be counted here, by what names, and which of them
 * together.
 *
 *	lapwing events [--root=DIR] [--json | --csv] [PATTERN]
 *						the list; a shell PATTERN for any part of a name
 *	lapwing events --check [--json | --csv] EVENT...
 *						whether these fit together; exit status 0: they do
 *	lapwing events --encode NAME		libpfm4's encoding of a name, for lapwing: type,
 *						config registers, precise, PMU
 */
#include "lib/counters.h"
#include "lib/data.h"
#include "lib/host.h"
#include "lib/option.h"
#include "translator/debuginfo/event_sysfs.h"
#include "translator/debuginfo/pfm.h"

#include <fnmatch.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

struct list {
	struct event_machine machine;
	char		*pattern;	/* with '*' around it; NULL: all */
	unsigned	shown;
	struct data	data;		/* form DATA_NONE: the list is text */
	const char	*source;	/* of the rows that come, in data */
};

static const char portable[] = "portable";

static int is_wanted(const struct list *l, const char *name)
{
	return !l->pattern || !fnmatch(l->pattern, name, FNM_CASEFOLD);
}

static struct counter counter_of(const char *name, const struct event *e)
{
	struct counter c = { .name = name,
			     .type = e->type,
			     .config = { e->config[0], e->config[1], e->config[2] },
			     .precise = e->precise,
			     .period = e->period };
	int only = e->only_user || e->only_kernel || e->only_hypervisor;

	c.exclude_user = only && !e->only_user;
	c.exclude_kernel = only && !e->only_kernel;
	c.exclude_hv = only && !e->only_hypervisor;
	return c;
}

/* In a tree of files (--root) nothing can be counted. */
static const char *status(const struct list *l, const char *name, const struct event *e)
{
	struct counter c = counter_of(name, e);

	if (*l->machine.host.root)
		return NULL;
	return counters_try(&c, 1, 0) ? "counts" : c.error == EBUSY ? "taken" : "not here";
}

static void begin_rows(struct list *l, const char *source, const char *title)
{
	l->source = source;
	if (!l->data.form)
		puts(title);
}

/* state, what, note: NULL: unknown, or there is none. */
static void show_row(struct list *l, const char *name, const char *state, const char *what,
		     const char *note)
{
	l->shown++;
	if (!l->data.form) {
		printf("  %-26s %-*s %-28s %s\n", name, state ? 8 : 1, state ? state : "",
		       what ? what : l->source == portable ? "-" : "", note ? note : "");
		return;
	}
	data_row(&l->data);
	data_text(&l->data, NULL, l->source);
	data_text(&l->data, NULL, name);
	data_text(&l->data, NULL, state);
	data_text(&l->data, NULL, what);
	data_text(&l->data, NULL, note);
	data_close(&l->data);
}

static void list_presets(struct list *l)
{
	begin_rows(l, portable, "Portable names (and PAPI's)");
	for (const struct event_preset *p = event_presets; p->name; p++) {
		struct event e;
		char *why = NULL, *what;

		if (!is_wanted(l, p->name) && !is_wanted(l, p->papi))
			continue;
		if (event_encode(&l->machine, p->name, &e, &why)) {
			show_row(l, p->name, *l->machine.host.root ? NULL : "not here", NULL,
				 p->note);
		} else {
			what = p->generic ? g_strdup(p->generic)
					  : g_strdup_printf("raw:0x%" G_GINT64_MODIFIER "x",
							    e.config[0]);
			show_row(l, p->name, status(l, p->name, &e), what, p->note);
			g_free(what);
		}
		g_free(why);
	}
}

static void list_generics(struct list *l)
{
	begin_rows(l, "perf", "perf's names");
	for (const struct event_generic *g = event_generics; g->name; g++) {
		struct event e = { .type = g->type, .config = { g->config } };

		if (is_wanted(l, g->name) || (g->alias && is_wanted(l, g->alias)))
			show_row(l, g->name, status(l, g->name, &e), g->alias,
				 g->type == PERF_TYPE_SOFTWARE ? "software" : NULL);
	}
}

static void list_sysfs(struct list *l)
{
	static const char devices[] = "/sys/bus/event_source/devices";
	char *folder = g_strconcat(l->machine.host.root, devices, NULL);
	GDir *dir = g_dir_open(folder, 0, NULL), *events;
	const char *pmu, *name;

	begin_rows(l, "sysfs", "The kernel's PMUs (sysfs)");
	while (dir && (pmu = g_dir_read_name(dir))) {
		char *path = g_strdup_printf("%s/%s/events", folder, pmu);

		events = g_dir_open(path, 0, NULL);
		while (events && (name = g_dir_read_name(events))) {
			char *full = g_strdup_printf("%s/%s/", pmu, name),
			     *at = g_strdup_printf("%s/%s/events/%s", devices, pmu, name);
			char *terms = strchr(name, '.') || !is_wanted(l, full)
					      ? NULL
					      : host_read(&l->machine.host, at);

			if (terms)		/* "energy.unit" and ".scale" are not events */
				show_row(l, full, NULL, terms, NULL);
			g_free(terms);
			g_free(at);
			g_free(full);
		}
		if (events)
			g_dir_close(events);
		g_free(path);
	}
	if (dir)
		g_dir_close(dir);
	g_free(folder);
}

static void list_library_event(const char *name, const char *note, const char *pmu, void *data)
{
	struct list *l = data;

	if (is_wanted(l, name))
		show_row(l, name, NULL, NULL, note);
}

static void list_cores(const struct list *l)
{
	GPtrArray *pmus = event_core_pmus(&l->machine.host);

	for (unsigned i = 0; i < pmus->len; i++)
		printf("%s%s%s", i ? ", " : "Kinds of CPU, each with counters of its own: ",
		       (const char *)pmus->pdata[i], i + 1 < pmus->len ? "" : "\n");
	g_ptr_array_unref(pmus);
}

static void list_precise(const struct list *l)
{
	GPtrArray *ways = event_precise(&l->machine.host);

	for (unsigned i = 0; i < ways->len; i++)
		printf("%s%s", i ? "; " : "Precise samples: ", (const char *)ways->pdata[i]);
	puts(ways->len ? "" : "Precise samples: not here");
	g_ptr_array_unref(ways);
}

/* An array of texts, which it frees. */
static void write_texts(struct list *l, const char *name, GPtrArray *texts)
{
	data_array(&l->data, name);
	for (unsigned i = 0; i < texts->len; i++)
		data_text(&l->data, NULL, texts->pdata[i]);
	data_close(&l->data);
	g_ptr_array_unref(texts);
}

/*
 * Fills c with portable events that fit together: each, in their order, that fits with those
 * before. Returns their number.
 */
static unsigned find_fitting(const struct list *l, struct counter *c, unsigned room)
{
	unsigned n = 0;

	for (const struct event_preset *p = event_presets; p->name && n < room; p++) {
		struct event e;
		char *why = NULL;

		if (!event_encode(&l->machine, p->name, &e, &why)) {
			c[n] = counter_of(p->name, &e);
			n += counters_try(c, n + 1, 0) == n + 1;
		}
		g_free(why);
	}
	return n;
}

/* Why no hardware event counts. */
static void explain_none(FILE *to)
{
	struct counter cycles = { .name = "cpu_cycles",
				  .type = PERF_TYPE_HARDWARE,
				  .config = { PERF_COUNT_HW_CPU_CYCLES } };

	counters_try(&cycles, 1, 0);
	counters_explain(&cycles, 1, "", NULL, to);
}

static void list_fitting(const struct list *l)
{
	struct counter c[32];
	unsigned n = find_fitting(l, c, G_N_ELEMENTS(c));

	if (!n) {
		explain_none(stdout);
		return;
	}
	printf("%u hardware events fit together, for instance: ", n);
	for (unsigned i = 0; i < n; i++)
		printf("%s%s", i ? ", " : "", c[i].name);
	putchar('\n');
}

static void write_fitting(struct list *l)
{
	struct counter c[32];
	unsigned n = *l->machine.host.root ? 0 : find_fitting(l, c, G_N_ELEMENTS(c));
	char *why = NULL;
	size_t size;
	FILE *to;

	data_array(&l->data, "fitting");
	for (unsigned i = 0; i < n; i++)
		data_text(&l->data, NULL, c[i].name);
	data_close(&l->data);
	if (!n && !*l->machine.host.root) {
		to = open_memstream(&why, &size);
		explain_none(to);
		fclose(to);
		g_strchomp(why);
	}
	data_text(&l->data, "none_fits", why);
	free(why);
}

static void list_sources(struct list *l)
{
	list_presets(l);
	list_generics(l);
	list_sysfs(l);
	if (!l->pattern)
		return;
	begin_rows(l, "libpfm4", "libpfm4's names");
	pfm_list(list_library_event, l);
}

static void print_list(struct list *l, const char *pmus)
{
	printf("PMU: %s\n", *pmus ? pmus : "none that libpfm4 knows");
	list_cores(l);
	list_precise(l);
	list_sources(l);
	if (!l->pattern)
		puts("libpfm4's names: lapwing events PATTERN lists them too");
	if (!*l->machine.host.root)
		list_fitting(l);
}

static int write_list(struct list *l, enum data_form form, const char *pmus)
{
	static const char *const columns[] = { "source", "name", "state", "means", "note", NULL };

	data_begin(&l->data, stdout, form, "lapwing-events/1");
	data_text(&l->data, "pmu", *pmus ? pmus : NULL);
	write_texts(l, "cpu_kinds", event_core_pmus(&l->machine.host));
	write_texts(l, "precise", event_precise(&l->machine.host));
	data_rows(&l->data, "rows", columns);
	list_sources(l);
	data_close(&l->data);
	write_fitting(l);
	return data_end(&l->data, "lapwing events", "stdout");
}

static int list_all(struct list *l, enum data_form form)
{
	char *pmus = pfm_describe();
	int failed = 0;

	if (form)
		failed = write_list(l, form, pmus);
	else
		print_list(l, pmus);
	g_free(pmus);
	if (!l->shown)
		option_fail(FAILURE_EVENT_UNKNOWN, "no event's name is like %s", l->pattern);
	return failed || !l->shown;
}

static void print_encoding(const struct counter *c, const struct event *e)
{
	printf("%s: type %u config 0x%llx, 0x%llx, 0x%llx precise %u", c->name, e->type,
	       (unsigned long long)e->config[0], (unsigned long long)e->config[1],
	       (unsigned long long)e->config[2], e->precise);
	printf("%s%s%s%s (%s)\n", c->exclude_user ? " not user" : "",
	       c->exclude_kernel ? " not kernel" : "", *e->pmu ? " on " : "", e->pmu, e->from);
}

/* An event of --check. */
struct checked {
	const char	*name;
	struct event	event;
	struct counter	*counter;	/* NULL: there is no such event */
	char		*why;		/* it is not counted; NULL: it is, or nobody tried */
};

/* Looks up the names; returns how many are known, which have counters. */
static unsigned encode_all(const struct list *l, char **names, struct checked *checked,
			   struct counter *counters)
{
	unsigned known = 0;

	for (unsigned i = 0; names[i]; i++) {
		struct checked *c = &checked[i];

		c->name = names[i];
		if (event_encode(&l->machine, c->name, &c->event, &c->why))
			continue;
		c->counter = &counters[known++];
		*c->counter = counter_of(c->name, &c->event);
	}
	return known;
}

/* Tries the known events together, and takes each line of what is said to the event it is of. */
static void try_all(struct checked *checked, unsigned n, struct counter *counters, unsigned known)
{
	char *said = NULL, **lines, **line;
	size_t size;
	FILE *to = open_memstream(&said, &size);

	counters_try_all(counters, known);
	counters_explain(counters, known, "", NULL, to);
	fclose(to);
	lines = line = g_strsplit(said, "\n", -1);
	for (unsigned i = 0; i < n; i++)
		if (checked[i].counter && checked[i].counter->error)
			checked[i].why = g_strdup(*line++);
	g_strfreev(lines);
	free(said);
}

static void print_checked(const struct checked *checked, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (checked[i].counter)
			print_encoding(checked[i].counter, &checked[i].event);
		else
			option_fail(FAILURE_EVENT_UNKNOWN, "%s", checked[i].why);
	for (unsigned i = 0; i < n; i++)
		if (checked[i].counter && checked[i].why)
			puts(checked[i].why);
}

static void write_encoding(struct data *d, const struct checked *c)
{
	const struct event *e = &c->event;

	data_value(d, NULL, "%u", e->type);
	for (unsigned i = 0; i < G_N_ELEMENTS(e->config); i++) {
		char *text = g_strdup_printf("0x%" G_GINT64_MODIFIER "x", e->config[i]);

		data_text(d, NULL, text);
		g_free(text);
	}
	data_value(d, NULL, "%u", e->precise);
	data_array(d, NULL);
	if (c->counter->exclude_user)
		data_text(d, NULL, "user");
	if (c->counter->exclude_kernel)
		data_text(d, NULL, "kernel");
	data_close(d);
	data_text(d, NULL, *e->pmu ? e->pmu : NULL);
	data_text(d, NULL, e->from);
}

static const char *checked_state(const struct list *l, const struct checked *c)
{
	return !c->counter		? "unknown"
	       : *l->machine.host.root	? NULL
	       : !c->why		? "counts"
	       : c->counter->error == EBUSY ? "taken"
					: "not here";
}

static int write_checked(struct list *l, enum data_form form, const struct checked *checked,
			 unsigned n)
{
	static const char *const columns[] = { "name",	  "state",    "type", "config", "config1",
					       "config2", "precise", "excludes", "pmu", "from",
					       "why",	  NULL };
	struct data *d = &l->data;

	data_begin(d, stdout, form, "lapwing-events-check/1");
	data_rows(d, "rows", columns);
	for (unsigned i = 0; i < n; i++) {
		data_row(d);
		data_text(d, NULL, checked[i].name);
		data_text(d, NULL, checked_state(l, &checked[i]));
		if (checked[i].counter)
			write_encoding(d, &checked[i]);
		else
			for (unsigned k = 0; k < 8; k++)
				data_text(d, NULL, NULL);
		data_text(d, NULL, checked[i].why);
		data_close(d);
	}
	data_close(d);
	return data_end(d, "lapwing events", "stdout");
}

static int check(struct list *l, enum data_form form, char **names)
{
	unsigned n = g_strv_length(names), known;
	struct checked *checked = g_new0(struct checked, n);
	struct counter *counters = g_new0(struct counter, n);
	int wrong = 0;

	known = encode_all(l, names, checked, counters);
	if (!*l->machine.host.root)
		try_all(checked, n, counters, known);
	if (form)
		wrong = write_checked(l, form, checked, n);
	else
		print_checked(checked, n);
	for (unsigned i = 0; i < n; i++) {
		wrong |= checked[i].why != NULL;
		g_free(checked[i].why);
	}
	g_free(checked);
	g_free(counters);
	return wrong;
}

static int encode(const char *name)
{
	struct event e = { .type = 0 };
	char *why = NULL, *line;

	if (pfm_encode(name, &e, &why)) {
		fprintf(stderr, "%s\n", why);
		g_free(why);
		return 1;
	}
	line = event_format(&e);
	puts(line);
	g_free(line);
	return 0;
}

#define OPTION_INTO struct asked
static struct asked {
	const char	*root, *name;
	int		checks, guru;
} asked = { .root = "" };

static const struct option_row rows[] = {
	TEXT(0, "root", "DIR", "examine the machine whose files are in DIR", root)
	FLAG(0, "check", "say how EVENTs are counted, and whether they fit together", checks)
	FLAG('g', "guru", "allow raw codes", guru)
	TEXT(0, "encode", "NAME", "say what libpfm4 makes of a name", name)
	{ .kind = OPTION_END },
};

int main(int argc, char **argv)
{
	static enum data_form form;
	static const struct option_table tables[] = { { rows, &asked },
						      { data_options, &form },
						      { NULL, NULL } };
	static const struct option_program program = {
		.name = "lapwing events",
		.usage = "[options] [PATTERN]\n[options] --check EVENT...",
		.what = "Says which events can be counted here.",
		.tables = tables,
		.anywhere = 1,
		.wrong = 2,
	};
	struct utsname system;
	struct list l = { .machine = { .is_here = 1, .library = pfm_encode } };
	int status, i = option_parse(&program, argc, argv, &status);

	if (i < 0)
		return status;
	if (asked.checks ? i == argc : argc > i + 1) {
		option_fail(FAILURE_ARGUMENTS, "%s; lapwing events --help",
			    asked.checks ? "which events?" : "one PATTERN at a time");
		return program.wrong;
	}
	if (form && asked.name) {
		option_fail(FAILURE_OPTION_CONFLICT,
			    "--json and --csv are of the list and of --check: without --encode");
		return program.wrong;
	}
	uname(&system);
	l.machine.arch = strcmp(system.machine, "aarch64") ? system.machine : "arm64";
	l.machine.guru = asked.guru;
	l.machine.host.root = asked.root;
	l.pattern = i < argc && !asked.checks ? g_strdup_printf("*%s*", argv[i]) : NULL;
	return asked.name ? encode(asked.name)
	       : asked.checks ? check(&l, form, argv + i)
	       : list_all(&l, form);
}
