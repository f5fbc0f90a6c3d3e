/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cache.c - build results, by a key of their inputs.
 *
 * An entry is a link KEY.SUFFIX to a file that is named after the SHA-256 of its content: both are
 * put in place by rename, so that concurrent runs see complete entries only, and a file that was
 * truncated or changed no longer matches its name and counts as absent. The folder is private
 * (0700); files that are not ours, or that others can write, are not used. What root keeps ready for
 * a kernel (lib/paths.h) is a folder of the same shape, in which nothing is stored from here.
 */
#include "translator/build/cache.h"

#include "config.h"
#include "lib/failure.h"
#include "lib/paths.h"
#include "translator/program/options.h"
#include "translator/program/program.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* above this size, the least recently used entries are removed, down to three quarters */
#define CACHE_BYTES (256ULL << 20)

static void add_text(GChecksum *sum, const char *text)
{
	g_checksum_update(sum, (const guchar *)(text ? text : ""), text ? strlen(text) + 1 : 1);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *describe(const char *path, const char *name)
{
	struct stat st;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return NULL;
	return g_strdup_printf("%s %lld %lld.%ld", name, (long long)st.st_size,
			       (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
}

static void add_file(GChecksum *sum, const char *path, const char *name)
{
	char *text = describe(path, name);

	add_text(sum, text);
	g_free(text);
}

/*
 * Adds a line for each file of a folder; below: also of its subfolders. name: the folder's name in
 * the lines, with a slash, or "".
 */
static void list_files(GPtrArray *lines, const char *path, const char *name, int below)
{
	GDir *dir = g_dir_open(path, 0, NULL);
	const char *entry;

	while (dir && (entry = g_dir_read_name(dir))) {
		char *file = g_build_filename(path, entry, NULL),
		     *of_ours = g_strconcat(name, entry, NULL), *line = describe(file, of_ours);

		if (line) {
			g_ptr_array_add(lines, line);
		} else if (below) {
			char *folder = g_strconcat(of_ours, "/", NULL);

			list_files(lines, file, folder, below);
			g_free(folder);
		}
		g_free(of_ours);
		g_free(file);
	}
	if (dir)
		g_dir_close(dir);
}

/* Adds a folder of the runtime's sources: names, sizes and times of its files. */
static void add_folder(GChecksum *sum, const char *name, int below)
{
	char *path = paths_data(name);
	GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);

	if (path)
		list_files(lines, path, "", below);
	g_ptr_array_sort(lines, by_text);
	for (guint i = 0; i < lines->len; i++)
		add_text(sum, g_ptr_array_index(lines, i));
	g_ptr_array_free(lines, TRUE);
	g_free(path);
}

/* The inputs that all modules of one runtime and target depend on. */
static GChecksum *key_of_target(const struct program *prog)
{
	GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA256);
	int user = prog->opt->runtime == RUNTIME_USER;

	add_text(sum, PACKAGE_STRING);
	add_text(sum, user ? "user" : prog->kernel_release);
	add_text(sum, user || !prog->opt->build_tree ? "" : prog->opt->build_tree);
	add_text(sum, prog->arch);
	add_folder(sum, "runtime", 0);
	add_folder(sum, "runtime/core", 0);
	/*
	 * linked into every script's shared object: the library stands for all its sources
	 */
	if (user) {
		char *library = paths_program("librt_user.a");

		if (library)
			add_file(sum, library, "librt_user.a");
		g_free(library);
	} else {
		char *rows = paths_data("lib/run_error.def");

		add_folder(sum, "runtime/kernel", 1);
		if (rows)
			add_file(sum, rows, "lib/run_error.def");
		g_free(rows);
	}
	return sum;
}

static char *finish_key(GChecksum *sum)
{
	char *key = g_strdup(g_checksum_get_string(sum));

	g_checksum_free(sum);
	return key;
}

char *cache_key(const struct program *prog)
{
	GChecksum *sum = key_of_target(prog);

	add_text(sum, prog->opt->module_name);
	add_text(sum, prog->c_text);
	return finish_key(sum);
}

char *cache_key_of_kernel(const struct program *prog, const char *headers)
{
	static const char *const names[] = { ".config", "include/config/auto.conf",
					     "Module.symvers" };
	GChecksum *sum = key_of_target(prog);

	add_text(sum, headers);
	for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
		char *path = g_build_filename(headers, names[i], NULL);

		add_file(sum, path, names[i]);
		g_free(path);
	}
	return finish_key(sum);
}

