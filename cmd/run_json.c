/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_json.c - see run_json.h. What was lost is known when the script has ended: lapwing-run tells
 * it, so the script's object cannot have it. Both are written to files of their own first. Of the
 * script's text only the object's beginning and end are looked for.
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

/* The books without what ends them, or NULL: the file is empty, as nothing has run. */
static char *read_books(const char *path)
{
	char *text = NULL;

	if (g_file_get_contents(path, &text, NULL, NULL) && !*g_strchomp(text))
		g_clear_pointer(&text, g_free);
	return text;
}

/* The } of the object that begins at p; NULL: it does not end. */
static char *object_end(char *p, const char *end)
{
	unsigned depth = 0;
	int is_text = 0;

	for (; p < end; p++)
		if (*p == '"')
			is_text = !is_text;
		else if (is_text && *p == '\\')
			p++;
		else if (!is_text && *p == '{')
			depth++;
		else if (!is_text && *p == '}' && !--depth)
			return p;
	return NULL;
}

/*
 * The next object from *at on that begins as `none` does, without its last }; *at is moved behind
 * it. What other probes printed before it, as those of a library do, goes to standard error: the
 * output is JSON. NULL: there is none. Caller frees.
 */
static char *next_object(char **at, char *limit, const char *none)
{
	char *begin = memmem(*at, (size_t)(limit - *at), none, strcspn(none, ",")),
	     *end = begin ? object_end(begin, limit) : NULL;

	if (!end)
		return NULL;
	fwrite(*at, 1, (size_t)(begin - *at), stderr);
	*at = end + (end[1] == '\n' ? 2 : 1);
	return g_strndup(begin, (size_t)(end - begin));
}

/*
 * The object in what the script printed, or else `none`, without its last }. The objects of further
 * tables are a member, `also`.
 */
static char *read_object(const char *path, const char *none)
{
	char *text = NULL, *at, *next;
	GString *object;
	size_t n = 0;
	int more = 0;

	if (!g_file_get_contents(path, &text, &n, NULL))
		text = g_strdup("");
	at = text;
	next = next_object(&at, text + n, none);
	object = next ? g_string_new(next) : g_string_new_len(none, (gssize)strlen(none) - 1);
	while (next) {
		g_free(next);
		next = next_object(&at, text + n, none);
		if (next)
			g_string_append_printf(object, "%s%s}", more++ ? "," : ",\"also\":[", next);
	}
	if (more)
		g_string_append_c(object, ']');
	fwrite(at, 1, (size_t)(text + n - at), stderr);
	g_free(text);
	return g_string_free(object, FALSE);
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

/* object: without its last }. Its last member is the books. */
static void put_all(const char *object, const char *books, FILE *to)
{
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
static int write_all(const char *object, const char *books, const char *output)
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
		object = read_object(printed, none);
		books = read_books(kept);
		if (books && write_all(object, books, output) && !status)
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
