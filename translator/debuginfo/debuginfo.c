/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debuginfo.c - a kernel's functions and tracepoints, from its own lists:
 * /proc/kallsyms and available_filter_functions, of the running kernel or of a
 * dump of another one, or a text file that stands in for both (tests).
 *
 * A tracepoint NAME has a function __traceiter_NAME on every kernel since 5.10:
 * tracepoints are found by it where tracefs is not available.
 */
#include "translator/debuginfo/debuginfo.h"

#include "lib/ksyms.h"
#include "lib/tracefs_mount.h"
#include "translator/debuginfo/btf.h"
#include "translator/debuginfo/debuginfo_private.h"
#include "translator/debuginfo/dwarf.h"
#include "translator/debuginfo/files.h"
#include "translator/debuginfo/modfile.h"
#include "translator/debuginfo/tracefs.h"
#include "translator/debuginfo/userfile.h"
#include "translator/debuginfo/userreturns.h"

#include <fnmatch.h>
#include <string.h>
#include <sys/stat.h>

struct debuginfo *debuginfo_open(char *(*find_symbols)(void *data), void *data)
{
	struct debuginfo *info = g_new0(struct debuginfo, 1);

	info->find_symbols = find_symbols;
	info->data = data;
	info->btf =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)btf_close);
	info->dwarf_problems = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	info->dwarf =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)dwarf_close);
	info->files = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	info->userfiles = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
						(GDestroyNotify)userfile_close);
	info->userreturns = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
						  (GDestroyNotify)userreturns_free);
	return info;
}

static int by_name(const void *a, const void *b)
{
	const struct debuginfo_function *f = a, *g = b;
	int order = strcmp(f->name, g->name);

	return order ? order : g_strcmp0(f->module, g->module);
}

static int tracepoint_by_name(const void *a, const void *b)
{
	return strcmp(((const struct debuginfo_tracepoint *)a)->name,
		      ((const struct debuginfo_tracepoint *)b)->name);
}

/* Adds a function and, for a __traceiter_ function, its tracepoint. */
static void take_function(struct debuginfo *info, const struct debuginfo_function *f)
{
	g_array_append_val(info->functions, *f);
	if (g_str_has_prefix(f->name, "__traceiter_")) {
		struct debuginfo_tracepoint t = { .name = f->name + strlen("__traceiter_"),
						  .module = f->module };

		g_array_append_val(info->tracepoints, t);
	}
}

static void take_symbol(struct debuginfo *info, const struct ksym *s)
{
	static const int traceable[] = {
		[KSYM_UNKNOWN] = -1, [KSYM_UNTRACEABLE] = 0, [KSYM_TRACEABLE] = 1
	};
	const struct debuginfo_function f = {
		.name = info->table->text + s->name,
		.module = s->module ? info->table->text + s->module : NULL,
		.traceable = traceable[s->traceable],
		.global = !s->is_static,
		.address = s->address,
	};

	take_function(info, &f);
}

/* A dump's table is cached next to it. */
static struct ksyms *open_dump(const char *folder)
{
	char *kallsyms = g_build_filename(folder, "kallsyms", NULL),
	     *list = g_build_filename(folder, "available_filter_functions", NULL);
	char *kept = g_build_filename(folder, "table", NULL);
	struct stat st = { 0 };
	struct ksyms_source source = { .kallsyms = kallsyms,
				       .traceable =
					       g_file_test(list, G_FILE_TEST_EXISTS) ? list : NULL,
				       .kept = kept };
	struct ksyms *k;

	if (!stat(kallsyms, &st))
		source.key = (guint64)st.st_mtim.tv_sec * 1000000007 ^ (guint64)st.st_mtim.tv_nsec ^
			     (guint64)st.st_size << 32;
	k = ksyms_open(&source);
	g_free(kept);
	g_free(list);
	g_free(kallsyms);
	return k;
}

static void load_kernel(struct debuginfo *info)
{
	info->table = info->symbols ? open_dump(info->symbols) : ksyms_open_running(1);
	if (!info->table) {
		info->problem = g_strdup(info->symbols ? "the dump has no kallsyms"
						       : "/proc/kallsyms cannot be read");
		return;
	}
	for (guint32 i = 0; i < info->table->n; i++)
		take_symbol(info, &info->table->sym[i]);
}

static void sort(struct debuginfo *info)
{
	g_array_sort(info->functions, by_name);
	g_array_sort(info->tracepoints, tracepoint_by_name);
}

