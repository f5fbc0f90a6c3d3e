/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tapset.c - finds the files of the script library that a program needs, by the functions it calls.
 *
 * Input: prog->ast->files and the folder tapsets/. Output: more prog->ast->files. It does not look for aliases or macros.
 */
#include "translator/tapset.h"

#include "translator/paths.h"

#include <string.h>

struct search {
	GHashTable	*declared;	/* names of functions */
	GPtrArray	*called;
	GHashTable	*taken;		/* file names */
	unsigned	seen;		/* files of the program looked at */
	unsigned	asked;		/* of called */
};

static int note(struct ast_node **slot, void *data)
{
	struct search *s = data;

	if ((*slot)->kind == AST_CALL)
		g_ptr_array_add(s->called, (void *)(*slot)->u.call.name);
	else if ((*slot)->kind == AST_FUNCTION)
		g_hash_table_add(s->declared, (void *)(*slot)->u.function.name);
	return 1;
}

static void note_new_files(struct program *prog, struct search *s)
{
	for (; s->seen < prog->ast->files->len; s->seen++) {
		struct ast_node *file = g_ptr_array_index(prog->ast->files, s->seen);

		ast_walk(&file, note, s);
	}
}

/* Library files open each function with "function NAME:" or "function NAME(" at the start of a line. */
static int declares(const char *text, const char *name)
{
	size_t len = strlen(name);

	for (const char *p = text; (p = strstr(p, "function ")); p += 9)
		if ((p == text || p[-1] == '\n') && !strncmp(p + 9, name, len) && p[9 + len] && strchr(":(", p[9 + len]))
			return 1;
	return 0;
}

static struct source *find_file(const char *dir, const char *name, struct search *s)
{
	GDir *files = g_dir_open(dir, 0, NULL);
	struct source *src = NULL;
	const char *file;

	while (files && !src && (file = g_dir_read_name(files))) {
		char *path = g_build_filename(dir, file, NULL), *text = NULL;
		gsize len;

		if (g_str_has_suffix(file, ".stp") && !g_hash_table_contains(s->taken, path) &&
		    g_file_get_contents(path, &text, &len, NULL) && declares(text, name)) {
			src = source_new(path, text, len);
			g_hash_table_add(s->taken, g_strdup(path));
		}
		g_free(text);
		g_free(path);
	}
	if (files)
		g_dir_close(files);
	return src;
}

void tapset_load(struct program *prog, void (*parse)(struct program *prog, struct source *src))
{
	char *dir = paths_data("tapsets");
	struct search s = {
		.declared = g_hash_table_new(g_str_hash, g_str_equal), .called = g_ptr_array_new(),
		.taken = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
	};

	for (note_new_files(prog, &s); dir && s.asked < s.called->len; s.asked++) {
		const char *name = g_ptr_array_index(s.called, s.asked);
		struct source *src = g_hash_table_contains(s.declared, name) ? NULL : find_file(dir, name, &s);

		if (src) {
			parse(prog, src);
			note_new_files(prog, &s);
		}
	}
	g_hash_table_destroy(s.declared);
	g_hash_table_destroy(s.taken);
	g_ptr_array_free(s.called, TRUE);
	g_free(dir);
}
