/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kit.c - a kernel module without kbuild: one compile and one link.
 *
 * Once per kernel, kbuild builds the module of an empty script; the objects of the runtime and of
 * the module descriptor, the commands and the list of imported symbols are kept in the cache: the
 * kit. A script's C includes no kernel header, so it is then compiled alone (in about 40 ms; kbuild
 * takes seconds) and linked with the kit's objects. Embedded C is compiled with the kernel's headers,
 * by kbuild's own command; where it imports a symbol that the runtime does not, kbuild builds the
 * script, with the kit's runtime. If anything looks unfamiliar, kbuild builds all of it.
 *
 * The kit's objects contain a placeholder of the maximum length for the module's name, which is
 * patched in the linked module; macros have the name itself.
 */
#include "translator/build/kit.h"

#include "lib/paths.h"
#include "lib/run.h"
#include "translator/build/cache.h"
#include "translator/build/kbuild.h"
#include "translator/build/recipe.h"
#include "translator/build/build.h"
#include "translator/program/options.h"
#include "translator/program/program.h"

#include <elf.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* 55 characters: MODULE_NAME_LEN is 64 minus the size of a long, and includes the NUL. */
#define PLACEHOLDER "lapwing_name_name_name_name_name_name_name_name_name__x"
_Static_assert(sizeof(PLACEHOLDER) == 56, "as long as a module's name may be");

struct kit {
	struct recipe	*recipe;
	char		*headers;		/* working directory of the commands */
	GHashTable	*objects;		/* file name in the recipe: path in the cache */
};

static void kit_free(struct kit *kit)
{
	if (!kit)
		return;
	recipe_free(kit->recipe);
	g_hash_table_destroy(kit->objects);
	g_free(kit->headers);
	g_free(kit);
}

/* ---- undefined symbols of an object ------------------------------------------------*/

/* Calls found(name) for each symbol that the object imports. -1: not a 64-bit object. */
static int imports_of(const char *data, gsize len, int (*found)(GHashTable *set, const char *name),
		      GHashTable *set)
{
	const Elf64_Ehdr *h = (const void *)data;
	const Elf64_Shdr *s;
	int rc = 0;

	if (len < sizeof(*h) || memcmp(data, ELFMAG, SELFMAG) ||
	    h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_shoff > len ||
	    h->e_shnum > (len - h->e_shoff) / sizeof(*s))
		return -1;
	s = (const void *)(data + h->e_shoff);
	for (unsigned i = 0; i < h->e_shnum; i++) {
		const Elf64_Sym *sym;
		const Elf64_Shdr *strings;

		if (s[i].sh_type != SHT_SYMTAB)
			continue;
		if (s[i].sh_link >= h->e_shnum || s[i].sh_offset > len ||
		    s[i].sh_size > len - s[i].sh_offset)
			return -1;
		strings = &s[s[i].sh_link];
		if (strings->sh_offset > len || strings->sh_size > len - strings->sh_offset ||
		    !strings->sh_size || data[strings->sh_offset + strings->sh_size - 1])
			return -1;
		sym = (const void *)(data + s[i].sh_offset);
		for (guint64 k = 1; k < s[i].sh_size / sizeof(*sym) && !rc; k++)
			if (sym[k].st_shndx == SHN_UNDEF && sym[k].st_name < strings->sh_size)
				rc = found(set, data + strings->sh_offset + sym[k].st_name);
	}
	return rc;
}

static int note_import(GHashTable *set, const char *name)
{
	g_hash_table_add(set, g_strdup(name));
	return 0;
}

static int is_known(GHashTable *set, const char *name)
{
	return g_hash_table_contains(set, name) ? 0 : -1;
}

/* ---- making the kit --------------------------------------------------------------*/

static int store_file(const char *key, const char *dir, const char *name)
{
	char *path = g_build_filename(dir, name, NULL), *suffix = g_strconcat(".", name, NULL),
	     *data, *stored = NULL;
	gsize len;

	if (g_file_get_contents(path, &data, &len, NULL)) {
		stored = cache_store(key, suffix, data, len);
		g_free(data);
	}
	g_free(suffix);
	g_free(path);
	g_free(stored);
	return stored ? 0 : -1;
}

