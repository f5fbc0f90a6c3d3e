/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report_main.c - see report_main.h.
 */
#include "report/report_main.h"

#include "lib/failure_error.h"
#include "lib/when.h"
#include "report/capture.h"
#include "report/heading.h"
#include "report/records.h"
#include "store/store.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum mode { MODE_USER, MODE_KERNEL, MODE_IDLE, MODE_ANY };
static struct choice {
	const char	*event, *name, *phase, *stack;
	const char	*since, *until;		/* of a store */
	int		db;
	int		mode;		/* enum mode, as --mode lists them */
} choice = { .mode = MODE_ANY };

#define OPTION_INTO struct choice
static const struct option_row common[] = {
	TEXT('e', "event", "EVENT", "of several events: which (default: the first)", event)
	TEXT('n', "name", "NAME", "only processes of that program", name)
	TEXT(0, "phase", "NAME", "only samples of that phase", phase)
	CHOICE(0, "mode", "user|kernel|idle", "only such samples", mode)
	FLAG(0, "db", "FILE is a store of lapwing watch (default: where that writes)", db)
	MORE
	TEXT(0, "stack", "COLUMN", "of records (stp()): the column of stacks (default: the first)", stack)
	TEXT(0, "since", "WHEN", "of a store: from then on, as '2 h ago', 'yesterday'", since)
	TEXT(0, "until", "WHEN", "of a store: until then", until)
	{ .kind = OPTION_END },
};

/* The path; NULL with the exit status. */
static const char *parse(const struct program_of *of, int argc, char **argv, int *status)
{
	/* the last one has options that only --help=all lists */
	const struct option_table all[] = { { of->rows, of->into },
					    { data_options, of->form },
					    { common, &choice },
					    { NULL, NULL } },
				  no_form[] = { all[0], all[2], all[3] };
	const struct option_program program = {
		.name = of->name,
		.usage = "[options] [FILE]",
		.what = of->what,
		.more = of->description,
		.tables = of->form ? all : no_form,
		.anywhere = 1,
		.wrong = 2,
	};
	int i = option_parse(&program, argc, argv, status);
	const char *path;

	if (i < 0)
		return NULL;
	*status = 2;
	if (argc > i + 1) {
		option_fail(FAILURE_ARGUMENTS, "expected one capture file: %s [options] [FILE]",
			    of->name);
		return NULL;
	}
	path = i < argc ? argv[i] : choice.db ? store_default_path() : CAPTURE_FILE;
	return of->check && of->check(path) ? NULL : path;
}

/* 1, reported: options that choose samples do not go with a table of records. */
static int chooses_samples(const char *who)
{
	const char *option = choice.event	       ? "--event"
			     : choice.phase	       ? "--phase"
			     : choice.stack	       ? "--stack"
			     : choice.mode != MODE_ANY ? "--mode"
						       : NULL;

	if (choice.name)
		failure_print(who, FAILURE_OPTION_CONFLICT,
			      "--name chooses samples, and the capture has records: --where 'program == \"%s\"' chooses those",
			      choice.name);
	else if (option)
		failure_print(who, FAILURE_OPTION_CONFLICT,
			      "%s chooses samples, and the capture has records: --where chooses those", option);
	return choice.name || option;
}

int program_samples(const char *who, struct profile *p)
{
	GError *error = NULL;

	if (!records_to_samples(p, choice.stack, &error))
		return 0;
	failure_report(who, error);
	return -1;
}

/* 0, or -1, reported. text NULL: none is given, and *ns stays as it is. */
static int parse_when(const char *option, const char *text, gint64 *ns)
{
	if (text && !choice.db)
		return option_fail(FAILURE_OPTION_CONFLICT, "--%s needs --db: a capture is shown whole", option);
	if (text && when_parse(text, g_get_real_time() * 1000, ns))
		return option_fail(FAILURE_OPTION_VALUE, "--%s '%s': a time is " WHEN_FORMS, option, text);
	return 0;
}

/* NULL with the exit status. */
static struct profile *open_profile(const struct program_of *of, const char *path, int *status)
{
	gint64 since = 0, until = G_MAXINT64;

	*status = 2;
	if (parse_when("since", choice.since, &since) || parse_when("until", choice.until, &until))
		return NULL;
	*status = 1;
	return choice.db ? heading_open_db(of->name, path, since, until) : heading_open(of->name, path);
}

int program_main(const struct program_of *of, int argc, char **argv)
{
	/* as filter_mode_name() returns them */
	static const char *const modes[] = { "user", "kernel", "idle", [MODE_ANY] = NULL };
	struct sample_filter filter = { 0 };
	int status;
	const char *path = parse(of, argc, argv, &status);
	struct profile *p;

	if (!path)
		return status;
	p = open_profile(of, path, &status);
	if (!p)
		return status;
	/* a capture that was cut off may end before its first columns */
	if (of->run_records && (p->calls->len || (!p->events->len && !p->arcs->len))) {
		status = chooses_samples(of->name) ? 2 : of->run_records(p);
		profile_free(p);
		return status;
	}
	if (program_samples(of->name, p)) {
		profile_free(p);
		return 2;
	}
	filter = (struct sample_filter){ .event = heading_event(of->name, p, choice.event),
					 .name = choice.name,
					 .phase = choice.phase,
					 .mode = modes[choice.mode] };
	status = 2;
	if (filter.event != PROFILE_NONE)
		status = of->run(p, &filter);
	profile_free(p);
	return status;
}

int program_write(const char *who, const char *path, const char *bytes, gsize size)
{
	FILE *file;
	int failed;

	if (!strcmp(path, "-"))		/* a failure is reported at exit */
		return fwrite(bytes, 1, size, stdout) != size;
	file = fopen(path, "we");
	failed = !file || fwrite(bytes, 1, size, file) != size || fflush(file);
	if (failed)
		failure_print(who, FAILURE_FILE_WRITE, "cannot write %s: %s", path, g_strerror(errno));
	if (file)
		fclose(file);
	return failed;
}
