/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stopwatch.c - lapwing-stopwatch and lapwing-profile: one declaration as a command.
 *
 *	lapwing stopwatch FUNC... [to FUNC...] [by KEY,...] [with EVENT,...] [OPTIONS] [-- CMD [ARG...]]
 *	lapwing profile [by KEY,...] [OPTIONS] [-- CMD [ARG...]]
 *
 * Words make the declaration, options are those of the tables below and of lapwing. Runs
 * lapwing -e 'stopwatch ...' -c CMD; --expand prints the script instead.
 */
#include "cmd/run_json.h"
#include "lib/option.h"
#include "lib/paths.h"

#include <errno.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

struct command {
	GString		*points;	/* of a stopwatch: its functions */
	GString		*by, *with;	/* its clauses, whatever the order of the words */
	int		is_profile;
	unsigned	events;
	const char	*command;	/* what follows --, quoted for a shell; NULL: nothing does */
	/* options */
	int		raw, hist, csv, json, expand, everybody;
	const char	*pid, *rate, *event;
	const char	*output, *summary;	/* JSON has the books in it */
	const char	**passed;	/* options of lapwing */
};

#define OPTION_INTO struct command
static const struct option_row of_stopwatch[] = {
	GROUP("What is shown")
	FLAG(0, "raw", "a second line for each row: what was read, with the floor in it", raw)
	FLAG(0, "hist", "a histogram of what was read for each row, after the table", hist)
	FLAG(0, "csv", "for programs: whole nanoseconds under a line of names", csv)
	FLAG(0, "json", "for programs: one JSON object, with the books of the run", json)
	{ .kind = OPTION_END },
};
static const struct option_row of_profile[] = {
	GROUP("What is sampled")
	TEXT('F', NULL, "HZ", "so many samples a second of CPU time; without it each tick of the clock", rate)
	TEXT('e', NULL, "EVENT", "samples by what is counted, as cycles:1000000", event)
	GROUP("What is shown")
	FLAG(0, "csv", "for programs: the rows under a line of names", csv)
	FLAG(0, "json", "for programs: one JSON object, with the books of the run", json)
	{ .kind = OPTION_END },
};
static const struct option_row of_both[] = {
	GROUP("Of which processes")
	TEXT('p', NULL, "PID", "of this process and those that it starts", pid)
	FLAG('a', NULL, "of all processes, also with -- CMD", everybody)
	GROUP("Others")
	TEXT('o', NULL, "FILE", "write the output to FILE", output)
	TEXT(0, "json-summary", "FILE", "write the books of the run to FILE", summary)
	FLAG(0, "expand", "print the script that this stands for, and end", expand)
	{ .kind = OPTION_END },
};

/*
 * The options of lapwing go to it as they are, of whatever kind; --help=all lists them. A kind that
 * does not work stays what it is.
 */
#define PASSED(k) ((k) == OPTION_IGNORED || (k) == OPTION_REFUSED ? (k) : OPTION_PASS_ON)
#undef OPTION_ROW
#undef GROUP
#define OPTION_ROW(l, n, a, t, k, ...) \
	{ .letter = l, .name = n, .arg = a, .text = t, .kind = PASSED(k), OPTION_AT(passed) },
