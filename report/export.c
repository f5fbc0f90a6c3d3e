/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * export.c - lapwing-export, which `lapwing export` runs: a capture for other programs.
 */
#include "report/export.h"
#include "report/heading.h"
#include "report/report_main.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char who[] = "lapwing export";

static const struct format {
	const char	*name, *ending, *what;
	export_fn	*make;
	int		binary;
} formats[] = { { "folded", ".folded",
		  "a line for each stack: frames by ';', weight", export_folded },
		{ "pprof", ".pb.gz", "pprof's protocol buffer, compressed", export_pprof, 1 },
		{ "speedscope", ".speedscope.json", "speedscope", export_speedscope },
		{ "firefox", ".firefox.json", "the Firefox Profiler", export_firefox },
		{ "chrome", ".trace.json", "Perfetto: records, or samples, by time",
		  export_chrome },
		{ "gmon", "gmon.out", "gprof: histogram and calls of one program",
		  export_gmon, 1 },
		{ "csv", ".csv",
		  "a row for each thread, function and image", export_csv },
		{ "json", ".json",
		  "the same, schema lapwing-profile/1",
		  export_json },
		{ NULL } };

const char *export_program;
static struct export_options {
	const char	*output, *format, *program;
} opt;
static const struct format *format;

/*
 * Chooses the format; longer endings come first in the table: ".speedscope.json" is not ".json".
 */
static int check(const char *path)
{
	GString *known;

	for (format = formats; format->name; format++)
		if (opt.format ? !strcmp(format->name, opt.format)
				: opt.output && g_str_has_suffix(opt.output, format->ending))
			break;
	export_program = opt.program;
	if (format->name)
		return 0;
	known = g_string_new(NULL);
	for (const struct format *f = formats; f->name; f++)
		g_string_append_printf(known, " %s (%s)", f->name, f->ending);
	if (opt.format)
		option_fail(FAILURE_NAME_UNKNOWN, "there is no format '%s': one of%s", opt.format,
			    known->str);
	else
		option_fail(FAILURE_ARGUMENTS,
			    "which format? -f NAME, or -o with an ending that says so: one of%s",
			    known->str);
	g_string_free(known, TRUE);
	return -1;
}

static int write_out(const struct format *f, const char *bytes, gsize size)
{
	int is_file = opt.output && strcmp(opt.output, "-");

	if (!is_file && f->binary && isatty(1)) {
		failure_print(who, FAILURE_ARGUMENTS, "%s is binary: name a file with -o", f->name);
		return 1;
	}
	return program_write(who, is_file ? opt.output : "-", bytes, size);
}

static int run(struct profile *p, const struct sample_filter *filter)
{
	gsize size;
	char *bytes;
	int status;

	profile_name_idle(p);
	bytes = format->make(p, filter, &size);
	status = bytes ? write_out(format, bytes, size) : 1;
	if (format->make != export_gmon)	/* which has calls too */
		heading_warn_empty(who, p, filter);
	g_free(bytes);
	return status;
}

static char *describe_formats(void)
{
	GString *text = g_string_new("Formats:\n");

	for (const struct format *f = formats; f->name; f++)
		g_string_append_printf(text, "  %-11s %-17s %s\n", f->name, f->ending, f->what);
	return g_string_free(text, FALSE);
}

#define OPTION_INTO struct export_options
static const struct option_row rows[] = {
	TEXT('o', "output", "NAME", "where to (default: stdout); its ending names the format",
	     output)
	TEXT('f', "format", "NAME", "the format", format)
	TEXT(0, "program", "PATH", "of gmon: the program (default: where most time went)", program)
	{ .kind = OPTION_END },
};

int main(int argc, char **argv)
{
	struct program_of export = { .name = who,
				     .what = "Writes a capture in another program's format.",
				     .rows = rows,
				     .into = &opt,
				     .description = describe_formats(),
				     .check = check,
				     .run = run };
	int status = program_main(&export, argc, argv);

	g_free(export.description);
	return status;
}
