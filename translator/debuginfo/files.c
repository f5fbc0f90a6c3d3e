/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * files.c - what is read from the files of a kernel and its modules: BTF, DWARF of the same build,
 * and where the files are; also programs.
 *
 * Every file is opened once, by the first query about it. A module's functions are added to the
 * kernel's list (debuginfo.c).
 */
#include "translator/debuginfo/files.h"

#include "translator/debuginfo/btf.h"
#include "translator/debuginfo/debuginfo.h"
#include "translator/debuginfo/debuginfo_private.h"
#include "translator/debuginfo/dwarf.h"
#include "translator/debuginfo/modfile.h"
#include "translator/debuginfo/userfile.h"
#include "translator/debuginfo/userreturns.h"

#include <string.h>

void debuginfo_find_btf(struct debuginfo *info, char *(*find_btf)(void *data))
{
	info->find_btf = find_btf;
}

static char *btf_file(struct debuginfo *info, const char *module)
{
	if (info->btf_path)
		return *module ? NULL : g_strdup(info->btf_path);
	if (info->find_symbols)
		return *module || !info->find_btf ? NULL : info->find_btf(info->data);
	return g_build_filename("/sys/kernel/btf", *module ? module : "vmlinux", NULL);
}

static struct btf *load_btf(struct debuginfo *info, const char *module, const struct btf *base)
{
	char *path = btf_file(info, module), *bytes = NULL;
	struct btf *btf = NULL;
	gsize size = 0;

	if (*module && g_hash_table_lookup(info->files, module))
		bytes = modfile_section(g_hash_table_lookup(info->files, module), ".BTF", &size);
	if (bytes)
		btf = btf_open(bytes, size, base, &info->btf_problem);
	else if (!path)
		info->btf_problem =
			*module ? "no BTF of that kernel's modules" : "no BTF of that kernel";
	else if (!g_file_get_contents(path, &bytes, &size, NULL))
		info->btf_problem = *module ? "the module has no BTF, or is not loaded"
					    : "this kernel has no BTF";
	else
		btf = btf_open(bytes, size, base, &info->btf_problem);
	if (!btf)
		g_free(bytes);
	g_free(path);
	return btf;
}

const struct btf *debuginfo_btf(struct debuginfo *info, const char *module, const char **problem)
{
	const struct btf *base = module ? debuginfo_btf(info, NULL, problem) : NULL;
	struct btf *btf = NULL;

	if (!module)
		module = "";
	if (*module && !base)
		return NULL;
	if (!g_hash_table_lookup_extended(info->btf, module, NULL, (gpointer *)&btf)) {
		btf = load_btf(info, module, base);
		g_hash_table_insert(info->btf, g_strdup(module), btf);
	}
	*problem = info->btf_problem;
	return btf;
}

void debuginfo_find_files(struct debuginfo *info, const char *release, const char *sysroot,
			  char *(*find_modules)(void *data))
{
	info->release = release;
	info->sysroot = sysroot;
	info->find_modules = find_modules;
}

char *debuginfo_module_file(struct debuginfo *info, const char *module)
{
	char *path = modfile_find(module, info->release, info->sysroot);

	if (path || !info->find_symbols || !info->find_modules || strchr(module, '/'))
		return path;
	if (!info->modules)
		info->modules = info->find_modules(info->data);
	if (!info->modules)
		info->modules = g_strdup("");
	return *info->modules ? modfile_find(module, info->release, info->modules) : NULL;
}

static char *dwarf_file(struct debuginfo *info, const char *module)
{
	if (info->dwarf_path)
		return g_strdup(info->dwarf_path);
	if (*module && g_hash_table_lookup(info->files, module))
		return g_strdup(g_hash_table_lookup(info->files, module));
	return *module ? debuginfo_module_file(info, module)
		       : modfile_find_kernel(info->release, info->sysroot);
}

/* "04000000...": notes in hexadecimal digits. */
static char *build_id_of_digits(const char *digits)
{
	GByteArray *bytes = g_byte_array_new();
	char *id;

	for (; g_ascii_isxdigit(digits[0]) && g_ascii_isxdigit(digits[1]); digits += 2) {
		guint8 byte = (guint8)(g_ascii_xdigit_value(digits[0]) << 4 |
				       g_ascii_xdigit_value(digits[1]));

		g_byte_array_append(bytes, &byte, 1);
	}
	id = modfile_build_id(bytes->data, bytes->len);
	g_byte_array_unref(bytes);
	return id;
}

