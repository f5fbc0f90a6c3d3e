/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tapset_index.c - names declared by library files, kept in the private cache.
 *
 * The index is text: the SHA-256 of the rest, then per file "F path", "S stamp" and one line per
 * name: "f function", "a alias", "m macro", "g global". A damaged index is rebuilt; a file whose
 * stamp changed is read again. Without a cache, all files are read. There is one index per set of
 * paths; only the most recently used indexes are kept.
 */
#include "translator/tapset/tapset_index.h"

#include "lib/paths.h"
#include "translator/build/cache.h"
#include "translator/program/program.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define INDEXES	16
#define INDEX	"tapsets-"

static const char marks[] = "famg";		/* by enum outline_kind */

static void file_free(void *data)
{
	struct library_file *file = data;

	for (unsigned kind = 0; kind < G_N_ELEMENTS(file->names); kind++)
		g_ptr_array_unref(file->names[kind]);
	g_free(file->path);
	g_free(file->stamp);
	g_free(file);
}

static struct library_file *file_new(const char *path, char *stamp)
{
	struct library_file *file = g_new0(struct library_file, 1);

	file->path = g_strdup(path);
	file->stamp = stamp;
	for (unsigned kind = 0; kind < G_N_ELEMENTS(file->names); kind++)
		file->names[kind] = g_ptr_array_new_with_free_func(g_free);
	return file;
}

/* A file's stamp; NULL: unreadable. Caller frees. */
static char *stamp_of(const char *path)
{
	struct stat st;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return NULL;
	return g_strdup_printf("%llu %lld.%09ld %lld.%09ld %llu", (unsigned long long)st.st_size,
			       (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec,
			       (long long)st.st_ctim.tv_sec, st.st_ctim.tv_nsec,
			       (unsigned long long)st.st_ino);
}

static void add_name(enum outline_kind kind, const char *name, void *data)
{
	struct library_file *file = data;

	g_ptr_array_add(file->names[kind], g_strdup(name));
}

static struct library_file *read_file(const char *path, char *stamp)
{
	struct source *src = source_load(path, NULL);
	struct library_file *file;

	if (!src) {
		g_free(stamp);
		return NULL;
	}
	file = file_new(path, stamp);
	ast_outline(src, add_name, file);
	source_free(src);
	return file;
}

/*
 * One index per set of paths, so that different -I do not replace each other's. Caller frees; NULL:
 * no cache.
 */
static char *index_path(const GPtrArray *paths)
{
	GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA256);
	char *dir = paths_cache(), *name, *path;

	for (unsigned i = 0; i < paths->len; i++)
		g_checksum_update(sum, g_ptr_array_index(paths, i),
				  strlen(g_ptr_array_index(paths, i)) + 1);
	name = g_strdup_printf(INDEX "%.16s", g_checksum_get_string(sum));
	path = dir ? g_build_filename(dir, name, NULL) : NULL;
	g_checksum_free(sum);
	g_free(dir);
	g_free(name);
	return path;
}

/* path -> struct library_file, from an intact index; otherwise empty. */
static GHashTable *read_index(const char *path)
{
	GHashTable *known = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, file_free);
	struct library_file *file = NULL;
	char *text = NULL, *body, *sum;

	if (!path || !g_file_get_contents(path, &text, NULL, NULL))
		return known;
	body = strchr(text, '\n');
	sum = body ? g_compute_checksum_for_string(G_CHECKSUM_SHA256, body + 1, -1) : NULL;
	if (sum && g_str_has_prefix(text, sum) && body == text + strlen(sum)) {
		char **lines = g_strsplit(body + 1, "\n", -1);

		for (char **line = lines; *line; line++) {
			const char *kind = **line ? strchr(marks, **line) : NULL;

			if (**line == 'F') {
				file = file_new(*line + 2, NULL);
				g_hash_table_insert(known, file->path, file);
			} else if (file && **line == 'S') {
				file->stamp = g_strdup(*line + 2);
			} else if (file && kind) {
				add_name(kind - marks, *line + 2, file);
			}
		}
		g_strfreev(lines);
	}
	g_free(sum);
	g_free(text);
	return known;
}

static void write_index(const char *path, const GPtrArray *files)
{
	GString *body = g_string_new(NULL);
	char *sum, *folder = g_path_get_dirname(path);

	for (unsigned i = 0; i < files->len; i++) {
		const struct library_file *file = g_ptr_array_index(files, i);

		g_string_append_printf(body, "F %s\nS %s\n", file->path, file->stamp);
		for (unsigned kind = 0; kind < G_N_ELEMENTS(file->names); kind++)
			for (unsigned k = 0; k < file->names[kind]->len; k++)
				g_string_append_printf(body, "%c %s\n", marks[kind],
						       (char *)file->names[kind]->pdata[k]);
	}
	sum = g_compute_checksum_for_string(G_CHECKSUM_SHA256, body->str, -1);
	g_string_prepend_c(body, '\n');
	g_string_prepend(body, sum);
	/* if this fails, the next run just reads the files again */
	g_file_set_contents_full(path, body->str, body->len, G_FILE_SET_CONTENTS_CONSISTENT, 0600,
				 NULL);
	cache_keep_newest(folder, INDEX, INDEXES);
	g_free(folder);
	g_free(sum);
	g_string_free(body, TRUE);
}

GPtrArray *tapset_index(const GPtrArray *paths, enum cache_use use)
{
	GPtrArray *files = g_ptr_array_new_with_free_func(file_free);
	char *index = use == CACHE_DISABLE ? NULL : index_path(paths);
	GHashTable *known = read_index(use == CACHE_USE ? index : NULL);
	int changed = 0;

	for (unsigned i = 0; i < paths->len; i++) {
		const char *path = g_ptr_array_index(paths, i);
		struct library_file *file = g_hash_table_lookup(known, path);
		char *stamp = stamp_of(path);

		if (!stamp)
			continue;
		if (file && !g_strcmp0(file->stamp, stamp)) {
			g_hash_table_steal(known, path);
			g_free(stamp);
		} else {
			file = read_file(path, stamp);
			changed = 1;
		}
		if (file)
			g_ptr_array_add(files, file);
	}
	if (changed && index)
		write_index(index, files);
	else if (index)
		utimensat(AT_FDCWD, index, NULL, 0);	/* mark as used now */
	g_hash_table_unref(known);
	g_free(index);
	return files;
}
