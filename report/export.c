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

char *export_image;
static char *output, *format_name;
static const struct format *format;

/*
 * Which it is to be; endings of longer names come first in the table: ".speedscope.json" is no
 * ".json".
 */
static char *check(const char *path)
{
	GString *known = g_string_new(NULL);

	for (format = formats; format->name; format++)
		if (format_name ? !strcmp(format->name, format_name)
				: output && g_str_has_suffix(output, format->ending))
			break;
	if (format->name) {
		g_string_free(known, TRUE);
		return NULL;
	}
	if (format_name)
		g_string_append_printf(known, "there is no format '%s': one of", format_name);
	else
		g_string_append(known,
				"which format? -f NAME, or -o with an ending that says so: one of");
	for (const struct format *f = formats; f->name; f++)
		g_string_append_printf(known, " %s (%s)", f->name, f->ending);
	return g_string_free(known, FALSE);
}

static int write_out(const struct format *f, const char *bytes, gsize size)
{
	int is_file = output && strcmp(output, "-");

	if (!is_file && f->binary && isatty(1)) {
		g_printerr("%s: %s is binary: name a file with -o\n", who, f->name);
		return 1;
	}
	return program_write(who, is_file ? output : "-", bytes, size);
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

int main(int argc, char **argv)
{
	static const GOptionEntry entries[] = {
		{ "output", 'o', 0, G_OPTION_ARG_FILENAME, &output,
		  "Where to (default: stdout); its ending names the format", "NAME" },
		{ "format", 'f', 0, G_OPTION_ARG_STRING, &format_name, "The format", "NAME" },
		{ "image", 0, 0, G_OPTION_ARG_FILENAME, &export_image,
		  "Of gmon: the program (default: where most time went)", "PATH" },
		{ NULL }
	};
	struct program_of export = { who,     "write a capture in another program's format",
				     entries, describe_formats(),
				     check,   run };
	int status = program_main(&export, argc, argv);

	g_free(export.description);
	return status;
}
