/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * library.c - generates the manual pages of the library's functions and aliases, from the comments
 * in tapsets/ (HACKING.md, "How the library is described") and from builtins.def. A program of the
 * build, not installed. Needs no kernel: conditions on the kernel see Linux 6.12 on x86_64.
 *
 * 	doc/library pages DIR FILE...	writes DIR/function::NAME.3lapwing, probe::NAME,
 * 					tapset::FILE
 * 	doc/library check FILE...	lists names without a description, and descriptions of
 * 					names that do not exist
 * 	doc/library examples FILE...	prints "NAME<tab>SCRIPT", a line for each example
 *
 * FILE: all .stp and .stpm files of the library.
 */
#include "doc/library_pages.h"
#include "doc/library_text.h"
#include "parser/outline.h"
#include "parser/parse.h"

#include <stdlib.h>
#include <string.h>

/* A macro that is searched for in a file. */
struct wanted {
	const char *name;
	int there;
};

static void is_wanted(enum outline_kind kind, const char *name, void *data)
{
	struct wanted *w = data;

	w->there |= kind == OUTLINE_MACRO && !strcmp(name, w->name);
}

static struct source *load(const char *path)
{
	GError *error = NULL;
	struct source *src = source_load(path, &error);

	if (!src) {
		fprintf(stderr, "doc/library: %s\n", error->message);
		exit(1);
	}
	return src;
}

/* A macro file that defines the macro and was not read yet (struct parse_env). */
static struct source *macro_file(const char *name, void *data)
{
	GPtrArray *files = data;

	for (unsigned i = 0; i < files->len; i++) {
		struct wanted w = { name[0] == '@' ? name + 1 : name, 0 };
		struct source *src = load(files->pdata[i]);

		ast_outline(src, is_wanted, &w);
		if (w.there) {
			g_ptr_array_remove_index(files, i);
			return src;
		}
		source_free(src);
	}
	return NULL;
}

static void parse_all(struct library_text *lib, struct ast *ast, char **files)
{
	GPtrArray *macros = g_ptr_array_new();
	struct parse_env env = {
		.guru = 1,
		.is_tapset = 1,
		.kernel_v = "6.12",
		.kernel_vr = "6.12",
		.arch = "x86_64",
		.macros = macro_file,
		.data = macros,
	};

	for (char **file = files; *file; file++)
		if (g_str_has_suffix(*file, ".stpm"))
			g_ptr_array_add(macros, *file);
	for (char **file = files; *file; file++) {
		struct ast_node *tree;

		if (g_str_has_suffix(*file, ".stpm"))
			continue;
		tree = ast_parse(ast, load(*file), &env);
		if (tree)
			library_text_add(lib, tree);
	}
	g_ptr_array_unref(macros);
}

static int check(const struct library_text *lib)
{
	for (unsigned i = 0; i < lib->faults->len; i++)
		printf("%s\n", (char *)lib->faults->pdata[i]);
	return lib->faults->len != 0;
}

static int examples(const struct library_text *lib)
{
	for (unsigned i = 0; i < lib->items->len; i++) {
		const struct item *item = lib->items->pdata[i];
		char **lines;

		if (!item->example)
			continue;
		lines = g_strsplit(item->example, "\n", -1);
		printf("%s\t", item->name);
		for (char **line = lines; *line; line++)
			printf("%s%s", line == lines ? "" : " ", *line);
		printf("\n");
		g_strfreev(lines);
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct library_text *lib = library_text_new();
	struct diag_sink sink;
	struct ast *ast;
	int pages = argc > 3 && !strcmp(argv[1], "pages"), status;

	if (!pages && (argc < 3 || (strcmp(argv[1], "check") && strcmp(argv[1], "examples")))) {
		fprintf(stderr,
			"usage: doc/library pages DIR FILE... | check FILE... | examples FILE...\n");
		return 2;
	}
	diag_init(&sink, stderr);
	ast = ast_new(&sink);
	parse_all(lib, ast, argv + (pages ? 3 : 2));
	library_text_finish(lib);
	status = sink.errors ? 1 :
		 pages ? library_pages(lib, argv[2]) :
		 argv[1][0] == 'c' ? check(lib) : examples(lib);
	library_text_free(lib);
	ast_free(ast);
	diag_clear(&sink);
	return status;
}
