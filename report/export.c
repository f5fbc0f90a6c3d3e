/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * export.c - lapwing-export, which `lapwing export` runs: a capture for other programs.
 */
#include "report/export.h"
#include "report/heading.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char who[] = "lapwing export";

static const struct format {
	const char	*name, *ending, *what;
	export_fn	*make;
	int		binary;
} formats[] = {
	{ "folded",	".folded",		"a line for each stack: frames, ';' between them, and weight", export_folded },
	{ "pprof",	".pb.gz",		"pprof's protocol buffer, compressed", export_pprof, 1 },
	{ "speedscope",	".speedscope.json",	"speedscope", export_speedscope },
	{ "firefox",	".firefox.json",	"the Firefox Profiler", export_firefox },
	{ "csv",	".csv",			"a row for each process, thread, function and image, with a header", export_csv },
	{ "json",	".json",		"the same with what is known of the capture, schema lapwing-profile/1", export_json },
	{ NULL }
};

static char *output, *format_name, *event, *name, *phase, *mode;

static const struct format *find_format(void)
{
	const struct format *f = formats;

	/* Endings of longer names come first in the table: ".speedscope.json" is no ".json". */
	for (; f->name; f++)
		if (format_name ? !strcmp(f->name, format_name) : output && g_str_has_suffix(output, f->ending))
			return f;
	if (format_name)
		g_printerr("%s: there is no format '%s': one of", who, format_name);
	else
		g_printerr("%s: which format? -f NAME, or -o with an ending that says so: one of", who);
	for (f = formats; f->name; f++)
		g_printerr(" %s (%s)", f->name, f->ending);
	g_printerr("\n");
	return NULL;
}

static int write_out(const struct format *f, const char *bytes, gsize size)
{
	GError *error = NULL;

	if (output && strcmp(output, "-")) {
		if (g_file_set_contents(output, bytes, (gssize)size, &error))
			return 0;
		g_printerr("%s: %s\n", who, error->message);
		g_error_free(error);
		return 1;
	}
	if (f->binary && isatty(1)) {
		g_printerr("%s: %s is binary: name a file with -o\n", who, f->name);
		return 1;
	}
	if (fwrite(bytes, 1, size, stdout) == size && !fflush(stdout))
		return 0;
	g_printerr("%s: stdout: write failed\n", who);
	return 1;
}

static int run(const struct format *f, const char *path)
{
	struct profile *p = heading_open(who, path);
	struct tally_filter filter = { .name = name, .phase = phase, .mode = mode };
	int status = 1;
	gsize size;
	char *bytes;

	if (!p)
		return 1;
	filter.event = heading_event(who, p, event);
	if (filter.event == PROFILE_NONE) {
		status = 2;
	} else {
		bytes = f->make(p, &filter, &size);
		status = write_out(f, bytes, size);
		g_free(bytes);
	}
	profile_free(p);
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
	const GOptionEntry entries[] = {
		{ "output", 'o', 0, G_OPTION_ARG_FILENAME, &output, "Where to (default: stdout); its ending names the format", "NAME" },
		{ "format", 'f', 0, G_OPTION_ARG_STRING, &format_name, "The format", "NAME" },
		{ "event", 'e', 0, G_OPTION_ARG_STRING, &event, "Of several events: which (default: the first)", "EVENT" },
		{ "name", 'n', 0, G_OPTION_ARG_STRING, &name, "Only processes of that program", "NAME" },
		{ "phase", 0, 0, G_OPTION_ARG_STRING, &phase, "Only samples of that phase", "NAME" },
		{ "mode", 0, 0, G_OPTION_ARG_STRING, &mode, "Only user, kernel or idle samples", "MODE" },
		{ NULL }
	};
	GOptionContext *context = g_option_context_new("FILE - write a capture in another program's format");
	char *description = describe_formats();
	const struct format *f;
	GError *error = NULL;
	int bad;

	g_option_context_set_description(context, description);
	g_option_context_add_main_entries(context, entries, NULL);
	bad = !g_option_context_parse(context, &argc, &argv, &error);
	g_option_context_free(context);
	g_free(description);
	if (bad || argc != 2) {
		g_printerr("%s: %s\n", who, bad ? error->message : "one capture, please: lapwing export [OPTION...] FILE (see --help)");
		return 2;
	}
	f = find_format();
	return f ? run(f, argv[1]) : 2;
}
