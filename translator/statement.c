/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * statement.c - lapwing-stopwatch and lapwing-profile: one declaration as a command.
 *
 *	lapwing stopwatch FUNC... [to FUNC...] [by KEY,...] [with EVENT,...] [--raw] [--hist] [--csv | --json] [WHOSE] [-- CMD [ARG...]]
 *	lapwing profile [-F HZ | -e EVENT] [by KEY,...] [WHOSE] [-- CMD [ARG...]]
 *
 * FUNC: vfs_read,vfs_write (the kernel's), PROGRAM:FUNC,..., or a probe point. WHOSE: -p PID, -a (everybody's), options of lapwing. Runs
 * lapwing -e 'stopwatch ...' -c CMD; --expand prints the script instead.
 */
#include "translator/paths.h"

#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

struct command {
	GString		*script;
	GPtrArray	*argv;		/* of lapwing */
	GString		*show;		/* words behind "show" */
	int		is_profile, everybody, has_target;
	unsigned	points, events;
};

/* "vfs_read,vfs_write", "PROGRAM:work,done" and "kernel.function(\"vfs_*\")" are points. */
static void add_points(struct command *c, const char *text)
{
	const char *functions = strchr(text, '(') ? NULL : strrchr(text, ':');
	const char *cut = strchr(text, '{') ? "\n" : ",";	/* {a,b} is one pattern */
	char **names = !functions && strpbrk(text, ".(") ? NULL : g_strsplit(functions ? functions + 1 : text, cut, -1);

	g_string_append(c->script, c->points++ ? ", " : " ");
	if (!names)
		g_string_append(c->script, text);
	for (unsigned i = 0; names && names[i]; i++) {
		g_string_append(c->script, i ? ", " : "");
		if (functions)
			g_string_append_printf(c->script, "process(\"%.*s\").function(\"%s\")", (int)(functions - text), text, names[i]);
		else
			g_string_append_printf(c->script, "kernel.function(\"%s\")", names[i]);
	}
	g_strfreev(names);
}

static void add_show(struct command *c, const char *word)
{
	g_string_append_printf(c->show, "%s%s", c->show->len ? ", " : " show ", word);
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
	for (unsigned i = 0; parts[i]; i++, c->events++)
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
	c->has_target = 1;
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

/* How results are shown, and whose: one word, or two. 0: it is neither. */
static int take_own(struct command *c, char **words)
{
	static const char *const shows[] = { "--raw", "--hist", "--csv", "--json", NULL };

	if (!c->is_profile && g_strv_contains(shows, words[0])) {
		add_show(c, words[0] + 2);
		return 1;
	}
	if (!strcmp(words[0], "--expand")) {
		g_ptr_array_add(c->argv, g_strdup("-p1"));
		return 1;
	}
	if (!strcmp(words[0], "-a")) {
		c->everybody = 1;
		return 1;
	}
	if (strcmp(words[0], "-p") || !words[1])
		return 0;
	g_ptr_array_add(c->argv, g_strdup("-x"));
	g_ptr_array_add(c->argv, g_strdup(words[1]));
	c->has_target = 1;
	return 2;
}

/* One word of the command line, or two; how many. 0: it makes no sense. */
static int take(struct command *c, char **words)
{
	int n = take_own(c, words);

	if (n)
		return n;
	if (!strcmp(words[0], "to") && !c->is_profile && c->points) {
		g_string_append(c->script, " to");
		c->points = 0;
		return 1;
	}
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
	if (words[0][0] == '-')
		return add_option(c, words);
	else if (c->is_profile)
		return 0;
	else
		add_points(c, words[0]);
	return 1;
}

static int usage(int is_profile, int is_asked)
{
	fputs(is_profile ? "Usage: lapwing profile [-F HZ | -e EVENT] [by KEY,...] [--expand] [-p PID | -a] [OPTIONS of lapwing]\n"
			   "                       [-- CMD [ARG...]]\n"
			 : "Usage: lapwing stopwatch FUNC... [to FUNC...] [by KEY,...] [with EVENT,...] [--raw] [--hist] [--csv | --json]\n"
			   "                         [--expand] [-p PID | -a] [OPTIONS of lapwing] [-- CMD [ARG...]]\n"
			   "FUNC: vfs_read,vfs_write (the kernel's), PROGRAM:FUNC,..., or a probe point such as 'kernel.function(\"vfs_*\")'\n",
	      is_asked ? stdout : stderr);
	return !is_asked;
}

#define WIDE 130	/* columns of a table without events */
#define EVENT 20	/* about what an event takes */

/* Would lines of a table be broken? A file has no width. */
static int is_narrow(const struct command *c)
{
	const char *columns = g_getenv("COLUMNS");
	struct winsize size = { .ws_col = 0 };
	guint64 width = columns ? g_ascii_strtoull(columns, NULL, 10) : 0;

	if (strstr(c->show->str, "csv") || strstr(c->show->str, "json"))
		return 0;
	if (!width && isatty(STDOUT_FILENO) && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size))
		width = size.ws_col;
	return width && width < WIDE + EVENT * c->events;
}

int main(int argc, char **argv)
{
	struct command c = { .script = g_string_new(NULL), .show = g_string_new(NULL), .argv = g_ptr_array_new(),
			     .is_profile = strstr(argv[0], "profile") != NULL };
	char *program = paths_program("lapwing");
	int i = 1, n = 1;

	g_string_append(c.script, c.is_profile ? "profile" : "stopwatch");
	g_ptr_array_add(c.argv, program);
	if (argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")))
		return usage(c.is_profile, 1);
	for (; i < argc && strcmp(argv[i], "--") && n; i += n)
		n = take(&c, argv + i);
	if (!n || !program || (!c.is_profile && !c.points))
		return usage(c.is_profile, 0);
	if (!c.is_profile && is_narrow(&c))
		add_show(&c, "narrow");
	g_string_append(c.script, c.show->str);
	if (i + 1 < argc)
		add_command(&c, argv + i + 1);
	if (c.has_target && !c.everybody)
		g_ptr_array_add(c.argv, g_strdup("--only-target"));
	g_ptr_array_add(c.argv, g_strdup("-e"));
	g_ptr_array_add(c.argv, g_string_free(c.script, FALSE));
	g_ptr_array_add(c.argv, NULL);
	execv(program, (char **)c.argv->pdata);
	perror(program);
	return 1;
}
