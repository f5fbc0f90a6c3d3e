/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * environment.c - see environment.h.
 */
#include "translator/driver/environment.h"

#include "lib/failure.h"
#include "lib/foreign.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wordexp.h>

static char *rc_path(void)
{
	const char *folder = g_getenv("SYSTEMTAP_DIR");

	return folder && *folder ? g_build_filename(folder, "rc", NULL)
				 : g_build_filename(g_get_home_dir(), ".systemtap", "rc", NULL);
}

/* The file's text, if only its reader and root can have written it; NULL: none. Caller frees. */
static char *read_trusted(const char *path)
{
	int fd = foreign_open(path);
	const char *why = fd < 0 ? strerror(errno) : NULL;
	char *text = NULL;
	struct stat st;
	GMappedFile *file = NULL;

	if (fd >= 0 && (fstat(fd, &st) || (st.st_uid && st.st_uid != geteuid()) ||
			st.st_mode & (S_IWGRP | S_IWOTH)))
		why = "it is somebody else's, or others can write it";
	else if (fd >= 0)
		file = g_mapped_file_new_from_fd(fd, FALSE, NULL);
	if (file) {
		text = g_strndup(g_mapped_file_get_contents(file), g_mapped_file_get_length(file));
		g_mapped_file_unref(file);
	} else if (fd >= 0 || !access(path, F_OK)) {
		fprintf(stderr, "lapwing: %s ignored: %s\n", path, why ? why : "it cannot be read");
	}
	if (fd >= 0)
		close(fd);
	return text;
}

/* Ends the line at a '#' that begins a word and is not quoted. */
static void cut_comment(char *line)
{
	char quote = 0;

	for (char *at = line; *at; at++) {
		if (!quote && *at == '#' && (at == line || g_ascii_isspace(at[-1])))
			*at = 0;
		else if (*at == '\\' && quote != '\'' && at[1])
			at++;
		else if (*at == quote)
			quote = 0;
		else if (!quote && (*at == '\'' || *at == '"'))
			quote = *at;
		if (!*at)
			return;
	}
}

static const char *expansion_problem(int rc)
{
	return rc == WRDE_BADVAL    ? "an environment variable that is not set"
	       : rc == WRDE_CMDSUB  ? "commands are not run here"
	       : rc == WRDE_BADCHAR ? "a character that needs quotes: | & ; < > ( ) { }"
	       : rc == WRDE_SYNTAX  ? "a quote or a brace that does not end"
				    : "out of memory";
}

/* Adds the words of each line, as a shell expands them that runs no commands. 0, or -1 after a message. */
static int add_lines(GPtrArray *words, GPtrArray *origins, const char *path, const char *text)
{
	char **lines = g_strsplit(text, "\n", -1);
	int rc = 0;

	for (unsigned i = 0; lines[i] && !rc; i++) {
		char *origin = g_strdup_printf("lapwing: %s:%u", path, i + 1);
		wordexp_t line = { 0 };

		cut_comment(lines[i]);
		rc = wordexp(lines[i], &line, WRDE_NOCMD | WRDE_UNDEF);
		for (size_t k = 0; !rc && k < line.we_wordc; k++) {
			g_ptr_array_add(words, g_strdup(line.we_wordv[k]));
			g_ptr_array_add(origins, origin);
		}
		if (rc)
			failure_print(origin, FAILURE_OPTION_VALUE, "%s", expansion_problem(rc));
		if (!rc || rc == WRDE_NOSPACE)
			wordfree(&line);
	}
	g_strfreev(lines);
	return rc ? -1 : 0;
}

char **environment_arguments(int *argc, char **argv, struct option_program *program)
{
	char *path = rc_path(), *text = read_trusted(path), **all = argv;
	GPtrArray *words, *origins;

	if (!text) {
		g_free(path);
		return argv;
	}
	words = g_ptr_array_new();
	origins = g_ptr_array_new();
	g_ptr_array_add(words, argv[0]);
	all = NULL;
	if (!add_lines(words, origins, path, text)) {
		for (int i = 1; i <= *argc; i++)	/* with the NULL */
			g_ptr_array_add(words, argv[i]);
		*argc = (int)words->len - 1;
		all = (char **)words->pdata;
		program->origins = (const char *const *)origins->pdata;
		program->norigins = (int)origins->len;
	}
	g_ptr_array_free(words, all == NULL);
	g_ptr_array_free(origins, all == NULL);
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