const char *debuginfo_symbols(struct debuginfo *info)
{
	if (info->find_symbols && !info->looked_for_symbols)
		info->symbols = info->find_symbols(info->data);
	info->looked_for_symbols = 1;
	return info->symbols;
}

void debuginfo_load(struct debuginfo *info)
{
	if (info->loaded)
		return;
	info->loaded = 1;
	if (!info->functions) {
		info->functions = g_array_new(FALSE, FALSE, sizeof(struct debuginfo_function));
		info->tracepoints = g_array_new(FALSE, FALSE, sizeof(struct debuginfo_tracepoint));
		if (!debuginfo_symbols(info) && info->find_symbols)
			info->problem = g_strdup(
				"no symbol list of that kernel: lapwing-vm fetches Debian's");
		else
			load_kernel(info);
	}
	sort(info);
	if (!info->problem && !info->functions->len)
		info->problem = g_strdup("kallsyms lists no functions");
}

static void take_fake_line(struct debuginfo *info, char *line)
{
	char **word = g_strsplit_set(line, " \t", 6);
	guint n = g_strv_length(word);

	if (n > 1 && !strcmp(word[0], "function")) {
		struct debuginfo_function f = { .name = g_intern_string(word[1]),
						.traceable = 1,
						.global = 1 };

		for (guint i = 2; i < n; i++) {
			if (!strcmp(word[i], "notrace"))
				f.traceable = 0;
			else if (!strcmp(word[i], "static"))
				f.global = 0;
			else if (g_str_has_prefix(word[i], "at="))
				f.address = g_ascii_strtoull(word[i] + 3, NULL, 16);
			else
				f.module = g_intern_string(word[i]);
		}
		g_array_append_val(info->functions, f);
	} else if (n > 1 && (!strcmp(word[0], "btf") || !strcmp(word[0], "dwarf") ||
			     !strcmp(word[0], "notes"))) {
		/* files next to the fake */
		char *folder = g_path_get_dirname(info->btf_path);
		char **path = *word[0] == 'b' ? &info->btf_path
			      : *word[0] == 'd' ? &info->dwarf_path
			      : &info->notes_path;

		g_free(*path);
		*path = g_build_filename(folder, word[1], NULL);
		g_free(folder);
	} else if (n > 2 && !strcmp(word[0], "tracepoint")) {
		struct debuginfo_tracepoint t = { g_intern_string(word[1]),
						  g_intern_string(word[2]),
						  n > 3 ? g_intern_string(word[3]) : NULL };

		g_array_append_val(info->tracepoints, t);
	} else if (n > 1 && !strcmp(word[0], "lists")) {
		char *before = info->listed;

		info->listed = g_strconcat(before ? before : "", " ", word[1], "\n", NULL);
		g_free(before);
	}
	g_strfreev(word);
}

struct debuginfo *debuginfo_open_fake(const char *path, GError **error)
{
	struct debuginfo *info;
	char *text, *save, *line;

	if (!g_file_get_contents(path, &text, NULL, error))
		return NULL;
	info = debuginfo_open(NULL, NULL);
	info->btf_path = g_strdup(path);
	info->functions = g_array_new(FALSE, FALSE, sizeof(struct debuginfo_function));
	info->tracepoints = g_array_new(FALSE, FALSE, sizeof(struct debuginfo_tracepoint));
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		take_fake_line(info, line);
	g_free(text);
	return info;
}

void debuginfo_close(struct debuginfo *info)
{
	if (!info)
		return;
	if (info->functions)
		g_array_unref(info->functions);
	if (info->tracepoints)
		g_array_unref(info->tracepoints);
	if (info->systems)
		g_hash_table_unref(info->systems);
	if (info->names)
		g_ptr_array_free(info->names, TRUE);
	ksyms_close(info->table);
	g_hash_table_unref(info->dwarf_problems);
	g_hash_table_unref(info->dwarf);		/* before the BTF, which it refers to */
	g_hash_table_unref(info->btf);
	g_hash_table_unref(info->files);
	g_hash_table_unref(info->userfiles);
	g_hash_table_unref(info->userreturns);
	g_free(info->btf_path);
	g_free(info->dwarf_path);
	g_free(info->notes_path);
	g_free(info->build);
	g_free(info->symbols);
	g_free(info->problem);
	g_free(info->listed);
	g_free(info->modules);
	g_free(info);
}