/* Stores kbuild's results in dir in the cache. NULL, or why that failed. */
static const char *keep(const char *key, const char *dir, const char *runtime)
{
	struct recipe *r = recipe_capture(dir, PLACEHOLDER, runtime);
	char *module = g_build_filename(dir, PLACEHOLDER ".ko", NULL), *data = NULL, *text, *stored;
	const char *why = NULL;
	gsize len;

	if (!r)
		why = "its build does something unknown";
	else if (!g_file_get_contents(module, &data, &len, NULL) ||
		 imports_of(data, len, note_import, r->imports))
		why = "its module is not a 64-bit object";
	for (guint i = 0; !why && i < r->objects->len; i++)
		if (store_file(key, dir, g_ptr_array_index(r->objects, i)))
			why = "the cache cannot be written";
	if (!why) {		/* the recipe is last: it means that the kit is complete */
		text = recipe_print(r);
		stored = cache_store(key, ".recipe", text, strlen(text));
		why = stored ? NULL : "the cache cannot be written";
		g_free(stored);
		g_free(text);
	}
	g_free(data);
	g_free(module);
	recipe_free(r);
	return why;
}

static const char *make_kit(const struct program *prog, const char *key, const char *headers)
{
	char *dir = g_build_filename(g_get_tmp_dir(), "lapwing-XXXXXX", NULL), *script = NULL;
	char *empty = paths_data("runtime/kernel/empty_script.c");
	char *header = paths_data("runtime/rt.h"),
	     *runtime = header ? g_path_get_dirname(header) : NULL, *text = NULL;
	const char *why = "there is no place for temporary files";

	if (empty && runtime && g_mkdtemp_full(dir, 0700)) {
		script = g_build_filename(dir, "script.c", NULL);
		if (g_file_get_contents(empty, &text, NULL, NULL) &&
		    g_file_set_contents(script, text, -1, NULL) &&
		    !kbuild_make(prog, headers, dir, PLACEHOLDER, NULL, 0))
			why = keep(key, dir, runtime);
		else
			why = "an empty script does not build";
		build_remove_folder(dir);
	}
	g_free(text);
	g_free(script);
	g_free(runtime);
	g_free(header);
	g_free(empty);
	g_free(dir);
	return why;
}

/* ---- finding the kit --------------------------------------------------------------*/

static struct kit *find_kit(const char *release, const char *key, const char *headers)
{
	char *path = cache_find_of_kernel(release, key, ".recipe"), *text = NULL;
	struct kit *kit = g_new0(struct kit, 1);
	int missing = 1;

	kit->headers = g_strdup(headers);
	kit->objects = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
	if (path && g_file_get_contents(path, &text, NULL, NULL))
		kit->recipe = recipe_parse(text);
	if (kit->recipe)
		missing = 0;
	for (guint i = 0; kit->recipe && i < kit->recipe->objects->len; i++) {
		char *name = g_ptr_array_index(kit->recipe->objects, i),
		     *suffix = g_strconcat(".", name, NULL);
		char *object = cache_find_of_kernel(release, key, suffix);

		if (object)
			g_hash_table_insert(kit->objects, name, object);
		else
			missing = 1;
		g_free(suffix);
	}
	g_free(text);
	g_free(path);
	if (missing)
		g_clear_pointer(&kit, kit_free);
	return kit;
}

static struct kit *open_kit(const struct program *prog, const char *headers)
{
	char *key = cache_key_of_kernel(prog, headers);
	const char *release = prog->kernel_release, *why = NULL;
	struct kit *kit = prog->opt->cache == CACHE_POISON ? NULL : find_kit(release, key, headers);
	int lock;

	if (!kit) {		/* one process builds it, others wait */
		lock = cache_lock();
		kit = prog->opt->cache == CACHE_POISON ? NULL : find_kit(release, key, headers);
		if (!kit) {
			if (prog->opt->verbose[4])
				fprintf(stderr,
					"lapwing: first script for kernel %s: building the runtime for it once\n",
					release);
			why = make_kit(prog, key, headers);
			kit = why ? NULL : find_kit(release, key, headers);
		}
		if (lock >= 0)
			close(lock);
	}
	if (!kit && prog->opt->verbose[4])
		fprintf(stderr,
			"lapwing: the runtime for kernel %s cannot be kept (%s): kbuild builds every script\n",
			release, why ? why : "the cache does not hold it");
	g_free(key);
	return kit;
}

/* ---- using the kit ----------------------------------------------------------------*/

static char *real_word(const struct kit *kit, const char *dir, const char *name, const char *word)
{
	const char *at = g_str_has_prefix(word, "-D") ? strstr(word, PLACEHOLDER) : NULL;

	if (at)
		return g_strdup_printf("%.*s%s%s", (int)(at - word), word, name,
				       at + strlen(PLACEHOLDER));
	if (g_str_has_prefix(word, "@DIR@/"))
		return g_strdup_printf("%s/%s", dir, word + 6);
	if (g_str_has_prefix(word, "@KIT@/"))
		return g_strdup(g_hash_table_lookup(kit->objects, word + 6));
	return g_strdup(word);
}

