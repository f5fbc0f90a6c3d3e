/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stopwatch.c - lapwing-stopwatch and lapwing-profile: one declaration as a command.
 *
 *	lapwing stopwatch FUNC... [to FUNC...] [by KEY,...] [with EVENT,...] [OPTION]... [-- CMD...]
 *	lapwing profile [by KEY,...] [OPTION]... [-- CMD [ARG...]]
 *
 * FUNC: vfs_read,vfs_write (the kernel's), PROGRAM:FUNC,..., or a probe point. Options:
 * stopwatch.def, profile.def, and lapwing's. Runs lapwing -e 'stopwatch ...' -c CMD; --expand
 * prints the script instead.
 */
#include "lib/options.h"
#include "lib/paths.h"

#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

struct command {
	GString		*points, *rate;	/* the main part: of a stopwatch, of a profile */
	GString		*by, *with, *show;	/* its clauses, in any order of their words */
	GPtrArray	*argv;		/* of lapwing */
	int		is_profile, everybody, has_target;
	unsigned	events;
};

static void add_part(GString *clause, const char *word, const char *text)
{
	g_string_append_printf(clause, "%s%s", clause->len ? ", " : word, text);
}

/*
 * True for a probe point as in a script, kernel.function("vfs_*") or syscall.read. The text after a
 * program's path may contain dots.
 */
static int is_point(const char *text)
{
	const char *dot = strchr(text, '.');

	return strchr(text, '(') || (!strchr(text, ':') && dot && strcmp(dot, ".return"));
}

/* A function, or its return if .return follows. */
static void add_function(GString *out, const char *name)
{
	int is_return = g_str_has_suffix(name, ".return");

	g_string_append_printf(out, "function(\"%.*s\")%s",
			       (int)(strlen(name) - (is_return ? strlen(".return") : 0)), name,
			       is_return ? ".return" : "");
}

/*
 * A point, or functions of the kernel ("vfs_read,vfs_write") or of a program ("PROGRAM:work,done").
 */
static void add_points(struct command *c, const char *text)
{
	const char *functions = strrchr(text, ':');
	const char *cut = strchr(text, '{') ? "\n" : ",";	/* {a,b} is one pattern */
	char **names =
		is_point(text) ? NULL : g_strsplit(functions ? functions + 1 : text, cut, -1);

	g_string_append(c->points,
			!c->points->len || g_str_has_suffix(c->points->str, " to") ? " " : ", ");
	if (!names)
		g_string_append(c->points, text);
	for (unsigned i = 0; names && names[i]; i++) {
		g_string_append(c->points, i ? ", " : "");
		if (functions)
			g_string_append_printf(c->points, "process(\"%.*s\").",
					       (int)(functions - text), text);
		else
			g_string_append(c->points, "kernel.");
		add_function(c->points, names[i]);
	}
	g_strfreev(names);
}

/*
 * An event, which others may follow: the text between slashes belongs to it, and so does
 * ",config1=2" after it. Returns its bytes.
 */
static size_t event_bytes(const char *text)
{
	size_t n = 0;

	for (int is_between = 0;
	     text[n] && (text[n] != ',' || is_between || g_str_has_prefix(text + n, ",config"));
	     n++)
		is_between ^= text[n] == '/';
	return n;
}

static void add_events(struct command *c, const char *text)
{
	for (size_t n; c->events++, n = event_bytes(text), 1; text += n + 1) {
		char *event = g_strndup(text, n),
		     *quoted = g_strdup_printf("\"%s\"", g_strstrip(event));

		add_part(c->with, " with ", quoted);
		g_free(quoted);
		g_free(event);
		if (!text[n])
			break;
	}
}

static void add_command(struct command *c, char **words)
{
	GString *text = g_string_new(NULL);

	for (; *words; words++) {
		g_autofree char *quoted = g_shell_quote(*words);

		g_string_append_printf(text, "%s%s", text->len ? " " : "", quoted);
	}
	g_ptr_array_add(c->argv, g_strdup("-c"));
	g_ptr_array_add(c->argv, g_string_free(text, FALSE));
	g_ptr_array_add(c->argv, g_strdup("--command-status"));
	c->has_target = 1;
}

/* ---- options -------------------------------------------------------------------*/

static void give(struct command *c, const char *option, const char *value)
{
	g_ptr_array_add(c->argv, g_strdup(option));
	if (value)
		g_ptr_array_add(c->argv, g_strdup(value));
}

static int set_pid(void *into, const char *shown, const char *value)
{
	struct command *c = into;

	give(c, "-x", value);
	c->has_target = 1;
	return 0;
}

static int set_duration(void *into, const char *shown, const char *value)
{
	give(into, "-T", value);
	return 0;
}

static int set_output(void *into, const char *shown, const char *value)
{
	give(into, "-o", value);
	return 0;
}

static int expand(void *into, const char *shown, const char *value)
{
	give(into, "-p1", NULL);
	return 0;
}

static int add_show(void *into, const char *shown, const char *value)
{
	struct command *c = into;

	add_part(c->show, " show ", shown + 2);
	return 0;
}

static int add_keys(void *into, const char *shown, const char *value)
{
	struct command *c = into;

	add_part(c->by, " by ", value);
	return 0;
}

static int add_counts(void *into, const char *shown, const char *value)
{
	add_events(into, value);
	return 0;
}

/* Sets the rate: of the clock, or of an event. */
static int set_rate(struct command *c, const char *format, const char *value)
{
	if (c->rate->len)
		return options_fail("expected either -F HZ or -e EVENT");
	g_string_append_printf(c->rate, " \"%s%s\"", format, value);
	return 0;
}

static int set_frequency(void *into, const char *shown, const char *value)
{
	return set_rate(into, "cpu-clock:freq=", value);
}

static int set_event(void *into, const char *shown, const char *value)
{
	return set_rate(into, "", value);
}

/* An option of lapwing itself. */
static int pass_on(void *into, const char *shown, const char *value)
{
	char *joined = value && shown[1] == '-' ? g_strdup_printf("%s=%s", shown, value) : NULL;

	if (joined)
		give(into, joined, NULL);
	else
		give(into, shown, value);
	g_free(joined);
	return 0;
}

#define OPTIONS_IN struct command
static const struct option_row stopwatch_rows[] = {
#include "cmd/stopwatch.def"
OPTIONS_END
};
static const struct option_row profile_rows[] = {
#include "cmd/profile.def"
OPTIONS_END
};

#undef OPTION
#undef OPTION_GROUP
#define OPTION(letter, name, arg, kind, place, text) \
	{ letter, name, arg, OPTION_CALL, 0, pass_on, text },
#define OPTION_GROUP(text)
static const struct option_row lapwing_rows[] = {
#include "translator/driver/cli.def"
OPTIONS_END
};

static const struct option_program stopwatch = {
	.name = "lapwing stopwatch",
	.rows = stopwatch_rows,
	.others = lapwing_rows,
	.apart = 1,
	.usage =
		"Usage: lapwing stopwatch FUNC... [to FUNC...] [by KEY,...] [with EVENT,...]\n"
		"                         [OPTION]... [OPTION of lapwing]... [-- CMD [ARG...]]\n"
		"FUNC: vfs_read,vfs_write (the kernel's), PROGRAM:FUNC,..., or a probe point such as\n"
		"'kernel.function(\"vfs_*\")'\n",
};
static const struct option_program profile = {
	.name = "lapwing profile", .rows = profile_rows, .others = lapwing_rows, .apart = 1,
	.usage = "Usage: lapwing profile [by KEY,...] [OPTION]... [OPTION of lapwing]...\n"
		 "                       [-- CMD [ARG...]]\n",
};

/* ---- words ---------------------------------------------------------------------*/

/* Parses one or two words of the command line and returns how many. 0: invalid. */
static int parse_arguments(struct command *c, char **words)
{
	int is_by = !strcmp(words[0], "by");

	if (is_by || (!c->is_profile && !strcmp(words[0], "with"))) {
		if (!words[1])
			return 0;
		if (is_by)
			add_part(c->by, " by ", words[1]);
		else
			add_events(c, words[1]);
		return 2;
	}
	if (c->is_profile)
		return 0;
	if (!strcmp(words[0], "to") && c->points->len)
		g_string_append(c->points, " to");
	else
		add_points(c, words[0]);
	return 1;
}

#define WIDE 130	/* columns of a table without events */
#define EVENT 20	/* columns of an event, approximately */

/* True if table lines would be wrapped. A file has no width. */
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

/* Builds the declaration. NULL: a stopwatch without functions. */
static char *declaration(const struct command *c)
{
	if (!c->is_profile && (!c->points->len || g_str_has_suffix(c->points->str, " to")))
		return NULL;
	return g_strconcat(c->is_profile ? "profile" : "stopwatch", c->points->str, c->rate->str,
			   c->by->str, c->with->str, c->show->str, NULL);
}

int main(int argc, char **argv)
{
	struct command c = { .points = g_string_new(NULL),
			     .rate = g_string_new(NULL),
			     .by = g_string_new(NULL),
			     .with = g_string_new(NULL),
			     .show = g_string_new(NULL),
			     .argv = g_ptr_array_new(),
			     .is_profile = strstr(argv[0], "profile") != NULL };
	const struct option_program *of = c.is_profile ? &profile : &stopwatch;
	char *program = paths_program("lapwing"), *script;
	struct option_words words;
	int i = 0, n = 1;

	g_ptr_array_add(c.argv, program);
	options_read_or_exit(of, &c, argc, argv, &words);
	for (; i < words.count && n; i += n)
		n = parse_arguments(&c, words.word + i);
	if (!c.is_profile && is_narrow(&c))
		add_part(c.show, " show ", "narrow");
	script = n && program ? declaration(&c) : NULL;
	if (!script) {
		options_help(of, stderr);
		return 1;
	}
	if (words.rest && *words.rest)
		add_command(&c, words.rest);
	if (c.has_target && !c.everybody)
		give(&c, "--only-target", NULL);
	give(&c, "-e", script);
	g_ptr_array_add(c.argv, NULL);
	execv(program, (char **)c.argv->pdata);
	perror(program);
	return 1;
}