static int is_loaded(const struct debuginfo *info, const char *module)
{
	for (guint i = 0; i < info->functions->len; i++)
		if (!g_strcmp0(g_array_index(info->functions, struct debuginfo_function, i).module,
			       module))
			return 1;
	return 0;
}

static void take_module(struct debuginfo *info, const char *name, const char *path)
{
	GPtrArray *functions = modfile_functions(path);

	for (guint i = 0; functions && i < functions->len; i++) {
		const char *text = functions->pdata[i];
		const struct debuginfo_function f = { .name = g_intern_string(text + 1),
						      .module = name,
						      .traceable = -1,
						      .global = *text == 'T' };

		take_function(info, &f);
	}
	if (functions)
		g_ptr_array_unref(functions);
	sort(info);
}

const char *debuginfo_module(struct debuginfo *info, const char *module)
{
	char *spelt = modfile_name(module), *path;
	const char *name = g_intern_string(spelt);
	int loaded;

	debuginfo_load(info);
	g_free(spelt);
	loaded = is_loaded(info, name);
	if ((loaded && !strchr(module, '/')) || g_hash_table_contains(info->files, name))
		return name;
	path = debuginfo_module_file(info, module);
	if (!path)
		return loaded ? name : NULL;
	if (!loaded)
		take_module(info, name, path);
	g_hash_table_insert(info->files, g_strdup(name), path);
	return name;
}

GPtrArray *debuginfo_modules(struct debuginfo *info, const char *pattern)
{
	GPtrArray *names = g_ptr_array_new();

	if (!pattern || !strpbrk(pattern, "*?[")) {
		g_ptr_array_add(names, (void *)pattern);
		return names;
	}
	debuginfo_load(info);
	for (guint i = 0; i < info->functions->len; i++) {
		const char *module =
			g_array_index(info->functions, struct debuginfo_function, i).module;

		if (module && !fnmatch(pattern, module, 0) &&
		    !g_ptr_array_find_with_equal_func(names, module, g_str_equal, NULL))
			g_ptr_array_add(names, (void *)module);
	}
	return names;
}

/* Symbols of the padding in front of functions, which are not functions. */
static int is_padding(const char *name)
{
	return g_str_has_prefix(name, "__pfx_") || g_str_has_prefix(name, "__cfi_");
}

gsize debuginfo_original(const char *name)
{
	static const char *const marks[] = { ".isra", ".constprop", ".part", ".llvm", ".lto_priv" };
	gsize n = strcspn(name, ".");
	const char *at = name + n;

	while (*at) {
		unsigned i = 0;

		while (i < G_N_ELEMENTS(marks) && !g_str_has_prefix(at, marks[i]))
			i++;
		if (i == G_N_ELEMENTS(marks))
			return strlen(name);
		at += strlen(marks[i]);
		if (*at != '.' || !at[1])
			return strlen(name);
		at += 1 + strspn(at + 1, "0123456789");
	}
	return n;
}

int debuginfo_is_copy(const char *name)
{
	return name[debuginfo_original(name)] != 0;
}

int debuginfo_is_rest(const char *name)
{
	return debuginfo_is_copy(name) && strstr(name, ".part.") != NULL;
}

