/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_json.c - see run_json.h. What was lost is known when the script has ended: lapwing-run tells
 * it, so the script's object cannot have it. Both are written to files of their own first.
 */
#include "cmd/run_json.h"

#include "lib/option.h"
#include "lib/run.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* An empty file's path, or NULL, reported. Caller frees. */
static char *temporary(void)
{
	GError *error = NULL;
	char *path = NULL;
	int fd = g_file_open_tmp("lapwing-XXXXXX", &path, &error);

	if (fd >= 0)
		close(fd);
	else
		option_fail(FAILURE_FILE_WRITE, "%s", error->message);
	g_clear_error(&error);
	return path;
}

/* The file's path, when it can be written; what was in it would not be of this run. */
static char *emptied(const char *path)
{
	FILE *file = fopen(path, "we");

	if (file)
		fclose(file);
	else
		option_fail(FAILURE_FILE_WRITE, "--json-summary %s: %s", path, g_strerror(errno));
	return file ? g_strdup(path) : NULL;
}

/* The file's text without what ends it, or NULL: it is empty. */
static char *read_text(const char *path)
{
	char *text = NULL;

	if (g_file_get_contents(path, &text, NULL, NULL) && !*g_strchomp(text))
		g_clear_pointer(&text, g_free);
	return text;
}

/*
 * A script prints names as they are: what is not UTF-8 becomes U+FFFD, and control characters, which
 * are in strings only, are written as JSON has them.
 */
static void put_valid(const char *text, FILE *to)
{
	char *valid = g_utf8_make_valid(text, -1);

	for (const char *p = valid; *p; p++)
		if ((unsigned char)*p < ' ')
			fprintf(to, "\\u%04x", (unsigned)*p);
		else
			fputc(*p, to);
	g_free(valid);
}

/* object: what the script printed. Its last member is the books. */
static void put_all(char *object, const char *books, FILE *to)
{
	*strrchr(object, '}') = 0;
	put_valid(object, to);
	fprintf(to, ",\n\"run\":%s}\n", books);
}

/* As lapwing-run's: conversions of strftime() are taken in a name. */
static FILE *open_output(const char *output)
{
	GDateTime *now = g_date_time_new_now_local();
	char *name = strchr(output, '%') ? g_date_time_format(now, output) : g_strdup(output);
	FILE *file = name ? fopen(name, "we") : NULL;

	if (!file)
		option_fail(FAILURE_FILE_WRITE, "-o %s: %s", output,
			    name ? g_strerror(errno) : "no file name comes of it");
	g_free(name);
	g_date_time_unref(now);
	return file;
}

/* 0, or 1, reported. Standard output is judged at exit. */
static int write_all(char *object, const char *books, const char *output)
{
	FILE *to = output ? open_output(output) : stdout;
	int failed;

	if (!to)
		return 1;
	put_all(object, books, to);
	if (!output)
		return 0;
	failed = fflush(to) || ferror(to);
	if (failed)
		option_fail(FAILURE_FILE_WRITE, "cannot write %s: %s", output, g_strerror(errno));
	fclose(to);
	return failed;
}

int run_json(GPtrArray *argv, const char *none, const char *output, const char *summary)
{
	char *printed = temporary(), *kept = summary ? emptied(summary) : temporary();
	char *object, *books;
	int status = 1;

	if (printed && kept) {
		g_ptr_array_add(argv, (char *)"-o");
		g_ptr_array_add(argv, printed);
		g_ptr_array_add(argv, (char *)"--json-summary");
		g_ptr_array_add(argv, kept);
		g_ptr_array_add(argv, NULL);
		status = run_instead((char **)argv->pdata);
		object = read_text(printed);
		books = read_text(kept);
		if (!object || *object != '{' || !strchr(object, '}')) {
			g_free(object);
			object = g_strdup(none);
		}
		if (books && write_all(object, books, output) && !status)	/* NULL: nothing has run */
			status = 1;
		g_free(object);
		g_free(books);
	}
	if (printed)
		g_unlink(printed);
	if (kept && !summary)
		g_unlink(kept);
	g_free(printed);
	g_free(kept);
	return status;
}
