/* SPDX-License-Identifier: GPL-2.0-or-later */
/* words.c - see words.h. Reads words; cli.def defines their meaning. */
#include "translator/driver/words.h"

#include "lib/options.h"

#include <stdio.h>
#include <string.h>
#include <wordexp.h>

#define LINE 256		/* the kernel reads no more of a #! line */

/* True if `given` is the text after the program's path on the script's #! line. */
static int is_of_script(const char *script, const char *given)
{
	char line[LINE + 1] = "", *rest;
	FILE *f = fopen(script, "re");
	int has = f && fgets(line, sizeof(line), f) && g_str_has_prefix(line, "#!");

	if (f)
		fclose(f);
	if (!has)
		return 0;
	rest = g_strstrip(line + strlen("#!"));
	rest += strcspn(rest, " \t");
	return !strcmp(g_strchug(rest), given);
}

GPtrArray *words_of_script(char **argv, GPtrArray *owned)
{
	GPtrArray *words = g_ptr_array_new();
	char **split = NULL;
	unsigned i = 0;

	if (argv[0] && argv[1] && argv[2] && argv[1][0] == '-' && strpbrk(argv[1], " \t") &&
	    is_of_script(argv[2], argv[1]))
		g_shell_parse_argv(argv[1], NULL, &split, NULL);
	if (split) {
		g_ptr_array_add(words, argv[i]);
		i = 2;
	}
	for (unsigned k = 0; split && split[k]; k++) {
		g_ptr_array_add(words, split[k]);
		g_ptr_array_add(owned, split[k]);
	}
	g_free(split);
	for (; argv[i]; i++)
		g_ptr_array_add(words, argv[i]);
	g_ptr_array_add(words, NULL);
	return words;
}

char *words_rc_path(void)
{
	const char *set = g_getenv("SYSTEMTAP_DIR");

	return set && *set ? g_build_filename(set, "rc", NULL)
			   : g_build_filename(g_get_home_dir(), ".systemtap", "rc", NULL);
}

static const char *why(int error)
{
	switch (error) {
	case WRDE_BADCHAR: return "one of | & ; < > ( ) { } needs quotes";
	case WRDE_CMDSUB: return "commands are not run";
	case WRDE_SYNTAX: return "a quote or a bracket is open";
	default: return "no memory";
	}
}

static int add_line(const char *line, GPtrArray *words, GPtrArray *owned)
{
	wordexp_t found;
	int rc = *line && *line != '#' ? wordexp(line, &found, WRDE_NOCMD) : 0;

	if (rc || !*line || *line == '#')
		return rc;
	for (size_t i = 0; i < found.we_wordc; i++) {
		char *word = g_strdup(found.we_wordv[i]);

		g_ptr_array_add(words, word);
		g_ptr_array_add(owned, word);
	}
	wordfree(&found);
	return 0;
}

int words_of_rc(const char *path, GPtrArray *words, GPtrArray *owned)
{
	char *text = NULL, **lines;
	GError *error = NULL;
	int rc = 0;

	if (!g_file_get_contents(path, &text, NULL, &error)) {
		if (!g_error_matches(error, G_FILE_ERROR, G_FILE_ERROR_NOENT) &&
		    !g_error_matches(error, G_FILE_ERROR, G_FILE_ERROR_NOTDIR))
			rc = options_fail("%s: %s", path, error->message);
		g_error_free(error);
		return rc;
	}
	lines = g_strsplit(text, "\n", -1);
	for (unsigned i = 0; lines[i] && !rc; i++) {
		int bad = add_line(g_strstrip(lines[i]), words, owned);

		if (bad)
			rc = options_fail("%s:%u: '%s': %s", path, i + 1, lines[i], why(bad));
	}
	g_strfreev(lines);
	g_free(text);
	return rc;
}