/* ---- the folder -----------------------------------------------------------------*/

/* The cache directory, created if missing. NULL: no cache. Caller frees. */
static char *cache_folder(void)
{
	char *root = paths_cache(), *dir = root ? g_build_filename(root, "modules", NULL) : NULL;

	if (dir && g_mkdir_with_parents(dir, 0700))
		g_clear_pointer(&dir, g_free);
	g_free(root);
	return dir;
}

static int is_owned(const char *path, uid_t owner)
{
	struct stat st;

	return !lstat(path, &st) && S_ISREG(st.st_mode) && st.st_uid == owner &&
	       !(st.st_mode & 022) && st.st_size;
}

/* True if the file's SHA-256 matches its name (hex, then a suffix). */
static int is_whole(const char *path, const char *name)
{
	char *data, *sum;
	gsize len;
	int same;

	if (!g_file_get_contents(path, &data, &len, NULL))
		return 0;
	sum = g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)data, len);
	same = g_str_has_prefix(name, sum);
	g_free(sum);
	g_free(data);
	return same;
}

static char *find_in(const char *dir, uid_t owner, const char *key, const char *suffix)
{
	char *link = g_strdup_printf("%s/%s%s", dir, key, suffix);
	char *name = g_file_read_link(link, NULL), *path = NULL;

	if (name && !strchr(name, '/')) {
		path = g_build_filename(dir, name, NULL);
		if (is_owned(path, owner) && is_whole(path, name))
			utimensat(AT_FDCWD, path, NULL, 0);	/* mark as used now */
		else
			g_clear_pointer(&path, g_free);
	}
	g_free(name);
	g_free(link);
	return path;
}

char *cache_find(const char *key, const char *suffix)
{
	char *dir = cache_folder(), *path = dir ? find_in(dir, geteuid(), key, suffix) : NULL;

	g_free(dir);
	return path;
}

char *cache_find_of_kernel(const char *release, const char *key, const char *suffix)
{
	char *path = cache_find(key, suffix), *dir = path ? NULL : paths_kernel(release);

	if (dir)
		path = find_in(dir, 0, key, suffix);
	g_free(dir);
	return path;
}

struct entry {
	char		*path;
	struct timespec	used;
	guint64		bytes;
};

static int by_use(const void *a, const void *b)
{
	const struct entry *e = a, *f = b;

	if (e->used.tv_sec != f->used.tv_sec)
		return e->used.tv_sec < f->used.tv_sec ? -1 : 1;
	return (e->used.tv_nsec > f->used.tv_nsec) - (e->used.tv_nsec < f->used.tv_nsec);
}

/* Files of the directory with that prefix, with size and time; dangling links are removed. */
static GArray *list_entries(const char *folder, const char *prefix, guint64 *total)
{
	GArray *all = g_array_new(FALSE, FALSE, sizeof(struct entry));
	GDir *dir = g_dir_open(folder, 0, NULL);
	const char *name;

	*total = 0;
	while (dir && (name = g_dir_read_name(dir))) {
		struct entry e = { .path = g_build_filename(folder, name, NULL) };
		struct stat st;

		if (!g_str_has_prefix(name, prefix) || lstat(e.path, &st)) {
			g_free(e.path);
			continue;
		}
		if (S_ISLNK(st.st_mode) && !g_file_test(e.path, G_FILE_TEST_EXISTS))
			g_unlink(e.path);
		e.used = st.st_mtim;
		e.bytes = S_ISREG(st.st_mode) ? (guint64)st.st_size : 0;
		*total += e.bytes;
		g_array_append_val(all, e);
	}
	if (dir)
		g_dir_close(dir);
	return all;
}

