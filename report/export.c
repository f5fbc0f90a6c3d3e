/* SPDX-License-Identifier: GPL-2.0-or-later */
/* export.c - lapwing-export, run by `lapwing export`: a capture for other programs. */
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
		  "a line for each stack: frames, ';' between them, and weight", export_folded },
		{ "pprof", ".pb.gz", "pprof's protocol buffer, compressed", export_pprof, 1 },
		{ "speedscope", ".speedscope.json", "speedscope", export_speedscope },
		{ "firefox", ".firefox.json", "the Firefox Profiler", export_firefox },
		{ "gmon", "gmon.out", "gprof: a histogram of one program's code, and its calls",
		  export_gmon, 1 },
		{ "csv", ".csv",
		  "a row for each process, thread, function and image, with a header", export_csv },
		{ "json", ".json",
		  "the same with what is known of the capture, schema lapwing-profile/1",
		  export_json },
		{ NULL } };

const char *export_image;
static struct options {
	struct report_samples samples;
	const char	*output, *format, *image;
} opt;
static const struct format *format;

/* Chooses the format; longer endings come first in the table: ".speedscope.json" is not ".json". */
static int check(const char *path)
{
	GString *known;

	export_image = opt.image;
	for (format = formats; format->name; format++)
		if (opt.format ? !strcmp(format->name, opt.format) :
		    opt.output && g_str_has_suffix(opt.output, format->ending))
			return 0;
	known = g_string_new(NULL);
	for (const struct format *f = formats; f->name; f++)
		g_string_append_printf(known, " %s (%s)", f->name, f->ending);
	if (opt.format)
		options_fail("unknown format '%s' (formats:%s)", opt.format, known->str);
	else
		options_fail("no format given: expected --format=NAME, or -o with one of these "
			     "endings:%s",
			     known->str);
	g_string_free(known, TRUE);
	return -1;
}

static int write_out(const struct format *f, const char *bytes, gsize size)
{
	int is_file = opt.output && strcmp(opt.output, "-");

	if (!is_file && f->binary && isatty(1)) {
		g_printerr("%s: %s is binary: name a file with -o\n", who, f->name);
		return 1;
	}
	return report_write(who, is_file ? opt.output : "-", bytes, size);
}

static int run(struct profile *p, const struct sample_filter *filter)
{
	gsize size;
	char *bytes;
	int status;

	profile_name_idle(p);
	bytes = format->make(p, filter, &size);
	status = bytes ? write_out(format, bytes, size) : 1;
	if (format->make != export_gmon)	/* gmon also has calls */
		heading_warn_empty(who, p, filter);
	g_free(bytes);
	return status;
}

static void describe_formats(FILE *to)
{
	fputs("\nFormats:\n", to);
	for (const struct format *f = formats; f->name; f++)
		fprintf(to, "  %-11s %-17s %s\n", f->name, f->ending, f->what);
}

#define OPTIONS_IN struct options
static const struct option_row rows[] = {
#include "report/export.def"
OPTIONS_END
};

int main(int argc, char **argv)
{
	static const struct report_program export = {
		.options = { .name = "lapwing export", .rows = rows, .usage_status = 2,
			     .more = describe_formats,
			     .usage = "Usage: lapwing export [OPTION]... FILE\n"
				      "Writes a capture in another program's format.\n" },
		.samples = &opt.samples, .check = check, .run = run,
	};

	return report_main(&export, argc, argv);
}
