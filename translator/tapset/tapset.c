/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tapset.c - finds the files of the script library that a program needs.
 *
 * Input: names that the program uses but does not declare; tapsets/, -I folders. Output: more
 * prog->ast->files. The names that each file declares are kept in an index (tapset_index.c). It
 * does not resolve names: the passes request one at a time.
 */
#include "translator/tapset/tapset.h"

#include "lib/paths.h"
#include "translator/program/options.h"
#include "translator/tapset/parse_file.h"
#include "translator/tapset/tapset_index.h"

#include <string.h>

struct library {
	struct program	*prog;
	/* struct library_file, in search order; NULL: not needed yet */
	GPtrArray	*files;
};

static void close_library(struct library *library)
{
	if (library->files)
		g_ptr_array_unref(library->files);
	g_free(library);
}

void library_open(struct program *prog)
{
	prog->library = g_new0(struct library, 1);
	prog->library->prog = prog;
	prog->close_library = close_library;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void add_folder(GPtrArray *paths, const char *folder)
{
	GDir *dir = g_dir_open(folder, 0, NULL);
	unsigned first = paths->len;
	const char *name;

	while (dir && (name = g_dir_read_name(dir)))
		if (g_str_has_suffix(name, ".stp") || g_str_has_suffix(name, ".stpm"))
			g_ptr_array_add(paths, g_build_filename(folder, name, NULL));
	if (dir)
		g_dir_close(dir);
	if (paths->len > first)
		qsort(paths->pdata + first, paths->len - first, sizeof(*paths->pdata), by_name);
}

/*
 * Files below PATH/ are for the programs of a folder: PATH/usr/bin/x.stp is for those in /usr/bin.
 */
static void add_programs(GPtrArray *paths, const char *folder)
{
	GDir *dir = g_dir_open(folder, 0, NULL);
	const char *name;

	add_folder(paths, folder);
	while (dir && (name = g_dir_read_name(dir))) {
		char *inner = g_build_filename(folder, name, NULL);

		if (g_file_test(inner, G_FILE_TEST_IS_DIR) &&
		    !g_file_test(inner, G_FILE_TEST_IS_SYMLINK))
			add_programs(paths, inner);
		g_free(inner);
	}
	if (dir)
		g_dir_close(dir);
}

/*
 * Adds the most specific folders first: linux/6.1.0-56-amd64/x86_64, linux/6.1.0-56-amd64, ...
 * linux, and the same without linux/; then PATH/.
 */
static void add_root(const struct program *prog, GPtrArray *paths, const char *root)
{
	char *full = g_strdup(prog->kernel_release), *base = g_strdup(full), *minor, *programs;
	const char *const systems[] = { "linux", "" }, *dot;

	base[strspn(base, "0123456789.")] = 0;
	dot = strchr(base, '.');
	minor = g_strndup(base, dot ? (size_t)(dot - base) + 1 + strspn(dot + 1, "0123456789")
				    : strlen(base));
	const char *const versions[] = { full, base, minor, "" };

	for (unsigned s = 0; s < G_N_ELEMENTS(systems); s++)
		for (unsigned v = 0; v < G_N_ELEMENTS(versions); v++)
			for (int arch = 1; arch >= 0; arch--) {
				char *folder = g_build_filename(root, systems[s], versions[v],
								arch ? prog->arch : "", NULL);

				add_folder(paths, folder);
				g_free(folder);
			}
	programs = g_build_filename(root, "PATH", NULL);
	add_programs(paths, programs);
	g_free(programs);
	g_free(full);
	g_free(base);
	g_free(minor);
}

static GPtrArray *library_files(struct library *library)
{
	const struct options *opt = library->prog->opt;
	GPtrArray *paths;
	char *own;

	if (library->files)
		return library->files;
	paths = g_ptr_array_new_with_free_func(g_free);
	for (unsigned i = 0; opt->tapset_folders && i < opt->tapset_folders->len; i++)
		add_root(library->prog, paths, g_ptr_array_index(opt->tapset_folders, i));
	own = paths_data("tapsets");
	if (own)
		add_root(library->prog, paths, own);
	library->files = tapset_index(paths, opt->cache);
	g_ptr_array_unref(paths);
	g_free(own);
	return library->files;
}

static struct source *take(struct library_file *file)
{
	struct source *src = source_load(file->path, NULL);

	file->taken = 1;
	return src;
}

/* True of process.begin and others, which without a path are about all processes. */
static int is_of_all(const struct probe_point *point)
{
	static const char *const events[] = { "begin", "end", "thread", "syscall", NULL };

	return point->ncomps < 2 || g_strv_contains(events, point->comps[1].name);
}

/*
 * In a file for the programs of a folder: puts the folder before relative paths in points. `process`
 * without a path is the program that the file is named after.
 */
static void place_points(struct program *prog, struct probe_point *points, unsigned n,
			 const char *program)
{
	int folder = (int)(strrchr(program, '/') - program);

	for (unsigned i = 0; i < n; i++) {
		struct point_comp *comp = &points[i].comps[0];

		if (strcmp(comp->name, "process"))
			continue;
		if (comp->arg == POINT_NONE && !is_of_all(&points[i])) {
			comp->arg = POINT_STRING;
			comp->arg_loc = comp->loc;
			comp->string = ast_printf(prog->ast, "%s", program);
		} else if (comp->arg == POINT_STRING && *comp->string && *comp->string != '/') {
			comp->string = ast_printf(prog->ast, "%.*s/%s", folder, program, comp->string);
		}
	}
}

/* Parses a file into the program; NULL: it cannot be read or has errors. */
static struct ast_node *bring_in(struct program *prog, struct library_file *file)
{
	const char *programs = g_strrstr(file->path, "/PATH/");
	struct source *src = take(file);
	struct ast_node *node = src ? program_parse(prog, src, 1) : NULL;
	char *program = programs ? g_strdup(programs + strlen("/PATH")) : NULL;

	if (program)
		*strrchr(program, '.') = 0;
	for (unsigned i = 0; node && program && i < node->u.list.n; i++) {
		struct ast_node *n = node->u.list.at[i];

		if (n->kind == AST_ALIAS)
			place_points(prog, n->u.alias.points, n->u.alias.npoints, program);
		else if (n->kind == AST_PROBE)
			place_points(prog, n->u.probe.points, n->u.probe.npoints, program);
	}
	g_free(program);
	return node;
}

static int declares(const struct library_file *file, enum outline_kind kind, const char *name)
{
	return g_ptr_array_find_with_equal_func(file->names[kind], name, g_str_equal, NULL);
}

static struct ast_node *parse_next(struct program *prog, enum outline_kind kind, const char *name)
{
	GPtrArray *files = prog->library ? library_files(prog->library) : NULL;

	for (unsigned i = 0; files && i < files->len; i++) {
		struct library_file *file = g_ptr_array_index(files, i);
		struct ast_node *node =
			file->taken || !declares(file, kind, name) ? NULL : bring_in(prog, file);

		if (node)
			return node;
	}
	return NULL;
}

struct ast_node *library_function(struct program *prog, const char *name)
{
	return parse_next(prog, OUTLINE_FUNCTION, name);
}

struct ast_node *library_global(struct program *prog, const char *name)
{
	return parse_next(prog, OUTLINE_GLOBAL, name);
}

int library_is_argument(const char *name)
{
	return !strcmp(name, "argc") || !strcmp(name, "argv") ||
	       (g_str_has_prefix(name, "argv_") && name[5] && !name[5 + strspn(name + 5, "0123456789")]);
}

struct source *library_macro(const char *name, void *data)
{
	struct program *prog = data;
	GPtrArray *files = prog->library ? library_files(prog->library) : NULL;

	for (unsigned i = 0; files && i < files->len; i++) {
		struct library_file *file = g_ptr_array_index(files, i);
		int macros = g_str_has_suffix(file->path, ".stpm");
		struct source *src = !macros || file->taken || !declares(file, OUTLINE_MACRO, name)
					     ? NULL
					     : take(file);

		if (src)
			return src;
	}
	return NULL;
}

/*
 * Number of leading components of a point that match an alias's name; ** matches one or more. 0: no
 * match.
 */
static unsigned named(const struct point_comp *comp, unsigned n, char *const *words)
{
	unsigned rest;

	if (!*words || !n)
		return 0;
	if (!strcmp(comp->name, "**") && words[1]) {
		rest = named(comp, n, words + 1);
		if (rest)
			return rest;
	}
	if (!point_match(comp->name, *words))
		return 0;
	if (!words[1])
		return 1;
	rest = named(comp + 1, n - 1, words + 1);
	return rest ? rest + 1 : 0;
}

static int has_alias(const struct library_file *file, const struct probe_point *point, int whole)
{
	GPtrArray *names = file->names[OUTLINE_ALIAS];

	for (unsigned i = 0; i < names->len; i++) {
		char **words = g_strsplit(g_ptr_array_index(names, i), ".", -1);
		unsigned n = named(point->comps, point->ncomps, words);

		g_strfreev(words);
		if (n && (n == point->ncomps) == whole)
			return 1;
	}
	return 0;
}

unsigned library_aliases(struct program *prog, const struct probe_point *point)
{
	GPtrArray *files = prog->library ? library_files(prog->library) : NULL;
	unsigned came = 0, known = 0;

	for (int whole = 1; whole >= 0 && !known; whole--)
		for (unsigned i = 0; files && i < files->len; i++) {
			struct library_file *file = g_ptr_array_index(files, i);

			if (!has_alias(file, point, whole))
				continue;
			known++;
			came += !file->taken && bring_in(prog, file);
		}
	return came;
}

void library_load(struct program *prog)
{
	GPtrArray *files = library_files(prog->library);

	for (unsigned i = 0; i < files->len; i++) {
		struct library_file *file = g_ptr_array_index(files, i);

		if (!file->taken && g_str_has_suffix(file->path, ".stp"))
			bring_in(prog, file);
	}
}

void library_names(struct program *prog, enum outline_kind kind, GPtrArray *names)
{
	GPtrArray *files = prog->library ? library_files(prog->library) : NULL;

	for (unsigned i = 0; files && i < files->len; i++) {
		const GPtrArray *some = ((struct library_file *)files->pdata[i])->names[kind];

		for (unsigned k = 0; k < some->len; k++)
			g_ptr_array_add(names, some->pdata[k]);
	}
}
