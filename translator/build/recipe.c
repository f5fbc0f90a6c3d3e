/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recipe.c - the commands with which kbuild built a module, read back from the .cmd files next to
 * its objects, so that they can be run again for another script.c without make.
 *
 * Input: a folder where kbuild has just built NAME.ko from script.c and runtime.c. Output: a few
 * argument vectors, in which "@DIR@/" stands for the folder of the new script and "@KIT@/" for
 * that of the shared objects. No shell is involved: if a command is more than plain words, there is
 * no recipe.
 */
#include "translator/build/recipe.h"

#include <string.h>

static struct recipe *recipe_new(void)
{
	struct recipe *r = g_new0(struct recipe, 1);

	r->steps = g_ptr_array_new_with_free_func((GDestroyNotify)g_strfreev);
	r->objects = g_ptr_array_new_with_free_func(g_free);
	r->imports = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	return r;
}

void recipe_free(struct recipe *r)
{
	if (!r)
		return;
	g_ptr_array_free(r->steps, TRUE);
	g_strfreev(r->embedded);
	g_ptr_array_free(r->objects, TRUE);
	g_hash_table_destroy(r->imports);
	g_free(r);
}

/*
 * The commands of one .cmd file, NULL-terminated: its first line is "cmd_TARGET := a b ; c d"
 * (savedcmd_ since 6.2).
 */
static char **read_commands(const char *dir, const char *object)
{
	char *path = g_strdup_printf("%s/.%s.cmd", dir, object), *text = NULL, **commands = NULL,
	     *begin, *end;

	if (g_file_get_contents(path, &text, NULL, NULL) && (begin = strstr(text, ":="))) {
		end = strchr(begin, '\n');
		if (end)
			*end = 0;
		/* Text that make or the shell would expand is not supported. */
		if (!strpbrk(begin + 2, "$#`\\"))
			commands = g_strsplit(begin + 2, ";", -1);
	}
	g_free(text);
	g_free(path);
	return commands;
}

/*
 * True if the command runs this tool, with any prefix and version: x86_64-linux-gnu-gcc-12,
 * ./tools/objtool/objtool.
 */
static int runs(char **argv, const char *tool)
{
	char *base = g_path_get_basename(argv[0]);
	const char *at = g_strrstr(base, tool);
	int yes = at && (at == base || at[-1] == '-') &&
		  (!at[strlen(tool)] || at[strlen(tool)] == '-');

	g_free(base);
	return yes;
}

/*
 * Options that only matter for kernel headers, which a script's C does not include, or for
 * debuggers.
 */
static int is_for_headers(const char *arg)
{
	return g_str_has_prefix(arg, "-I") || g_str_has_prefix(arg, "-Wp,") ||
	       g_str_has_prefix(arg, "-fmacro-prefix-map=") || g_str_has_prefix(arg, "-g");
}

/* Converts a word of a command: paths in the directory get placeholders, other words are kept. */
static char *place(const struct recipe *r, const char *dir, const char *arg)
{
	size_t n = strlen(dir);
	const char *name;

	if (strncmp(arg, dir, n) || arg[n] != '/')
		return g_strdup(arg);
	name = arg + n + 1;
	for (guint i = 0; i < r->objects->len; i++)
		if (!strcmp(name, g_ptr_array_index(r->objects, i)))
			return g_strconcat("@KIT@/", name, NULL);
	return g_strconcat("@DIR@/", name, NULL);
}

static void add_step(struct recipe *r, GPtrArray *words)
{
	g_ptr_array_add(words, NULL);
	g_ptr_array_add(r->steps, g_ptr_array_free(words, FALSE));
}

static void add_compile(struct recipe *r, const char *dir, char **argv, const char *include)
{
	GPtrArray *words = g_ptr_array_new(), *embedded = g_ptr_array_new();

	for (char **a = argv; *a; a++) {
		if (!g_str_has_prefix(*a, "-Wp,"))
			g_ptr_array_add(embedded, place(r, dir, *a));
		if (!strcmp(*a, "-include") && a[1])
			g_ptr_array_add(embedded, place(r, dir, *++a));
		else if (!is_for_headers(*a))
			g_ptr_array_add(words, place(r, dir, *a));
	}
	g_ptr_array_add(words, g_strconcat("-I", include, NULL));
	add_step(r, words);
	g_ptr_array_add(embedded, NULL);
	g_strfreev(r->embedded);
	r->embedded = (char **)g_ptr_array_free(embedded, FALSE);
}

/* A link or objtool step; the word `replaced` is replaced by `inputs`. */
static void add_plain(struct recipe *r, const char *dir, char **argv, const char *replaced,
		      const char *const *inputs)
{
	GPtrArray *words = g_ptr_array_new();

	for (char **a = argv; *a; a++) {
		if (!replaced || strcmp(*a, replaced)) {
			g_ptr_array_add(words, place(r, dir, *a));
			continue;
		}
		for (const char *const *in = inputs; *in; in++) {
			char *path = g_build_filename(dir, *in, NULL);

			g_ptr_array_add(words, place(r, dir, path));
			g_free(path);
		}
	}
	add_step(r, words);
}

/*
 * From Linux 6.13 on, commands run in the module's folder and name its files without it: adds it, as
 * before.
 */
static void add_folder(char **argv, const char *dir)
{
	for (; *argv; argv++) {
		const char *at = **argv == '@' ? "@" : "", *name = *argv + strlen(at);
		char *path = g_build_filename(dir, name, NULL), *word = *argv;

		if (*name && !strchr(name, '/') && g_file_test(path, G_FILE_TEST_EXISTS)) {
			*argv = g_strconcat(at, path, NULL);
			g_free(word);
		}
		g_free(path);
	}
}

