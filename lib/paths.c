/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * paths.c - finds our own files through /proc/self/exe, so that an uninstalled
 * tree works from anywhere.
 */
#include "lib/paths.h"

#include "config.h"

#include <errno.h>
#include <glib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *own_folder(void)
{
	char *exe = g_file_read_link("/proc/self/exe", NULL),
	     *dir = exe ? g_path_get_dirname(exe) : g_strdup(".");

	g_free(exe);
	return dir;
}

static char *existing(char *path)
{
	if (g_file_test(path, G_FILE_TEST_EXISTS))
		return path;
	g_free(path);
	return NULL;
}

/*
 * Looks beside the program, then in the installed tree that it is part of (it is in bin or in
 * libexec/lapwing), then in the configured folder.
 */
static char *find(const char *folder, const char *configured, const char *name)
{
	char *dir = own_folder(), *found = existing(g_build_filename(dir, name, NULL));

	if (!found)
		found = existing(g_build_filename(dir, "..", folder, name, NULL));
	if (!found)
		found = existing(g_build_filename(dir, "..", "..", folder, name, NULL));
	g_free(dir);
	return found ? found : existing(g_build_filename(configured, name, NULL));
}

char *paths_data(const char *name)
{
	return find("share/" PACKAGE, PKGDATADIR, name);
}

char *paths_program(const char *name)
{
	char *found = find("libexec/" PACKAGE, PKGLIBEXECDIR, name);

	return found ? found : find("bin", BINDIR, name);
}

char *paths_cache(void)
{
	const char *set = g_getenv("LAPWING_CACHE");
	char *dir = set && *set ? g_strdup(set)
				: g_build_filename(g_get_user_cache_dir(), "lapwing", NULL);
	struct stat st;

	if (g_mkdir_with_parents(dir, 0700) || lstat(dir, &st)) {
		g_free(dir);
		return NULL;
	}
	if (!S_ISDIR(st.st_mode) || st.st_uid != geteuid() || (st.st_mode & 022)) {
		g_free(dir);
		errno = EPERM;
		return NULL;
	}
	return dir;
}

/* True if nobody but root can change the folder, or put another in its place. */
static int is_roots(const char *folder)
{
	char *at = g_strdup(folder);
	struct stat st;
	int roots;

	do {
		char *above = g_path_get_dirname(at);

		roots = !lstat(at, &st) && S_ISDIR(st.st_mode) && !st.st_uid && !(st.st_mode & 022);
		g_free(at);
		at = above;
	} while (roots && strcmp(at, "/"));
	g_free(at);
	return roots;
}

char *paths_kernel(const char *release)
{
	char *folder = g_build_filename(KERNELSDIR, release, NULL);

	if (!is_roots(folder))
		g_clear_pointer(&folder, g_free);
	return folder;
}
