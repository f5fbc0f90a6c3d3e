/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * examples.c - finds and reads the example scripts (lib/examples.h). Does not run them.
 */
#include "lib/examples.h"

#include "lib/paths.h"

#include <string.h>

static void example_free(void *data)
{
	struct example *e = data;

	g_free(e->name);
	g_free(e->path);
	g_free(e->meta);
	g_free(e->title);
	g_free(e->subject);
	g_free(e);
}

/* Where the text of a field begins; NULL: no such field. */
static const char *find_field(const char *meta, const char *field)
{
	size_t n = strlen(field);
	const char *line = meta;

	while (line && (strncmp(line, field, n) || line[n] != ':')) {
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	return line ? line + n + 1 : NULL;
}

char *example_field(const char *meta, const char *field)
{
	const char *text = find_field(meta, field), *end;

	if (!text)
		return NULL;
	text += strspn(text, " \t");
	for (end = text + strcspn(text, "\n"); *end && strchr(" \t", end[1]) && end[1]; )
		end += 1 + strcspn(end + 1, "\n");
	return g_strndup(text, end - text);
}

static char *field_or_empty(const char *meta, const char *field)
{
	char *text = example_field(meta, field);

	return text ? text : g_strdup("");
}

static struct example *example_read(const char *folder, const char *file)
{
	struct example *e = g_new0(struct example, 1);
	char *meta;

	e->name = g_strndup(file, strlen(file) - strlen(".stp"));
	e->path = g_build_filename(folder, file, NULL);
	meta = g_strdup_printf("%s/%s.meta", folder, e->name);
	if (!g_file_get_contents(meta, &e->meta, NULL, NULL))
		e->meta = g_strdup("");
	g_free(meta);
	e->title = field_or_empty(e->meta, "title");
	e->subject = field_or_empty(e->meta, "subject");
	return e;
}

/* Adds a folder's examples, and with `depth` those of its folders. */
static void read_folder(GPtrArray *examples, const char *folder, int depth)
{
	GDir *dir = g_dir_open(folder, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(folder, name, NULL);

		if (g_str_has_suffix(name, ".stp"))
			g_ptr_array_add(examples, example_read(folder, name));
		else if (depth && g_file_test(path, G_FILE_TEST_IS_DIR))
			read_folder(examples, path, depth - 1);
	}
	if (dir)
		g_dir_close(dir);
}

static int compare(const void *a, const void *b)
{
	const struct example *x = *(struct example *const *)a, *y = *(struct example *const *)b;
	int by_subject = strcmp(x->subject, y->subject);

	return by_subject ? by_subject : strcmp(x->name, y->name);
}

GPtrArray *examples_read(void)
{
	GPtrArray *examples = g_ptr_array_new_with_free_func(example_free);
	g_autofree char *folder = paths_data("examples");

	if (folder)
		read_folder(examples, folder, 1);
	g_ptr_array_sort(examples, compare);
	return examples;
}

const struct example *example_find(const GPtrArray *examples, const char *name)
{
	size_t n = strlen(name) - (g_str_has_suffix(name, ".stp") ? strlen(".stp") : 0);

	for (guint i = 0; i < examples->len; i++) {
		const struct example *e = examples->pdata[i];

		if (strlen(e->name) == n && !g_ascii_strncasecmp(e->name, name, n))
			return e;
	}
	return NULL;
}

char *example_path(const char *name)
{
	g_autoptr(GPtrArray) examples = examples_read();
	const struct example *e = example_find(examples, name);
	char *path = e ? g_strdup(e->path) : NULL;

	return path;
}
