/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cache.c - built modules by what they were made from. The folder is private (0700); a module is used again only when it is a
 * plain file of ours that nobody else can write.
 */
#include "translator/build/build.h"

#include "config.h"
#include "translator/options.h"
#include "translator/paths.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void add_text(GChecksum *sum, const char *text)
{
	g_checksum_update(sum, (const guchar *)(text ? text : ""), text ? strlen(text) + 1 : 1);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The runtime a module is built from: names, sizes and times of its files. */
static void add_folder(GChecksum *sum, const char *name)
{
	char *path = paths_data(name);
	GDir *dir = path ? g_dir_open(path, 0, NULL) : NULL;
	GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);
	const char *entry;

	while (dir && (entry = g_dir_read_name(dir))) {
		char *file = g_build_filename(path, entry, NULL);
		struct stat st;

		if (!stat(file, &st) && S_ISREG(st.st_mode))
			g_ptr_array_add(lines, g_strdup_printf("%s %lld %lld.%ld", entry, (long long)st.st_size,
							       (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec));
		g_free(file);
	}
	g_ptr_array_sort(lines, by_text);
	for (guint i = 0; i < lines->len; i++)
		add_text(sum, g_ptr_array_index(lines, i));
	g_ptr_array_free(lines, TRUE);
	if (dir)
		g_dir_close(dir);
	g_free(path);
}

char *cache_key(const struct program *prog)
{
	GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA256);
	int user = prog->opt->runtime == RUNTIME_USER;
	char *key;

	add_text(sum, PACKAGE_STRING);
	add_text(sum, user ? "user" : prog->kernel_release);
	add_text(sum, prog->arch);
	add_text(sum, prog->opt->module_name);
	add_text(sum, prog->c_text);
	add_folder(sum, "runtime");
	add_folder(sum, "runtime/core");
	add_folder(sum, user ? "runtime/user" : "runtime/kernel");
	key = g_strdup(g_checksum_get_string(sum));
	g_checksum_free(sum);
	return key;
}

static char *cache_path(const char *key, const char *suffix)
{
	char *root = paths_cache(), *dir, *path;

	if (!root)
		return NULL;
	dir = g_build_filename(root, "modules", NULL);
	path = g_mkdir_with_parents(dir, 0700) ? NULL : g_strdup_printf("%s/%s%s", dir, key, suffix);
	g_free(dir);
	g_free(root);
	return path;
}

char *cache_find(const char *key, const char *suffix)
{
	char *path = cache_path(key, suffix);
	struct stat st;

	if (path && !lstat(path, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() && !(st.st_mode & 022) && st.st_size)
		return path;
	g_free(path);
	return NULL;
}

char *cache_store(const char *key, const char *suffix, const char *file)
{
	char *path = cache_path(key, suffix), *part, *data;
	gsize len;

	if (!path)
		return NULL;
	part = g_strdup_printf("%s.%d", path, (int)getpid());
	if (g_file_get_contents(file, &data, &len, NULL)) {
		int ok = g_file_set_contents_full(part, data, len, G_FILE_SET_CONTENTS_NONE, 0600, NULL) && !g_rename(part, path);

		g_free(data);
		if (ok) {
			g_free(part);
			return path;
		}
		g_unlink(part);
	}
	g_free(part);
	g_free(path);
	return NULL;
}
