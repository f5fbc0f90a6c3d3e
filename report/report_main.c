/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report_main.c - see report_main.h.
 */
#include "report/report_main.h"

#include "lib/failure_error.h"
#include "lib/when.h"
#include "report/capture.h"
#include "report/db.h"
#include "report/heading.h"
#include "report/records.h"
#include "store/store.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum mode { MODE_USER, MODE_KERNEL, MODE_IDLE, MODE_ANY };
static struct choice {
	const char	*event, *name, *phase, *stack, *unit, *image;
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
	TEXT(0, "unit", "NAME", "only of that systemd unit or container: nginx, 'docker-*'", unit)
	TEXT(0, "image", "NAME", "only in that file: libc, /usr/bin/make", image)
	TEXT(0, "stack", "COLUMN", "of records (stp()): the column of stacks (default: the first)", stack)
	TEXT(0, "since", "WHEN", "of a store: from then on, as '2 h ago', 'yesterday'", since)
	TEXT(0, "until", "WHEN", "of a store: until then", until)
	{ .kind = OPTION_END },
};

/* The index of the first argument that is no option; -1 with the exit status. */
static int parse(const struct program_of *of, int argc, char **argv, int *status)
{
	/* the last one has options that only --help=all lists */
	const struct option_table all[] = { { of->rows, of->into },
					    { data_options, of->form },
					    { common, &choice },
					    { NULL, NULL } },
				  no_form[] = { all[0], all[2], all[3] };
	const struct option_program program = {
		.name = of->name,
		.usage = of->run_pair ? "[options] BEFORE AFTER" : "[options] [FILE]",
		.what = of->what,
		.more = of->description,
		.tables = of->form ? all : no_form,
		.anywhere = 1,
		.wrong = 2,
	};

	return option_parse(&program, argc, argv, status);
}

/* The path; NULL with the exit status. n: arguments that are no options. */
static const char *path_of(const struct program_of *of, int n, char **args, int *status)
{
	const char *path;

	*status = 2;
	if (n > 1) {
		option_fail(FAILURE_ARGUMENTS, "expected one capture file: %s [options] [FILE]",
			    of->name);
		return NULL;
	}
	path = n ? args[0] : choice.db ? store_default_path() : CAPTURE_FILE;
	return of->check && of->check(path) ? NULL : path;
}

/* 1, reported: options that choose samples do not go with a table of records. */
static int chooses_samples(const char *who)
{
	const char *option = choice.event	       ? "--event"
			     : choice.phase	       ? "--phase"
			     : choice.stack	       ? "--stack"
			     : choice.unit	       ? "--unit"
			     : choice.image	       ? "--image"
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

static enum store_how how_of(const struct program_of *of)
{
	int chosen = choice.name || choice.phase || choice.unit || choice.image || choice.mode != MODE_ANY;
	char *keys = of->keys ? of->keys(chosen) : NULL;
	enum store_how how = keys ? db_how(keys) : STORE_SUM;

	g_free(keys);
	return how;
}

/* NULL with the exit status. */
static struct profile *open_profile(const struct program_of *of, const char *path, int *status)
{
	gint64 since = 0, until = G_MAXINT64;

	*status = 2;
	if (parse_when("since", choice.since, &since) || parse_when("until", choice.until, &until))
		return NULL;
	*status = 1;
	return choice.db ? heading_open_db(of->name, path, since, until, how_of(of)) : heading_open(of->name, path);
}

static struct sample_filter filter_of(const struct program_of *of, const struct profile *p)
{
	/* as filter_mode_name() returns them */
	static const char *const modes[] = { "user", "kernel", "idle", [MODE_ANY] = NULL };

	return (struct sample_filter){ .event = heading_event(of->name, p, choice.event),
				       .name = choice.name,
				       .phase = choice.phase,
				       .mode = modes[choice.mode],
				       .unit = choice.unit,
				       .image = choice.image };
}

static int one_main(const struct program_of *of, int n, char **args)
{
	struct sample_filter filter;
	int status;
	const char *path = path_of(of, n, args, &status);
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
	status = 2;
	if (!program_samples(of->name, p)) {
		filter = filter_of(of, p);
		if (filter.event != PROFILE_NONE)
			status = of->run(p, &filter);
	}
	profile_free(p);
	return status;
}

/* ---- two captures ------------------------------------------------------------------*/

/* What is compared: a capture, or a time of a store. */
struct side {
	const char	*path;
	gint64		since, until;
	struct profile	*p;
	struct sample_filter filter;
};

/* 0, or -1 after a message. */
static int sides_of(struct side *sides, const struct program_of *of, int n, char **args)
{
	gint64 now = g_get_real_time() * 1000;

	if (choice.since || choice.until)
		return option_fail(FAILURE_OPTION_CONFLICT, "--since, --until: the two times say it: 'yesterday' 'today'");
	if (n != 2 && !(choice.db && n == 3))
		return option_fail(FAILURE_ARGUMENTS,
				   "expected two captures, %s BEFORE AFTER, or two times, %s --db 'yesterday' 'today' [FILE]",
				   of->name, of->name);
	for (int i = 0; i < 2; i++) {
		sides[i].path = !choice.db ? args[i] : n == 3 ? args[2] : store_default_path();
		if (choice.db && when_parse_span(args[i], now, &sides[i].since, &sides[i].until))
			return option_fail(FAILURE_OPTION_VALUE, "'%s': a time is " WHEN_FORMS ", or FROM..TO", args[i]);
	}
	/* "14:05" before "15:05" ends there */
	if (sides[0].until == G_MAXINT64 && sides[0].since < sides[1].since)
		sides[0].until = sides[1].since;
	return of->check && of->check(sides[1].path) ? -1 : 0;
}

/* 0, or the exit status after a message. */
static int open_side(struct side *side, const struct program_of *of)
{
	side->p = choice.db ? heading_open_db(of->name, side->path, side->since, side->until, how_of(of))
			    : heading_open(of->name, side->path);
	if (!side->p)
		return 1;
	if (program_samples(of->name, side->p))
		return 2;
	side->filter = filter_of(of, side->p);
	return side->filter.event == PROFILE_NONE ? 2 : 0;
}

static int pair_main(const struct program_of *of, int n, char **args)
{
	struct side sides[2] = { { 0 }, { 0 } };
	int status = sides_of(sides, of, n, args) ? 2 : 0;

	for (int i = 0; i < 2 && !status; i++)
		status = open_side(&sides[i], of);
	if (!status)
		status = of->run_pair(sides[0].p, &sides[0].filter, sides[1].p, &sides[1].filter);
	for (int i = 0; i < 2; i++)
		if (sides[i].p)
			profile_free(sides[i].p);
	return status;
}

int program_main(const struct program_of *of, int argc, char **argv)
{
	int status, i = parse(of, argc, argv, &status);

	if (i < 0)
		return status;
	return of->run_pair ? pair_main(of, argc - i, argv + i) : one_main(of, argc - i, argv + i);
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
