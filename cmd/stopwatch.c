/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stopwatch.c - lapwing-stopwatch and lapwing-profile: one declaration as a command.
 *
 *	lapwing stopwatch FUNC... [to FUNC...] [by KEY,...] [with EVENT,...] [--raw] [--hist] [--csv | --json] [WHOSE] [-- CMD [ARG...]]
 *	lapwing profile [-F HZ | -e EVENT] [by KEY,...] [WHOSE] [-- CMD [ARG...]]
 *
 * FUNC: vfs_read,vfs_write (the kernel's), PROGRAM:FUNC,..., "PROGRAM":FUNC,..., or a probe point. WHOSE: -p PID, -a (everybody's), options
 * of lapwing. Runs lapwing -e 'stopwatch ...' -c CMD; --expand prints the script instead.
 */
#include "lib/paths.h"
#include "lib/streams.h"

#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

struct command {
	GString		*points, *rate;	/* parts of the declaration: of a stopwatch, of a profile */
	GString		*by, *with, *show;	/* its clauses, whatever the order of the words */
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

/*
 * The functions after a program's path and a colon; *path: the path, for g_free(). It is in quotes,
 * with a \ before a quote and a \; or as typed, up to the last colon after the name of a file, else
 * up to the last colon. NULL: there is no program.
 */
static const char *split_program(const char *text, char **path)
{
	GString *quoted = g_string_new(NULL);
	const char *p = text, *found = NULL;

	if (*p == '"') {
		for (p++; *p && *p != '"'; p++) {
			p += *p == '\\' && p[1];
			g_string_append_c(quoted, *p);
		}
		found = *p && p[1] == ':' ? p + 1 : NULL;
	}
	*path = g_string_free(quoted, !found);
	if (found)
		return found + 1;
	for (p = strchr(text, ':'); p; p = strchr(p + 1, ':')) {
		char *before = g_strndup(text, (gsize)(p - text));

		found = g_file_test(before, G_FILE_TEST_IS_REGULAR) ? p : found;
		g_free(before);
	}
	if (!found && !is_point(text))
		found = strrchr(text, ':');
	*path = found ? g_strndup(text, (gsize)(found - text)) : NULL;
	return found ? found + 1 : NULL;
}

/* Appends a text as a string of the script. */
static void add_string(GString *out, const char *text)
{
	for (g_string_append_c(out, '"'); *text; text++) {
		if (strchr("\"\\", *text))
			g_string_append_c(out, '\\');
		if (*text == '\n')
			g_string_append(out, "\\n");
		else
			g_string_append_c(out, *text);
	}
	g_string_append_c(out, '"');
}

/* Appends a function, or its return if .return follows. */
static void add_function(GString *out, const char *name)
{
	int is_return = g_str_has_suffix(name, ".return");

	g_string_append_printf(out, "function(\"%.*s\")%s",
			       (int)(strlen(name) - (is_return ? strlen(".return") : 0)), name,
			       is_return ? ".return" : "");
}

/*
 * Adds a point, or functions of the kernel ("vfs_read,vfs_write") or of a program
 * ("PROGRAM:work,done").
 */
static void add_points(struct command *c, const char *text)
{
	char *path;
	const char *functions = split_program(text, &path), *all = functions ? functions : text;
	const char *cut = strchr(all, '{') ? "\n" : ",";	/* {a,b} is one pattern */
	char **names = !functions && is_point(text) ? NULL : g_strsplit(all, cut, -1);

	g_string_append(c->points, !c->points->len || g_str_has_suffix(c->points->str, " to") ? " " : ", ");
	if (!names)
		g_string_append(c->points, text);
	for (unsigned i = 0; names && names[i]; i++) {
		g_string_append(c->points, i ? ", " : "");
		g_string_append(c->points, functions ? "process(" : "kernel.");
		if (functions) {
			add_string(c->points, path);
			g_string_append(c->points, ").");
		}
		add_function(c->points, names[i]);
	}
	g_strfreev(names);
	g_free(path);
}

/*
 * Size in bytes of the first event in a list: the text between slashes belongs to it, and so does
 * ",config1=2" after it.
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

/* Sets the only rate: of the clock, or of an event. 0: there is one already. */
static int add_rate(struct command *c, const char *option, const char *text)
{
	if (c->rate->len)
		return 0;
	g_string_printf(c->rate, !strcmp(option, "-F") ? " \"cpu-clock:freq=%s\"" : " \"%s\"", text);
	return 2;
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

/* True for an option of lapwing whose value is the next word. */
static int takes_value(const char *word)
{
#define FLAG(letter, name, ...) { letter, name, NULL },
#define TEXT(letter, name, value, ...) { letter, name, value },
#define NUMBER TEXT
#define CHOICE TEXT
#define FUNCTION TEXT
#define ANSWER TEXT
#define IGNORED TEXT
#define REFUSED TEXT
#define GROUP(title)
#define MORE
	static const struct {
		char		letter;
		const char	*name, *value;
	} options[] = {
#include "translator/driver/cli.def"
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

/* Takes an option for how, and of which processes, results are shown: one or two words. 0: none. */
static int take_own(struct command *c, char **words)
{
	static const char *const shows[] = { "--raw", "--hist", "--csv", "--json", NULL };

	if (!c->is_profile && g_strv_contains(shows, words[0])) {
		add_part(c->show, " show ", words[0] + 2);
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

static int is_clause(const struct command *c, const char *word)
{
	static const char *const of_profile[] = { "by", "-F", "-e", NULL }, *const of_stopwatch[] = { "by", "with", NULL };

	return g_strv_contains(c->is_profile ? of_profile : of_stopwatch, word);
}

/* Takes a word and its value, which is not `--`. 0: invalid. */
static int take_clause(struct command *c, char **words)
{
	if (!words[1] || !strcmp(words[1], "--"))
		return 0;
	if (words[0][0] == '-')
		return add_rate(c, words[0], words[1]);
	if (!strcmp(words[0], "by"))
		add_part(c->by, " by ", words[1]);
	else
		add_events(c, words[1]);
	return 2;
}

/* Takes one or two words of the command line; returns their number. 0: invalid. */
static int take(struct command *c, char **words)
{
	int n = take_own(c, words);

	if (n)
		return n;
	if (is_clause(c, words[0]))
		return take_clause(c, words);
	if (words[0][0] == '-')
		return add_option(c, words);
	if (c->is_profile)
		return 0;
	if (!strcmp(words[0], "to") && c->points->len)
		g_string_append(c->points, " to");
	else
		add_points(c, words[0]);
	return 1;
}

/* Returns the exit status. */
static int usage(int is_profile, int is_asked)
{
	fputs(is_profile ? "Usage: lapwing profile [-F HZ | -e EVENT] [by KEY,...] [--expand] [-p PID | -a] [OPTIONS of lapwing]\n"
			   "                       [-- CMD [ARG...]]\n"
			 : "Usage: lapwing stopwatch FUNC... [to FUNC...] [by KEY,...] [with EVENT,...] [--raw] [--hist] [--csv | --json]\n"
			   "                         [--expand] [-p PID | -a] [OPTIONS of lapwing] [-- CMD [ARG...]]\n"
			   "FUNC: vfs_read,vfs_write (the kernel's), PROGRAM:FUNC,... (a path may be in quotes), or a probe point such as\n"
			   "      'kernel.function(\"vfs_*\")'\n",
	      is_asked ? stdout : stderr);
	return is_asked ? 0 : 2;
}

#define WIDE 130	/* columns of a table without events */
#define EVENT 20	/* columns of an event, roughly */

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
	struct command c = { .points = g_string_new(NULL), .rate = g_string_new(NULL), .by = g_string_new(NULL), .with = g_string_new(NULL),
			     .show = g_string_new(NULL), .argv = g_ptr_array_new(), .is_profile = strstr(argv[0], "profile") != NULL };
	char *program = paths_program("lapwing"), *script;
	int i = 1, n = 1;

	if (streams_begin(c.is_profile ? "lapwing profile" : "lapwing stopwatch"))
		return 1;
	g_ptr_array_add(c.argv, program);
	if (argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")))
		return usage(c.is_profile, 1);
	for (; i < argc && strcmp(argv[i], "--") && n; i += n)
		n = take(&c, argv + i);
	if (!c.is_profile && is_narrow(&c))
		add_part(c.show, " show ", "narrow");
	if (!program) {
		fprintf(stderr, "%s: the program lapwing is not found, neither beside this one nor in the bin folder of its installation\n", argv[0]);
		return 1;
	}
	script = n ? declaration(&c) : NULL;
	if (!script)
		return usage(c.is_profile, 0);
	if (i + 1 < argc)
		add_command(&c, argv + i + 1);
	if (c.has_target && !c.everybody)
		g_ptr_array_add(c.argv, g_strdup("--only-target"));
	g_ptr_array_add(c.argv, g_strdup("-e"));
	g_ptr_array_add(c.argv, script);
	g_ptr_array_add(c.argv, NULL);
	execv(program, (char **)c.argv->pdata);
	perror(program);
	return 1;
}