static int run_step(const struct program *prog, const struct kit *kit, const char *dir,
		    const char *name, char **step)
{
	/* objtool may be a script that reads SRCARCH */
	const char *const env[] = { !strcmp(prog->arch, "arm64") ? "SRCARCH=arm64" : "SRCARCH=x86",
				    NULL };
	char **argv = g_new0(char *, g_strv_length(step) + 1);
	struct run_result result = { 0 };
	GError *error = NULL;
	int rc = -1;

	for (unsigned i = 0; step[i]; i++)
		argv[i] = real_word(kit, dir, name,
				    strcmp(step[i], "-O2") ? step[i] : build_optimization(prog));
	if (run_program((const char *const *)argv, env, kit->headers, 1, &result, &error)) {
		if (prog->opt->verbose[4])
			fprintf(stderr, "lapwing: %s: %s\n", argv[0], error->message);
	} else if (result.status) {
		if (prog->opt->verbose[4])
			fprintf(stderr, "lapwing: %s fails:\n%s", argv[0], result.err);
	} else {
		rc = 0;
	}
	if (!rc && prog->opt->verbose[4] > 1)
		fputs(result.err, stderr);
	g_clear_error(&error);
	run_result_clear(&result);
	g_strfreev(argv);
	return rc;
}

/* dir/NAME.ko as a string of bytes; NULL: it cannot be read. Caller frees. */
static GString *read_module(const char *dir, const char *name)
{
	char *path = g_strdup_printf("%s/%s.ko", dir, name), *data;
	GString *module = NULL;
	gsize len;

	if (g_file_get_contents(path, &data, &len, NULL)) {
		module = g_string_new_len(data, (gssize)len);
		g_free(data);
	}
	g_free(path);
	return module;
}

/*
 * Writes the module to dir/NAME.ko with its own name, padded with NULs, in place of each placeholder
 * at the end of a string. 0; -1: there was none, or it cannot be written.
 */
static int name_module(GString *module, const char *dir, const char *name)
{
	const size_t room = sizeof(PLACEHOLDER);
	char *path = g_strdup_printf("%s/%s.ko", dir, name), *at = module->str,
	     *end = module->str + module->len;
	char fresh[sizeof(PLACEHOLDER)] = "";
	int places = 0, rc;

	g_strlcpy(fresh, name, sizeof(fresh));
	for (; (at = memmem(at, (size_t)(end - at), PLACEHOLDER, room)); at += room, places++)
		memcpy(at, fresh, room);
	rc = places && g_file_set_contents(path, module->str, (gssize)module->len, NULL) ? 0 : -1;
	g_free(path);
	return rc;
}

/*
 * kbuild knows the versions of all symbols: it builds the script and takes the kit's runtime, in a
 * sixth of the time that it needs with the runtime.
 */
static int with_modpost(const struct program *prog, const struct kit *kit, const char *dir,
			const char *name)
{
	const char *runtime = g_hash_table_lookup(kit->objects, "runtime.o");
	GString *module = NULL;
	int rc = -1;

	if (prog->opt->verbose[4])
		fputs("lapwing: the script imports a symbol that the runtime does not: kbuild compiles the "
		      "script, and links it with the runtime that is there\n",
		      stderr);
	if (runtime && !kbuild_make(prog, kit->headers, dir, name, runtime, 0))
		module = read_module(dir, name);
	if (module) {
		rc = name_module(module, dir, name);
		g_string_free(module, TRUE);
	}
	return rc;
}

/* Tables of devices and the like, which embedded C may have: modpost reads them. */
static int needs_modpost(const struct program *prog)
{
	return prog->embedded && strstr(prog->c_text, "MODULE_");
}

int kit_module(const struct program *prog, const char *headers, const char *dir, const char *name)
{
	struct kit *kit = strlen(name) < sizeof(PLACEHOLDER) ? open_kit(prog, headers) : NULL;
	int rc = kit && (kit->recipe->embedded || !prog->embedded) ? 0 : -1,
	    whole = !needs_modpost(prog);
	GString *module = NULL;

	for (guint i = 0; !rc && whole && i < kit->recipe->steps->len; i++)
		rc = run_step(prog, kit, dir, name,
			      prog->embedded && !i ? kit->recipe->embedded
						   : g_ptr_array_index(kit->recipe->steps, i));
	if (!rc && whole)
		module = read_module(dir, PLACEHOLDER);
	if (module && !imports_of(module->str, module->len, is_known, kit->recipe->imports))
		rc = name_module(module, dir, name);
	else if (!rc)
		rc = with_modpost(prog, kit, dir, name);
	if (module)
		g_string_free(module, TRUE);
	kit_free(kit);
	return rc;
}
