/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tracefs.c - see tracefs.h. */
#include "translator/debuginfo/tracefs.h"

#include "lib/tracefs_folder.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int by_name(const void *a, const void *b)
{
	const struct debuginfo_tracepoint *e = a, *f = b;
	int order = strcmp(e->system, f->system);

	return order ? order : strcmp(e->name, f->name);
}

static void read_system(GArray *events, const char *path, const char *system, const char *pattern)
{
	GDir *dir = g_dir_open(path, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		struct debuginfo_tracepoint e = { g_intern_string(system), NULL };
		g_autofree char *id = g_build_filename(path, name, "id", NULL);

		if (!fnmatch(pattern, name, 0) && g_file_test(id, G_FILE_TEST_EXISTS)) {
			e.name = g_intern_string(name);
			g_array_append_val(events, e);
		}
	}
	if (dir)
		g_dir_close(dir);
}

const char *tracefs_problem(void)
{
	if (tracefs_folder())
		return NULL;
	return geteuid() ? "is readable by root only: run as root"
		: "is not mounted: mount -t tracefs tracefs /sys/kernel/tracing";
}

GArray *tracefs_events(const char *system, const char *name)
{
	const char *top = tracefs_folder(), *found;
	g_autofree char *list = top ? g_build_filename(top, "events", NULL) : NULL;
	g_autoptr(GDir) dir = list ? g_dir_open(list, 0, NULL) : NULL;
	GArray *events;

	if (!dir)
		return NULL;
	events = g_array_new(FALSE, FALSE, sizeof(struct debuginfo_tracepoint));
	while ((found = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(list, found, NULL);

		if (!fnmatch(system, found, 0))
			read_system(events, path, found, name);
	}
	g_array_sort(events, by_name);
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
	else if (bracket && !f->count)		/* a size given by a name: BUF_SIZE */
		f->count = 1;
	f->name = g_intern_string(name);
	f->type = g_intern_string(g_strchug(declaration));
	return 1;
}

GArray *tracefs_parse(const char *text)
{
	GArray *fields = g_array_new(FALSE, FALSE, sizeof(struct tracefs_field));
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	struct tracefs_field f;

	for (char **line = lines; *line; line++)
		if (parse_line(*line, &f))
			g_array_append_val(fields, f);
	return fields;
}

GArray *tracefs_fields(const char *system, const char *name)
{
	const char *top = tracefs_folder();
	g_autofree char *path =
		top ? g_build_filename(top, "events", system, name, "format", NULL) : NULL;
	g_autofree char *text = NULL;

	return path && g_file_get_contents(path, &text, NULL, NULL) ? tracefs_parse(text) : NULL;
}

int tracefs_has_kprobes(void)
{
	const char *top = tracefs_folder();
	g_autofree char *path = top ? g_build_filename(top, "kprobe_events", NULL) : NULL;

	return path && g_file_test(path, G_FILE_TEST_EXISTS);
}
