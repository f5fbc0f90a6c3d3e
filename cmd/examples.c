/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * examples.c - `lapwing examples [WORD...]`: the example scripts that all words are found in, or
 * the page of one: what it shows, how to run it, what it prints, and the script.
 *
 * Input: examples/ (lib/examples.h). Output: text. A program of its own, started by lapwing; it
 * runs no example.
 */
#include "lib/distance.h"
#include "lib/examples.h"
#include "lib/options.h"

#include <stdio.h>
#include <string.h>

static struct options {
	int		source, path;
} opt;

/* Case does not matter. */
static int contains(const char *text, const char *word)
{
	char *a = g_ascii_strdown(text, -1), *b = g_ascii_strdown(word, -1);
	int found = strstr(a, b) != NULL;

	g_free(a);
	g_free(b);
	return found;
}

/* Is each word in the name or in a field of the example? */
static int matches(const struct example *e, char **words)
{
	while (*words && (contains(e->name, *words) || contains(e->meta, *words)))
		words++;
	return !*words;
}

/* Returns how many there are. */
static int list(const GPtrArray *examples, char **words)
{
	int found = 0;

	for (guint i = 0; i < examples->len; i++) {
		const struct example *e = examples->pdata[i];

		if (matches(e, words) && !found++)
			printf("%-20s %-10s %s\n", "NAME", "SUBJECT", "TITLE");
		if (matches(e, words))
			printf("%-20s %-10s %s\n", e->name, e->subject, e->title);
	}
	return found;
}

/* A field's text behind its heading, further lines below it; nothing without such a field. */
static void print_field(const struct example *e, const char *field, const char *heading)
{
	g_autofree char *text = example_field(e->meta, field);
	g_auto(GStrv) lines = g_strsplit(text ? text : "", "\n", -1);

	for (int i = 0; text && lines[i]; i++)
		if (*lines[i])
			printf("%-11s%s\n", i ? "" : heading, i ? g_strchug(lines[i]) : lines[i]);
}

/* The field has what follows the word lapwing. */
static void print_run(const struct example *e)
{
	g_autofree char *text = example_field(e->meta, "run");

	if (text)
		printf("%-11slapwing %s\n", "run", text);
}

/* What it printed once: lines have a bar in front, as their own blanks mean something. */
static void print_sample(const struct example *e)
{
	g_autofree char *text = example_field(e->meta, "sample");
	g_auto(GStrv) lines = g_strsplit(text ? text : "", "\n", -1);

	if (text)
		putchar('\n');
	for (int i = 0; text && lines[i]; i++) {
		const char *bar = strchr(lines[i], '|');

		if (bar)
			printf("    %s\n", bar[1] == ' ' ? bar + 2 : bar + 1);
	}
}

static void print_page(const struct example *e, const char *script)
{
	printf("%s - %s\n\n", e->name, e->title);
	print_field(e, "subject", "subject");
	print_field(e, "what", "shows");
	print_field(e, "runtime", "runtime");
	print_field(e, "arguments", "arguments");
	print_run(e);
	print_field(e, "check", "checked");
	printf("%-11s%s\n", "script", e->path);
	print_sample(e);
	printf("\n%s", script);
}

static int show(const struct example *e)
{
	GError *error = NULL;
	char *script;

	if (opt.path)
		return puts(e->path) < 0;
	if (!g_file_get_contents(e->path, &script, NULL, &error))
		return -options_fail("%s", error->message);
	if (opt.source)
		fputs(script, stdout);
	else
		print_page(e, script);
	g_free(script);
	return 0;
}

static int refuse(const GPtrArray *examples, const char *word)
{
	const char *nearest = NULL;
	unsigned best = 3;

	for (guint i = 0; i < examples->len; i++) {
		const struct example *e = examples->pdata[i];
		unsigned far = edit_distance(word, e->name);

		if (far < best) {
			best = far;
			nearest = e->name;
		}
	}
	if (nearest)
		return -options_fail("no example '%s': did you mean %s?", word, nearest);
	return -options_fail("no example '%s'; lapwing examples lists them", word);
}

#define OPTIONS_IN struct options
static const struct option_row rows[] = {
#include "cmd/examples.def"
OPTIONS_END
};

static const struct option_program program = {
	.name = "lapwing examples",
	.rows = rows,
	.usage =
		"Usage: lapwing examples [WORD...]\n"
		"       lapwing examples [--source | --path] NAME\n"
		"Lists the example scripts whose description has all WORDs, or shows the one of this\n"
		"NAME.\n",
};

int main(int argc, char **argv)
{
	struct option_words words;
	const struct example *one;
	GPtrArray *examples;
	int status;

	options_read_or_exit(&program, &opt, argc, argv, &words);
	examples = examples_read();
	one = words.count == 1 ? example_find(examples, words.word[0]) : NULL;
	if (!examples->len)
		status = -options_fail(
			"no examples found: run it from the source tree, or make install");
	else if (one)
		status = show(one);
	else if (opt.source || opt.path || !list(examples, words.word))
		status = words.count ? refuse(examples, words.word[0])
				     : -options_fail("which example? lapwing examples --help");
	else
		status = 0;
	g_ptr_array_unref(examples);
	return status;
}