static int is_same_module(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* The first of the functions, which are sorted by name, whose name is not below this one. */
static guint first_from(const struct debuginfo *info, const char *name)
{
	guint low = 0, high = info->functions->len;

	while (low < high) {
		guint middle = low + (high - low) / 2;

		if (strcmp(g_array_index(info->functions, struct debuginfo_function, middle).name,
			   name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* True if a function of the same original name and module is complete (not a .part). */
static int has_whole(const struct debuginfo *info, guint i)
{
	const struct debuginfo_function *all = (const struct debuginfo_function *)(void *)
						       info->functions->data,
					*f = &all[i];
	gsize n = debuginfo_original(f->name);
	guint first = i, k;

	while (first && !strncmp(all[first - 1].name, f->name, n))
		first--;
	for (k = first; k < info->functions->len && !strncmp(all[k].name, f->name, n); k++)
		if (debuginfo_original(all[k].name) == n && !debuginfo_is_rest(all[k].name) &&
		    is_same_module(all[k].module, f->module))
			return 1;
	return 0;
}

/*
 * True if function i matches a pattern. A copy matches by the original's name; the rest of a
 * partially inlined function (.part) matches only if there is no complete one.
 */
static int is_asked(const struct debuginfo *info, guint i, const char *pattern, int wild)
{
	const char *name = g_array_index(info->functions, struct debuginfo_function, i).name;
	gsize n;
	char *own;
	int is;

	if (!wild && !strcmp(pattern, name))
		return 1;
	if (is_padding(name))
		return 0;
	n = debuginfo_original(name);
	if (!name[n])
		return wild && !strchr(name, '.') && !fnmatch(pattern, name, 0);
	own = g_strndup(name, n);
	is = wild ? !fnmatch(pattern, own, 0) : !strcmp(pattern, own);
	g_free(own);
	return is && (!debuginfo_is_rest(name) || !has_whole(info, i));
}

const char *debuginfo_rest(struct debuginfo *info, const char *name, const char *module)
{
	gsize n = strlen(name);

	debuginfo_load(info);
	for (guint i = first_from(info, name); i < info->functions->len; i++) {
		const struct debuginfo_function *f =
			&g_array_index(info->functions, struct debuginfo_function, i);

		if (strncmp(f->name, name, n))
			break;
		if (debuginfo_is_rest(f->name) && debuginfo_original(f->name) == n &&
		    is_same_module(f->module, module) && has_whole(info, i))
			return f->name;
	}
	return NULL;
}

/* True if f is the better of two names of one function: the one with BTF, else the first. */
static int is_better(struct debuginfo *info, const struct debuginfo_function *f,
		     const struct debuginfo_function *than)
{
	const char *problem;
	const struct btf *btf = debuginfo_btf(info, f->module, &problem);

	return btf && btf_find(btf, f->name, BTF_FUNC) && !btf_find(btf, than->name, BTF_FUNC);
}

/* Keeps one name per address. */
static void drop_aliases(struct debuginfo *info, GArray *found)
{
	GHashTable *at = g_hash_table_new(g_int64_hash, g_int64_equal);
	struct debuginfo_function *f = (struct debuginfo_function *)(void *)found->data, *other;
	guint kept = 0;

	for (guint i = 0; i < found->len; i++) {
		if (f[i].address && (other = g_hash_table_lookup(at, &f[i].address))) {
			if (is_better(info, &f[i], other))
				other->name = f[i].name;
			continue;
		}
		f[kept] = f[i];
		g_hash_table_insert(at, &f[kept].address, &f[kept]);
		kept++;
	}
	g_array_set_size(found, kept);
	g_hash_table_unref(at);
	g_array_sort(found, by_name);
}

GArray *debuginfo_functions(struct debuginfo *info, const char *pattern, const char *module)
{
	GArray *found = g_array_new(FALSE, FALSE, sizeof(struct debuginfo_function));
	int wild = strpbrk(pattern, "*?[") != NULL;

	debuginfo_load(info);
	for (guint i = wild ? 0 : first_from(info, pattern); i < info->functions->len; i++) {
		const struct debuginfo_function *f =
			&g_array_index(info->functions, struct debuginfo_function, i);
		const struct debuginfo_function *last;

		if (!wild && strncmp(f->name, pattern, strlen(pattern)))
			break;
		if (!is_asked(info, i, pattern, wild))
			continue;
		if (module ? !f->module || fnmatch(module, f->module, 0) : wild && f->module)
			continue;
		last = found->len ? &g_array_index(found, struct debuginfo_function, found->len - 1)
				  : NULL;
		if (!last || by_name(last, f))
			g_array_append_val(found, *f);
	}
	if (wild)
		drop_aliases(info, found);
	return found;
}

unsigned debuginfo_alike(struct debuginfo *info, const char *name, const char *module)
{
	guint n = 0;

	debuginfo_load(info);
	for (guint i = first_from(info, name); i < info->functions->len; i++) {
		const struct debuginfo_function *f =
			&g_array_index(info->functions, struct debuginfo_function, i);

		if (strcmp(f->name, name))
			break;
		n += !module || !g_strcmp0(f->module, module);
	}
	return n;
}

unsigned debuginfo_lists(struct debuginfo *info, const char *name)
{
	char *word = g_strdup_printf(" %s\n", name);
	unsigned listed = 0;

	debuginfo_load(info);
	if (!info->listed && !info->btf_path) {
		char *path = info->symbols ? g_build_filename(info->symbols, "kallsyms", NULL)
					   : g_strdup("/proc/kallsyms");
		g_file_get_contents(path, &info->listed, NULL, NULL);
		g_free(path);
	}
	for (const char *at = info->listed; at && (at = strstr(at, word)); at++)
		listed++;
	g_free(word);
	return info->listed ? listed : 1;
}

int debuginfo_function_at(struct debuginfo *info, guint64 address, struct debuginfo_function *found)
{
	debuginfo_load(info);
	found->address = 0;
	for (guint i = 0; i < info->functions->len; i++) {
		const struct debuginfo_function *f =
			&g_array_index(info->functions, struct debuginfo_function, i);

		if (f->address && f->address <= address && f->address > found->address)
			*found = *f;
	}
	/* Functions are rarely larger; an address farther away is not code. */
	return found->address && address - found->address < 1 << 20;
}

/* A tracepoint's system, from tracefs's list of events ("system:name"). Interned, or NULL. */
static const char *find_system(struct debuginfo *info, const char *name)
{
	char *path, *text = NULL, *save, *colon;

	if (!info->systems) {
		info->systems = g_hash_table_new(g_str_hash, g_str_equal);
		path = g_build_filename(info->find_symbols ? info->symbols ? info->symbols : ""
							   : "/sys/kernel/tracing",
					"available_events", NULL);
		if (g_file_get_contents(path, &text, NULL, NULL))
			for (char *line = strtok_r(text, "\n", &save); line;
			     line = strtok_r(NULL, "\n", &save))
				if ((colon = strchr(line, ':'))) {
					*colon = 0;
					g_hash_table_insert(info->systems,
							    (char *)g_intern_string(colon + 1),
							    (char *)g_intern_string(line));
				}
		g_free(text);
		g_free(path);
	}
	return g_hash_table_lookup(info->systems, name);
}

/*
 * Length of the function's name in the name of a part that the compiler may have moved elsewhere:
 * that of work in work.cold and work.cold.1.
 */
static gsize stem(const char *name)
{
	const char *cold = strstr(name, ".cold"), *rest = cold ? cold + strlen(".cold") : "-";

	if (*rest == '.' && rest[1])
		rest += 1 + strspn(rest + 1, "0123456789");
	return *rest ? strlen(name) : (gsize)(cold - name);
}

int debuginfo_is_part(const char *name)
{
	return name[stem(name)] != 0;
}

int debuginfo_is_same(const char *name, const char *other)
{
	return stem(name) == stem(other) && !strncmp(name, other, stem(name));
}

GArray *debuginfo_tracepoints(struct debuginfo *info, const char *pattern, const char *module)
{
	GArray *found = g_array_new(FALSE, FALSE, sizeof(struct debuginfo_tracepoint));

	debuginfo_load(info);
	for (guint i = 0; i < info->tracepoints->len; i++) {
		struct debuginfo_tracepoint t =
			g_array_index(info->tracepoints, struct debuginfo_tracepoint, i);

		if (fnmatch(pattern, t.name, 0) ||
		    (module && (!t.module || fnmatch(module, t.module, 0))))
			continue;
		if (!t.system)
			t.system = find_system(info, t.name);
		g_array_append_val(found, t);
	}
	return found;
}

GArray *debuginfo_events(struct debuginfo *info, const char *system, const char *name)
{
	return info->btf_path ? NULL : tracefs_events(system, name);
}

const char *debuginfo_events_problem(struct debuginfo *info)
{
	return info->find_symbols || info->btf_path ? NULL : tracefs_problem();
}

int debuginfo_has_kprobe_events(struct debuginfo *info)
{
	return !info->btf_path && (info->find_symbols || tracefs_has_kprobes());
}

const char *debuginfo_problem(struct debuginfo *info)
{
	debuginfo_load(info);
	return info->problem;
}

GPtrArray *debuginfo_function_names(struct debuginfo *info)
{
	debuginfo_load(info);
	if (!info->names) {
		info->names = g_ptr_array_new();
		for (guint i = 0; i < info->functions->len; i++)
			g_ptr_array_add(
				info->names,
				(void *)g_array_index(info->functions, struct debuginfo_function, i)
					.name);
	}
	return info->names;
}

GPtrArray *debuginfo_traceable_names(struct debuginfo *info)
{
	GHashTable *seen = g_hash_table_new(g_int64_hash, g_int64_equal);
	GPtrArray *names = g_ptr_array_new();

	debuginfo_load(info);
	for (guint i = 0; i < info->functions->len; i++) {
		struct debuginfo_function *f =
			&g_array_index(info->functions, struct debuginfo_function, i);

		if (f->traceable == 1 && !f->module && !g_str_has_prefix(f->name, "__pfx_") &&
		    g_hash_table_add(seen, &f->address))
			g_ptr_array_add(names, (void *)f->name);
	}
	g_hash_table_unref(seen);
	return names;
}