/* Adds the commands of one object; -1: one of them runs an unknown tool. */
static int add_object(struct recipe *r, const char *dir, const char *object, const char *include,
		      const char *replaced, const char *const *inputs)
{
	char **commands = read_commands(dir, object);
	int failed = !commands;

	for (char **c = commands; c && *c && !failed; c++) {
		char **argv = NULL;

		if (!*g_strstrip(*c) || !strcmp(*c, "true"))
			continue;
		if (!g_shell_parse_argv(*c, NULL, &argv, NULL)) {
			failed = 1;
			continue;
		}
		add_folder(argv, dir);
		if ((runs(argv, "gcc") || runs(argv, "clang")) && include)
			add_compile(r, dir, argv, include);
		else if (runs(argv, "ld") || runs(argv, "ld.lld") || runs(argv, "objtool"))
			add_plain(r, dir, argv, replaced, inputs);
		else
			failed = 1;
		g_strfreev(argv);
	}
	g_strfreev(commands);
	return failed ? -1 : 0;
}

static int has_objtool(const char *dir, const char *object)
{
	char *path = g_strdup_printf("%s/.%s.cmd", dir, object), *text = NULL;
	int has = g_file_get_contents(path, &text, NULL, NULL) && strstr(text, "objtool ");

	g_free(text);
	g_free(path);
	return has;
}

/* Objects that are the same for every script. */
static void find_objects(struct recipe *r, const char *dir, const char *name)
{
	char *names[] = { g_strdup("runtime.o"), g_strconcat(name, ".mod.o", NULL),
			  g_strdup(".module-common.o") };

	for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
		char *path = g_build_filename(dir, names[i], NULL);

		if (g_file_test(path, G_FILE_TEST_EXISTS))
			g_ptr_array_add(r->objects, names[i]);
		else
			g_free(names[i]);
		g_free(path);
	}
}

struct recipe *recipe_capture(const char *dir, const char *name, const char *include)
{
	static const char *const both[] = { "script.o", "runtime.o", NULL };
	struct recipe *r = recipe_new();
	char *joined = g_strconcat(name, ".o", NULL), *module = g_strconcat(name, ".ko", NULL);
	char *list = g_strdup_printf("@%s/%s.mod", dir, name),
	     *joined_path = g_build_filename(dir, joined, NULL);
	int failed;

	find_objects(r, dir, name);
	failed = add_object(r, dir, "script.o", include, NULL, NULL);
	if (!has_objtool(dir, "script.o") && !has_objtool(dir, joined) &&
	    has_objtool(dir, "script.objtool"))
		failed |= add_object(r, dir, "script.objtool", NULL, NULL, NULL);
	if (has_objtool(dir, joined)) {		/* objtool needs the whole object, so the step
						 * that joins its parts cannot be skipped */
		failed |= add_object(r, dir, joined, NULL, list, both);
		failed |= add_object(r, dir, module, NULL, NULL, NULL);
	} else {
		failed |= add_object(r, dir, module, NULL, joined_path, both);
	}
	g_free(joined_path);
	g_free(list);
	g_free(module);
	g_free(joined);
	if (failed)
		g_clear_pointer(&r, recipe_free);
	return r;
}

/* ---- as text -------------------------------------------------------------------*/

static void print_list(GString *out, const char *word, char **items)
{
	g_string_append(out, word);
	for (; *items; items++) {
		char *quoted = g_shell_quote(*items);

		g_string_append_printf(out, " %s", quoted);
		g_free(quoted);
	}
	g_string_append_c(out, '\n');
}

char *recipe_print(const struct recipe *r)
{
	GString *out = g_string_new(NULL);
	GHashTableIter it;
	gpointer name;

	for (guint i = 0; i < r->objects->len; i++)
		print_list(out, "object", (char *[]){ g_ptr_array_index(r->objects, i), NULL });
	for (guint i = 0; i < r->steps->len; i++)
		print_list(out, "step", g_ptr_array_index(r->steps, i));
	if (r->embedded)
		print_list(out, "embedded", r->embedded);
	g_hash_table_iter_init(&it, r->imports);
	while (g_hash_table_iter_next(&it, &name, NULL))
		print_list(out, "import", (char *[]){ name, NULL });
	return g_string_free(out, FALSE);
}

struct recipe *recipe_parse(const char *text)
{
	struct recipe *r = recipe_new();
	char **lines = g_strsplit(text, "\n", -1);
	int failed = 0;

	for (char **l = lines; *l && !failed; l++) {
		char **words = NULL;

		if (!**l)
			continue;
		if (!g_shell_parse_argv(*l, NULL, &words, NULL) || !words[1])
			failed = 1;
		else if (!strcmp(words[0], "object"))
			g_ptr_array_add(r->objects, g_strdup(words[1]));
		else if (!strcmp(words[0], "import"))
			g_hash_table_add(r->imports, g_strdup(words[1]));
		else if (!strcmp(words[0], "step"))
			g_ptr_array_add(r->steps, g_strdupv(words + 1));
		else if (!strcmp(words[0], "embedded") && !r->embedded)
			r->embedded = g_strdupv(words + 1);
		else
			failed = 1;
		g_strfreev(words);
	}
	g_strfreev(lines);
	if (failed || !r->steps->len)
		g_clear_pointer(&r, recipe_free);
	return r;
}
