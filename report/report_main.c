/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report_main.c - see report_main.h.
 */
#include "report/report_main.h"

#include "report/heading.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int check(const struct report_program *of, const struct option_words *words)
{
	if (words->count != 1)
		return options_fail("expected exactly one capture file: %s [OPTION]... FILE",
				    of->options.name);
	return of->check && of->check(words->word[0]) ? -1 : 0;
}

int report_main(const struct report_program *of, int argc, char **argv)
{
	const struct report_samples *only = of->samples;
	const char *who = of->options.name;
	struct sample_filter filter = { 0 };
	struct option_words words;
	struct profile *p;
	int status = 2;

	options_read_or_exit(&of->options, of->samples, argc, argv, &words);
	if (check(of, &words))
		return 2;
	p = heading_open(who, words.word[0]);
	if (!p)
		return 1;
	filter = (struct sample_filter){ .event = heading_event(who, p, only->event),
					 .name = only->name,
					 .phase = only->phase,
					 .mode = (enum profile_mode)only->mode };
	if (filter.event != PROFILE_NONE)
		status = of->run(p, &filter);
	profile_free(p);
	if (!status && (fflush(stdout) || ferror(stdout))) {
		g_printerr("%s: cannot write stdout: %s\n", who, g_strerror(errno));
		status = 1;
	}
	return status;
}

int report_write(const char *who, const char *path, const char *bytes, gsize size)
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
