/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * environment.c - see environment.h.
 */
#include "translator/driver/environment.h"

#include "lib/failure.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *rc_path(void)
{
	const char *folder = g_getenv("SYSTEMTAP_DIR");

	return folder && *folder ? g_build_filename(folder, "rc", NULL)
				 : g_build_filename(g_get_home_dir(), ".systemtap", "rc", NULL);
}

/* True if what it says is that of its reader, or of root. */
static int is_trusted(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) &&
	       (st.st_uid == geteuid() || !st.st_uid) && !(st.st_mode & (S_IWGRP | S_IWOTH));
}

/* Adds the words of each line. 0, or -1 after a message. */
static int add_lines(GPtrArray *words, const char *path, const char *text)
{
	char **lines = g_strsplit(text, "\n", -1);
	int failed = 0;

	for (unsigned i = 0; lines[i] && !failed; i++) {
		GError *error = NULL;
		char **line = NULL;

		if (g_shell_parse_argv(lines[i], NULL, &line, &error))
			for (char **word = line; *word; word++)
				g_ptr_array_add(words, g_strdup(*word));
		else if (!g_error_matches(error, G_SHELL_ERROR, G_SHELL_ERROR_EMPTY_STRING))
			failed = 1;
		if (failed)
			failure_print("lapwing", FAILURE_OPTION_VALUE, "%s:%u: %s", path, i + 1,
				      error->message);
		g_clear_error(&error);
		g_strfreev(line);
	}
	g_strfreev(lines);
	return failed ? -1 : 0;
}

char **environment_arguments(int *argc, char **argv)
{
	char *path = rc_path(), *text = NULL, **all = argv;
	GPtrArray *words;

	if (!g_file_test(path, G_FILE_TEST_EXISTS) || !is_trusted(path) ||
	    !g_file_get_contents(path, &text, NULL, NULL)) {
		if (g_file_test(path, G_FILE_TEST_EXISTS))
					fprintf(stderr, "lapwing: %s ignored: it cannot be read, or others can write it\n", path);
		g_free(path);
		return argv;
	}
	words = g_ptr_array_new();
	g_ptr_array_add(words, argv[0]);
	all = NULL;
	if (!add_lines(words, path, text)) {
		for (int i = 1; i <= *argc; i++)	/* with the NULL */
			g_ptr_array_add(words, argv[i]);
		*argc = (int)words->len - 1;
		all = (char **)words->pdata;
	}
	g_ptr_array_free(words, all == NULL);
	g_free(text);
	g_free(path);
	return all;
}

void environment_folders(struct options *opt)
{
	const char *folder = g_getenv("SYSTEMTAP_TAPSET"), *runtime = g_getenv("SYSTEMTAP_RUNTIME");

	if (folder && *folder)
		g_ptr_array_add(opt->tapset_folders, (void *)folder);
	if (runtime && *runtime)
		fprintf(stderr, "lapwing: SYSTEMTAP_RUNTIME ignored: the runtime is Lapwing's\n");
}
