/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracefs.c - see tracefs.h.
 */
#include "translator/debuginfo/tracefs.h"

#include "lib/tracefs_layout.h"
#include "lib/tracefs_mount.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

static int by_name(const void *a, const void *b)
{
	const struct debuginfo_tracepoint *e = a, *f = b;
	int order = strcmp(e->system, f->system);

	return order ? order : strcmp(e->name, f->name);
}

static struct {
	char	*(*find)(void *data);	/* NULL: this kernel's tracefs is used */
	void	*data;
	char	*folder;
	int	asked;
} other;

void tracefs_of(char *(*find)(void *data), void *data)
{
	g_free(other.folder);
	memset(&other, 0, sizeof(other));
	other.find = find;
	other.data = data;
}

static const char *root_of_events(void)
{
	if (!other.find)
		return tracefs_find();
	if (!other.asked)
		other.folder = other.find(other.data);
	other.asked = 1;
	return other.folder;
}

/* The path of a file in tracefs (g_free); NULL: tracefs cannot be read. */
static char *path_of(const char *file)
{
	const char *root = root_of_events();

	return root ? g_build_filename(root, file, NULL) : NULL;
}

static void take_system(GArray *events, const char *path, const char *system, const char *pattern)
{
	GDir *dir = g_dir_open(path, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		struct debuginfo_tracepoint e = { g_intern_string(system), NULL };
		char *id = g_build_filename(path, name, "id", NULL);

		if (!fnmatch(pattern, name, 0) && g_file_test(id, G_FILE_TEST_EXISTS)) {
			e.name = g_intern_string(name);
			g_array_append_val(events, e);
		}
		g_free(id);
	}
	if (dir)
		g_dir_close(dir);
}

GArray *tracefs_events(const char *system, const char *name)
{
	char *top = path_of("events");
	GDir *dir = top ? g_dir_open(top, 0, NULL) : NULL;
	GArray *events = NULL;
	const char *found;

	if (dir)
		events = g_array_new(FALSE, FALSE, sizeof(struct debuginfo_tracepoint));
	while (dir && (found = g_dir_read_name(dir))) {
		char *path = g_build_filename(top, found, NULL);

		if (!fnmatch(system, found, 0))
			take_system(events, path, found, name);
		g_free(path);
	}
	if (dir) {
		g_dir_close(dir);
		g_array_sort(events, by_name);
	}
	g_free(top);
	return events;
}

/* "	field:char prev_comm[16];	offset:8;	size:16;	signed:0;" */
static int parse_line(const char *line, struct tracefs_field *f)
{
	char declaration[256], *name, *bracket;

	*f = (struct tracefs_field){ .form = TRACEFS_NUMBER };
	if (sscanf(line, " field:%255[^;]; offset:%u; size:%u; signed:%d;", declaration, &f->offset,
		   &f->size, &f->is_signed) != 4)
		return 0;
	g_strchomp(declaration);
	name = strrchr(declaration, ' ');
	if (!name || g_str_has_prefix(name + 1, "common_"))
		return 0;
	*name++ = 0;
	bracket = strchr(name, '[');
	if (bracket) {
		*bracket = 0;
		f->count = (unsigned)g_ascii_strtoull(bracket + 1, NULL, 0);
	}
	if (g_str_has_prefix(declaration, "__data_loc "))
		f->form = TRACEFS_DATA_LOC;
	else if (g_str_has_prefix(declaration, "__rel_loc "))
		f->form = TRACEFS_REL_LOC;
	else if (bracket && f->size &&
		 (!strcmp(declaration, "char") || !strcmp(declaration, "const char")))
		f->form = TRACEFS_CHARS;
	else if (bracket && !f->count)		/* the size is a name: BUF_SIZE */
		f->count = 1;
	f->name = g_intern_string(name);
	f->type = g_intern_string(g_strchug(declaration));
	return 1;
}

/* The fields that the text of a format file lists. */
static GArray *tracefs_parse(const char *text)
{
	GArray *fields = g_array_new(FALSE, FALSE, sizeof(struct tracefs_field));
	char **lines = g_strsplit(text, "\n", -1);
	struct tracefs_field f;

	for (char **line = lines; *line; line++)
		if (parse_line(*line, &f))
			g_array_append_val(fields, f);
	g_strfreev(lines);
	return fields;
}

GArray *tracefs_fields(const char *system, const char *name, guint64 *layout)
{
	char *file = g_build_filename("events", system, name, "format", NULL),
	     *path = path_of(file), *text = NULL;
	GArray *fields = NULL;

	if (path && g_file_get_contents(path, &text, NULL, NULL)) {
		fields = tracefs_parse(text);
		*layout = tracefs_layout(text);
	}
	g_free(text);
	g_free(path);
	g_free(file);
	return fields;
}

int tracefs_has_kprobes(void)
{
	char *path = path_of("kprobe_events");
	int has = path && g_file_test(path, G_FILE_TEST_EXISTS);

	g_free(path);
	return has;
}