/*
 * If there are more bytes than `above`, removes the least recently used files until at most `keep`
 * bytes are left. Returns the number of files removed.
 */
static unsigned remove_oldest(const char *folder, guint64 above, guint64 keep)
{
	guint64 total;
	GArray *all = list_entries(folder, "", &total);
	unsigned removed = 0;

	if (total <= above)
		keep = total;
	else
		g_array_sort(all, by_use);
	for (guint i = 0; i < all->len; i++) {
		struct entry *e = &g_array_index(all, struct entry, i);

		if (total > keep && e->bytes && !g_unlink(e->path)) {
			total -= e->bytes;
			removed++;
		}
		g_free(e->path);
	}
	g_array_free(all, TRUE);
	return removed;
}

void cache_keep_newest(const char *folder, const char *prefix, guint count)
{
	guint64 total;
	GArray *all = list_entries(folder, prefix, &total);

	g_array_sort(all, by_use);
	for (guint i = 0; i < all->len; i++) {
		char *path = g_array_index(all, struct entry, i).path;

		if (i + count < all->len)
			g_unlink(path);
		g_free(path);
	}
	g_array_free(all, TRUE);
}

/* made: part exists; it atomically replaces path. 0, or -1 after removing part. */
static int put_in_place(const char *part, const char *path, int made)
{
	if (made && !g_rename(part, path))
		return 0;
	g_unlink(part);
	return -1;
}

char *cache_store(const char *key, const char *suffix, const char *data, gsize len)
{
	char *dir = cache_folder(), *sum, *name, *path, *link, *part;
	int failed;

	if (!dir)
		return NULL;
	remove_oldest(dir, CACHE_BYTES, CACHE_BYTES / 4 * 3);
	sum = g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)data, len);
	name = g_strconcat(sum, suffix, NULL);
	path = g_build_filename(dir, name, NULL);
	link = g_strdup_printf("%s/%s%s", dir, key, suffix);
	part = g_strdup_printf("%s.%d", path, (int)getpid());
	g_unlink(part);			/* left over from a process with our pid: GLib would
					 * overwrite it without truncating */
	failed = put_in_place(part, path,
			      g_file_set_contents_full(part, data, (gssize)len,
						       G_FILE_SET_CONTENTS_NONE, 0600, NULL));
	if (!failed)
		failed = put_in_place(part, link, !symlink(name, part));
	g_free(part);
	g_free(link);
	g_free(name);
	g_free(sum);
	g_free(dir);
	if (failed)
		g_clear_pointer(&path, g_free);
	return path;
}

int cache_lock(void)
{
	char *dir = cache_folder(), *path = dir ? g_build_filename(dir, ".lock", NULL) : NULL;
	int fd = path ? open(path, O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600) : -1;

	if (fd >= 0 && flock(fd, LOCK_EX)) {
		close(fd);
		fd = -1;
	}
	g_free(path);
	g_free(dir);
	return fd;
}

int cache_clean(void)
{
	char *dir = cache_folder();
	unsigned removed;

	if (!dir) {
		failure_print("lapwing", FAILURE_FILE_WRITE, "the cache cannot be cleaned: %s",
			      g_strerror(errno));
		return -1;
	}
	removed = remove_oldest(dir, 0, 0);
	remove_oldest(dir, 0, 0);	/* links to removed files */
	fprintf(stderr, "lapwing: %u file%s removed from %s\n", removed, removed == 1 ? "" : "s",
		dir);
	g_free(dir);
	return 0;
}