/*
 * The file with the notes of the target kernel, or of a module that it has loaded; NULL: unknown.
 * Caller frees.
 */
static char *notes_file(struct debuginfo *info, const char *module)
{
	if (info->btf_path)
		return *module ? NULL : g_strdup(info->notes_path);
	if (info->find_symbols)
		return *module || !debuginfo_symbols(info)
			       ? NULL
			       : g_build_filename(info->symbols, "notes", NULL);
	return *module ? g_build_filename("/sys/module", module, "notes", ".note.gnu.build-id",
					  NULL)
		       : g_strdup("/sys/kernel/notes");
}

/* NULL: unknown. Caller frees. */
static char *target_build_id(struct debuginfo *info, const char *module)
{
	char *path = notes_file(info, module), *bytes = NULL, *id = NULL;
	gsize size = 0;

	if (path && g_file_get_contents(path, &bytes, &size, NULL))
		id = info->symbols || info->notes_path ? build_id_of_digits(bytes)
						       : modfile_build_id((guint8 *)bytes, size);
	g_free(bytes);
	g_free(path);
	return id;
}

const char *debuginfo_build(struct debuginfo *info)
{
	if (!info->build && (g_hash_table_lookup(info->btf, "") || g_hash_table_size(info->dwarf)))
		info->build = target_build_id(info, "");
	return info->build;
}

/*
 * A file of another build has other addresses and offsets. 0: the build differs, and
 * info->dwarf_problem says so.
 */
static int is_same_build(struct debuginfo *info, const char *module, const char *path)
{
	char *wanted = target_build_id(info, module),
	     *has = wanted ? modfile_build_id_of(path) : NULL, *problem;
	int same = !wanted || !has || !strcmp(wanted, has);

	if (!same) {
		problem =
			g_strdup_printf("%s is of another build (its build id is %s, the %s's %s)",
					path, has, *module ? "module" : "kernel", wanted);
		info->dwarf_problem = g_intern_string(problem);
		g_free(problem);
	}
	g_free(has);
	g_free(wanted);
	return same;
}

static struct dwarf *load_dwarf(struct debuginfo *info, const char *module)
{
	char *path = dwarf_file(info, module);
	const struct btf *base;
	struct dwarf *d = NULL;
	const char *why;

	info->dwarf_problem = *module ? "no file of that module with DWARF is here"
				      : "no vmlinux of that kernel with DWARF is here";
	if (path) {
		debuginfo_load(info);		/* a dump has the kernel's notes, too */
		base = *module ? debuginfo_btf(info, module, &why) : NULL;
		if (!base)
			base = debuginfo_btf(info, NULL, &why);
		if (is_same_build(info, module, path))
			d = dwarf_open(path, base, &info->dwarf_problem);
	}
	g_free(path);
	return d;
}

struct dwarf *debuginfo_dwarf(struct debuginfo *info, const char *module, const char **problem)
{
	struct dwarf *d = NULL;

	if (!module)
		module = "";
	if (!g_hash_table_lookup_extended(info->dwarf, module, NULL, (gpointer *)&d)) {
		d = load_dwarf(info, module);
		g_hash_table_insert(info->dwarf, g_strdup(module), d);
		g_hash_table_insert(info->dwarf_problems, g_strdup(module),
				    (gpointer)info->dwarf_problem);
	}
	*problem = g_hash_table_lookup(info->dwarf_problems, module);
	return d;
}

struct userfile *debuginfo_userfile(struct debuginfo *info, const char *path, const char **problem)
{
	struct userfile *f = g_hash_table_lookup(info->userfiles, path);

	if (f)
		return f;
	f = userfile_open(path, problem);
	if (f)
		g_hash_table_insert(info->userfiles, g_strdup(path), f);
	return f;
}

const struct userreturns_program *debuginfo_userreturns(struct debuginfo *info,
							const struct userpath *program,
							const char *sysroot)
{
	struct userreturns_program *p = g_hash_table_lookup(info->userreturns, program->host);

	if (!p) {
		p = userreturns_program(program, sysroot);
		g_hash_table_insert(info->userreturns, g_strdup(program->host), p);
	}
	return p;
}
