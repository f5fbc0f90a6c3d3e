/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report_main.c - see report_main.h.
 */
#include "report/report_main.h"

#include "report/heading.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static char *event, *name, *phase, *mode;

static const GOptionEntry common[] = {
	{ "event", 'e', 0, G_OPTION_ARG_STRING, &event, "Of several events: which (default: the first)", "EVENT" },
	{ "name", 'n', 0, G_OPTION_ARG_STRING, &name, "Only processes of that program", "NAME" },
	{ "phase", 0, 0, G_OPTION_ARG_STRING, &phase, "Only samples of that phase", "NAME" },
	{ "mode", 0, 0, G_OPTION_ARG_STRING, &mode, "Only user, kernel or idle samples", "MODE" },
	{ NULL }
};

static char *check_mode(void)
{
	/* as filter_mode_name() has them */
	static const char *const modes[] = { "user", "kernel", "idle", NULL };

	return mode && !g_strv_contains(modes, mode)
		       ? g_strdup_printf("--mode takes user, kernel or idle, not '%s'", mode)
		       : NULL;
}

/* 0, or -1 after a message. */
static int parse(const struct program_of *of, int *argc, char ***argv)
{
	char *summary = g_strdup_printf("FILE - %s", of->what), *wrong = NULL;
	GOptionContext *context = g_option_context_new(summary);
	GError *error = NULL;

	g_set_prgname(of->name);		/* as --help has it */
	g_option_context_set_description(context, of->description);
	g_option_context_add_main_entries(context, of->entries, NULL);
	g_option_context_add_main_entries(context, common, NULL);
	if (!g_option_context_parse(context, argc, argv, &error)) {
		wrong = g_strdup(error->message);
		g_error_free(error);
	} else if (*argc != 2) {
		wrong = g_strdup_printf("one capture, please: %s [OPTION...] FILE (see --help)",
					of->name);
	} else {
		wrong = check_mode();
		if (!wrong && of->check)
			wrong = of->check((*argv)[1]);
	}
	if (wrong)
		g_printerr("%s: %s\n", of->name, wrong);
	g_option_context_free(context);
	g_free(summary);
	if (!wrong)
		return 0;
	g_free(wrong);
	return -1;
}

int program_main(const struct program_of *of, int argc, char **argv)
{
	struct sample_filter filter = { 0 };
	struct profile *p;
	int status = 2;

	if (parse(of, &argc, &argv))
		return 2;
	p = heading_open(of->name, argv[1]);
	if (!p)
		return 1;
	filter = (struct sample_filter){ .event = heading_event(of->name, p, event),
					 .name = name,
					 .phase = phase,
					 .mode = mode };
	if (filter.event != PROFILE_NONE)
		status = of->run(p, &filter);
	profile_free(p);
	if (!status && (fflush(stdout) || ferror(stdout))) {
		g_printerr("%s: cannot write stdout: %s\n", of->name, g_strerror(errno));
		status = 1;
	}
	return status;
}

int program_write(const char *who, const char *path, const char *bytes, gsize size)
{
	int is_stdout = !strcmp(path, "-"), failed;
	FILE *file = is_stdout ? stdout : fopen(path, "we");

	failed = !file || fwrite(bytes, 1, size, file) != size || fflush(file);
	if (failed)
		g_printerr("%s: cannot write %s: %s\n", who, is_stdout ? "stdout" : path,
			   g_strerror(errno));
	if (file && !is_stdout)
		fclose(file);
	return failed;
}
