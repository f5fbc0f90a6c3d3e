/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * statement.c - lapwing-stopwatch and lapwing-profile: one declaration as a command.
 *
 *	lapwing stopwatch FUNC|POINT... [by KEY,...] [with EVENT,...] [--raw] [--hist] [LAPWING-OPTION...] [-- CMD [ARG...]]
 *	lapwing profile [-F HZ | -e EVENT] [by KEY,...] [LAPWING-OPTION...] [-- CMD [ARG...]]
 *
 * Runs lapwing -e 'stopwatch ...' -c CMD; --expand prints the script instead. A function without a point's words is the kernel's.
 */
#include "translator/paths.h"

#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct command {
	GString		*script;
	GPtrArray	*argv;		/* of lapwing */
	int		is_profile;
	int		raw, hist;
	unsigned	points;
};

/* "vfs_read", "vfs_read,vfs_write": kernel.function("..."). */
static void add_points(struct command *c, const char *text)
{
	char **names = strpbrk(text, ".(") ? NULL : g_strsplit(text, ",", -1);

	g_string_append(c->script, c->points++ ? ", " : " ");
	if (!names)
		g_string_append(c->script, text);
	for (unsigned i = 0; names && names[i]; i++)
		g_string_append_printf(c->script, "%skernel.function(\"%s\")", i ? ", " : "", names[i]);
	g_strfreev(names);
}

static void add_clause(struct command *c, const char *word, const char *text)
{
	char **parts;

	g_string_append_printf(c->script, " %s ", word);
	if (!strcmp(word, "by")) {
		g_string_append(c->script, text);
		return;
	}
	parts = g_strsplit(text, ",", -1);
	for (unsigned i = 0; parts[i]; i++)
		g_string_append_printf(c->script, "%s\"%s\"", i ? ", " : "", g_strstrip(parts[i]));
	g_strfreev(parts);
}

static void add_rate(struct command *c, const char *option, const char *text)
{
	if (!strcmp(option, "-F"))
		g_string_append_printf(c->script, " \"cpu-clock:freq=%s\"", text);
	else
		g_string_append_printf(c->script, " \"%s\"", text);
}

static void add_command(struct command *c, char **words)
{
	GString *text = g_string_new(NULL);

	for (; *words; words++) {
		char *quoted = g_shell_quote(*words);

		g_string_append_printf(text, "%s%s", text->len ? " " : "", quoted);
		g_free(quoted);
	}
	g_ptr_array_add(c->argv, g_strdup("-c"));
	g_ptr_array_add(c->argv, g_string_free(text, FALSE));
	g_ptr_array_add(c->argv, g_strdup("--command-status"));
	g_ptr_array_add(c->argv, g_strdup("--only-target"));
}

static int is_clause(const char *word)
{
	return !strcmp(word, "by") || !strcmp(word, "with");
}

/* Is it an option of lapwing's whose value is the next word? */
static int takes_value(const char *word)
{
	static const struct { char letter; const char *name, *value; } options[] = {
#define OPTION(letter, name, value, ...) { letter, name, value },
#include "translator/cli.def"
#undef OPTION
	};

	for (unsigned i = 0; i < G_N_ELEMENTS(options); i++)
		if (options[i].value && *options[i].value != '[' &&
		    ((options[i].letter && word[1] == options[i].letter && !word[2]) ||
		     (options[i].name && g_str_has_prefix(word, "--") && !strcmp(word + 2, options[i].name))))
			return 1;
	return 0;
}

static int add_option(struct command *c, char **words)
{
	int n = takes_value(words[0]) && words[1] ? 2 : 1;

	for (int i = 0; i < n; i++)
		g_ptr_array_add(c->argv, g_strdup(words[i]));
	return n;
}

/* One word of the command line, or two; how many. 0: it makes no sense. */
static int take(struct command *c, char **words)
{
	if (is_clause(words[0])) {
		if (!words[1])
			return 0;
		add_clause(c, words[0], words[1]);
		return 2;
	}
	if (c->is_profile && (!strcmp(words[0], "-F") || !strcmp(words[0], "-e"))) {
		if (!words[1])
			return 0;
		add_rate(c, words[0], words[1]);
		return 2;
	}
	if (!strcmp(words[0], "--expand"))
		g_ptr_array_add(c->argv, g_strdup("-p1"));
	else if (!c->is_profile && (!strcmp(words[0], "--raw") || !strcmp(words[0], "--hist")))
		*(words[0][2] == 'r' ? &c->raw : &c->hist) = 1;
	else if (words[0][0] == '-')
		return add_option(c, words);
	else if (c->is_profile)
		return 0;
	else
		add_points(c, words[0]);
	return 1;
}

static int usage(int is_profile)
{
	fputs(is_profile ? "Usage: lapwing profile [-F HZ | -e EVENT] [by KEY,...] [--expand] [OPTIONS of lapwing] [-- CMD [ARG...]]\n"
			 : "Usage: lapwing stopwatch FUNC|POINT... [by KEY,...] [with EVENT,...] [--raw] [--hist] [--expand]\n"
			   "                         [OPTIONS of lapwing] [-- CMD [ARG...]]\n",
	      stderr);
	return 1;
}

int main(int argc, char **argv)
{
	struct command c = { .script = g_string_new(NULL), .argv = g_ptr_array_new(), .is_profile = strstr(argv[0], "profile") != NULL };
	char *program = paths_program("lapwing");
	int i = 1, n = 1;

	g_string_append(c.script, c.is_profile ? "profile" : "stopwatch");
	g_ptr_array_add(c.argv, program);
	for (; i < argc && strcmp(argv[i], "--") && n; i += n)
		n = take(&c, argv + i);
	if (!n || !program || (!c.is_profile && !c.points))
		return usage(c.is_profile);
	if (c.raw || c.hist)
		g_string_append_printf(c.script, " show %s%s%s", c.raw ? "raw" : "", c.raw && c.hist ? ", " : "", c.hist ? "hist" : "");
	if (i + 1 < argc)
		add_command(&c, argv + i + 1);
	g_ptr_array_add(c.argv, g_strdup("-e"));
	g_ptr_array_add(c.argv, g_string_free(c.script, FALSE));
	g_ptr_array_add(c.argv, NULL);
	execv(program, (char **)c.argv->pdata);
	perror(program);
	return 1;
}