#define GROUP(title) { .text = title, .kind = OPTION_GROUP }, MORE
static const struct option_row of_lapwing[] = {
#include "translator/driver/cli.def"
	{ .kind = OPTION_END },
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
		if (!functions && !strcmp(names[i], "fork")) {	/* system calls that start threads */
			g_string_append(c->points, "fork");
			continue;
		}
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

/* Words as a shell reads them back. */
static const char *quote_all(char **words)
{
	GString *text = g_string_new(NULL);

	for (; *words; words++) {
		char *quoted = g_shell_quote(*words);

		g_string_append_printf(text, "%s%s", text->len ? " " : "", quoted);
		g_free(quoted);
	}
	return g_string_free(text, FALSE);
}

/* Takes one or two words; returns their number. -1, reported: they mean nothing. */
static int take(struct command *c, char **words)
{
	int is_by = !strcmp(words[0], "by"),
	    is_clause = is_by || (!c->is_profile && !strcmp(words[0], "with"));

	if (is_clause && !words[1])
		return option_fail(FAILURE_ARGUMENTS, "'%s' needs %s behind it", words[0],
				   is_by ? "keys, KEY,..." : "events, EVENT,...");
	if (is_clause && is_by)
		add_part(c->by, " by ", words[1]);
	else if (is_clause)
		add_events(c, words[1]);
	else if (c->is_profile)
		return option_fail(FAILURE_OPTION_UNKNOWN,
				   "'%s' means nothing here: a command to run follows --",
				   words[0]);
	else if (!strcmp(words[0], "to") && c->points->len)
		g_string_append(c->points, " to");
	else
		add_points(c, words[0]);
	return 1 + is_clause;
}

#define WIDE 130	/* columns of a table without events */
#define EVENT 20	/* columns of an event, roughly */

/* True if table lines would be wrapped. A file has no width. */
static int is_narrow(const struct command *c)
{
	const char *columns = g_getenv("COLUMNS");
	struct winsize size = { .ws_col = 0 };
	guint64 width = columns ? g_ascii_strtoull(columns, NULL, 10) : 0;

	if (!width && isatty(STDOUT_FILENO) && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size))
		width = size.ws_col;
	return width && width < WIDE + EVENT * c->events;
}

static char *stopwatch_text(const struct command *c)
{
	GString *show = g_string_new(NULL);
	char *text;

	if (c->raw)
		add_part(show, " show ", "raw");
	if (c->hist)
		add_part(show, " show ", "hist");
	if (c->csv)
		add_part(show, " show ", "csv");
	if (c->json)
		add_part(show, " show ", "json");
	if (!c->csv && !c->json && is_narrow(c))
		add_part(show, " show ", "narrow");
	text = g_strconcat("stopwatch", c->points->str, c->by->str, c->with->str, show->str, NULL);
	g_string_free(show, TRUE);
	return text;
}

static char *profile_text(const struct command *c)
{
	char *rate = c->rate ? g_strdup_printf(" \"cpu-clock:freq=%s\"", c->rate)
		   : c->event ? g_strdup_printf(" \"%s\"", c->event) : g_strdup(""),
	     *text = g_strconcat("profile", rate, c->by->str,
				 c->csv ? " show csv" : c->json ? " show json" : "", NULL);

	g_free(rate);
	return text;
}

static int writes_several(const struct command *c)
{
	for (unsigned i = 0; c->passed && c->passed[i]; i++)
		if (g_str_has_prefix(c->passed[i], "-S") || !strcmp(c->passed[i], "-b"))
			return 1;
	return 0;
}

/* The declaration of the words and options. NULL, reported: they are wrong. */
static char *declaration(struct command *c, char **words)
{
	for (int n; *words; words += n) {
		n = take(c, words);
		if (n < 0)
			return NULL;
	}
	if (c->rate && c->event)
		option_fail(FAILURE_OPTION_CONFLICT,
			"-F and -e exclude each other: EVENT:freq=HZ samples an event so often");
	else if (c->csv && c->json)
		option_fail(FAILURE_OPTION_CONFLICT, "--json and --csv: only one of them");
	else if (c->json && writes_several(c))
		option_fail(FAILURE_OPTION_CONFLICT, "-S and -b write several files, --json is one object");
	else if (!c->is_profile && (!c->points->len || g_str_has_suffix(c->points->str, " to")))
		option_fail(FAILURE_ARGUMENTS,
			    "no function is named%s: lapwing stopwatch --help shows how",
			    c->points->len ? " behind 'to'" : "");
	else
		return c->is_profile ? profile_text(c) : stopwatch_text(c);
	return NULL;
}

static void add_pair(GPtrArray *argv, const char *option, const char *value)
{
	if (!value)
		return;
	g_ptr_array_add(argv, (char *)option);
	g_ptr_array_add(argv, (char *)value);
}

/* The objects of scripts that print none, as an error ended them before. */
static const char no_profile[] =
	"{\"schema\":\"lapwing-samples/1\",\"rows\":[],\"samples\":null,\"rowless\":null}";
static const char no_stopwatch[] =
	"{\"schema\":\"lapwing-stopwatch/1\",\"rows\":[],\"calls\":null}";

static int run_lapwing(const struct command *c, char *script)
{
	char *program = paths_program("lapwing");
	GPtrArray *argv = g_ptr_array_new();

	if (!program) {
		option_fail(FAILURE_INSTALLATION,
			"the program lapwing is not found, neither beside this one nor in the bin folder of its installation");
		return 1;
	}
	g_ptr_array_add(argv, program);
	for (unsigned i = 0; c->passed && c->passed[i]; i++)
		g_ptr_array_add(argv, (char *)c->passed[i]);
	if (c->expand)
		g_ptr_array_add(argv, (char *)"-p1");
	add_pair(argv, "-x", c->pid);
	add_pair(argv, "-c", c->command);
	g_ptr_array_add(argv, (char *)"--command-status");
	if ((c->pid || c->command) && !c->everybody)
		g_ptr_array_add(argv, (char *)"--only-target");
	add_pair(argv, "-e", script);
	if (c->json && !c->expand)
		return run_json(argv, c->is_profile ? no_profile : no_stopwatch, c->output,
				c->summary);
	add_pair(argv, "-o", c->output);
	add_pair(argv, "--json-summary", c->summary);
	g_ptr_array_add(argv, NULL);
	execv(program, (char **)argv->pdata);
	option_fail(FAILURE_INSTALLATION, "cannot run %s: %s", program, g_strerror(errno));
	return 1;
}

static const char words_of_both[] =
	"KEY: an expression of the script language, as execname() or tid().\n"
	"EVENT: one of those that lapwing events lists.";

int main(int argc, char **argv)
{
	int is_profile = strstr(argv[0], "profile") != NULL, end = 1, status, i;
	struct command c = { .points = g_string_new(NULL),
			     .by = g_string_new(NULL),
			     .with = g_string_new(NULL),
			     .is_profile = is_profile };
	const struct option_table tables[] = { { is_profile ? of_profile : of_stopwatch, &c },
					       { of_both, &c },
					       { of_lapwing, &c },
					       { NULL, NULL } };
	const struct option_program program = {
		.name = is_profile ? "lapwing profile" : "lapwing stopwatch",
		.usage = is_profile ? "[by KEY,...] [OPTIONS] [-- CMD [ARG...]]"
				    : "FUNC... [to FUNC...] [by KEY,...] [with EVENT,...]\n"
				      "... [OPTIONS] [-- CMD [ARG...]]",
		.what = is_profile ? "Samples where programs and the kernel spend their time."
				   : "Times calls of functions, or the time from one function to another.\n"
				     "FUNC: vfs_read,vfs_write (the kernel's), PROGRAM:FUNC,... (a path may be in\n"
				     "quotes), or a probe point such as 'kernel.function(\"vfs_*\")'.",
		.more = words_of_both,
		.tables = tables,
		.anywhere = 1,
		.wrong = 2,
	};
	char *script;

	while (end < argc && strcmp(argv[end], "--"))
		end++;
	if (end + 1 < argc)
		c.command = quote_all(argv + end + 1);
	if (end < argc)
		argv[end] = NULL;
	i = option_parse(&program, end, argv, &status);
	if (i < 0)
		return status;
	script = declaration(&c, argv + i);
	return script ? run_lapwing(&c, script) : 2;
}
