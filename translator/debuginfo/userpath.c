/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * userpath.c - see userpath.h.
 *
 * Libraries are searched like ld.so does: the program's DT_RUNPATH or DT_RPATH, $LD_LIBRARY_PATH,
 * the folders of /etc/ld.so.conf, /lib and /usr/lib. ld.so's cache is not read: the libraries it
 * lists are in those folders.
 */
#include "translator/debuginfo/userpath.h"

#include "lib/foreign.h"
#include "lib/procstat.h"
#include "translator/debuginfo/userfile.h"

#include <fnmatch.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SCRIPTS_DEEP	4	/* nested interpreters that are scripts themselves */
#define LIBRARIES_MAX	1000	/* in a program's closure */

void userpath_free(struct userpath *p)
{
	if (!p)
		return;
	g_free(p->host);
	g_free(p->target);
	g_free(p);
}

static GPtrArray *new_list(void)
{
	return g_ptr_array_new_with_free_func((GDestroyNotify)userpath_free);
}

static char *at_root(const char *sysroot, const char *path)
{
	return sysroot && *path == '/' ? g_build_filename(sysroot, path, NULL) : g_strdup(path);
}

/* The path of an existing file, links resolved; NULL: missing. */
static struct userpath *make(const char *host, const char *sysroot)
{
	char *real = realpath(host, NULL), *root = sysroot ? realpath(sysroot, NULL) : NULL;
	struct userpath *p = NULL;
	struct stat st;

	if (real && !stat(real, &st) && S_ISREG(st.st_mode)) {
		p = g_new0(struct userpath, 1);
		p->host = g_strdup(real);
		p->target =
			g_strdup(root && g_str_has_prefix(real, root) && real[strlen(root)] == '/'
					 ? real + strlen(root)
					 : real);
	}
	free(real);
	free(root);
	return p;
}

static int add(GPtrArray *list, struct userpath *p)
{
	if (!p)
		return 0;
	for (guint i = 0; i < list->len; i++)
		if (!strcmp(((struct userpath *)list->pdata[i])->target, p->target)) {
			userpath_free(p);
			return 1;
		}
	g_ptr_array_add(list, p);
	return 1;
}

/* ---- programs -------------------------------------------------------------------------*/

static GPtrArray *programs(const char *name, const char *sysroot, int depth);

/* A script's interpreter (for "env NAME", that of NAME), or the file itself. */
static void add_program(GPtrArray *list, const char *host, const char *sysroot, int depth)
{
	char line[256] = "", *words[3] = { NULL };
	int fd = foreign_open(host), is_script = fd >= 0 &&
						 pread(fd, line, sizeof(line) - 1, 0) > 2 &&
						 !strncmp(line, "#!", 2);

	if (fd >= 0)
		close(fd);
	line[strcspn(line, "\n")] = 0;
	if (!is_script || depth > SCRIPTS_DEEP) {
		add(list, make(host, sysroot));
		return;
	}
	words[0] = strtok(line + 2, " \t\n");
	words[1] = words[0] ? strtok(NULL, " \t\n") : NULL;
	if (words[1] && !strcmp(words[0] + strlen(words[0]) - MIN(strlen(words[0]), 4), "/env"))
		words[0] = words[1];
	if (words[0]) {
		GPtrArray *found = programs(words[0], sysroot, depth + 1);

		g_ptr_array_extend_and_steal(list, found);
	}
}

static void add_glob(GPtrArray *list, const char *pattern, const char *sysroot, int depth)
{
	glob_t found;

	if (!glob(pattern, GLOB_BRACE, NULL, &found))
		for (size_t i = 0; i < found.gl_pathc; i++)
			if (g_file_test(found.gl_pathv[i], G_FILE_TEST_IS_EXECUTABLE) &&
			    g_file_test(found.gl_pathv[i], G_FILE_TEST_IS_REGULAR))
				add_program(list, found.gl_pathv[i], sysroot, depth);
	globfree(&found);
}

static GPtrArray *programs(const char *name, const char *sysroot, int depth)
{
	const char *path = g_getenv("PATH");
	char **folders = g_strsplit(path ? path : "/usr/bin:/bin", ":", -1), *host;
	int wild = strpbrk(name, "*?[{") != NULL;
	GPtrArray *list = new_list();

	/* If a file of exactly that name exists, the name is not a pattern. */
	if (strchr(name, '/')) {
		host = at_root(sysroot, name);
		/* a shared library need not be executable */
		if (g_file_test(host, G_FILE_TEST_IS_REGULAR))
			add_program(list, host, sysroot, depth);
		else if (wild)
			add_glob(list, host, sysroot, depth);
		g_free(host);
	}
	for (char **f = folders; *f && !strchr(name, '/') && (wild || !list->len); f++) {
		char *folder = at_root(sysroot, **f ? *f : ".");

		host = g_build_filename(folder, name, NULL);
		if (g_file_test(host, G_FILE_TEST_IS_REGULAR) &&
		    g_file_test(host, G_FILE_TEST_IS_EXECUTABLE))
			add_program(list, host, sysroot, depth);
		else if (wild)
			add_glob(list, host, sysroot, depth);
		g_free(host);
		g_free(folder);
	}
	/* As SystemTap does last: an a.out that was built here. */
	if (!list->len && !wild && !sysroot && !depth && g_file_test(name, G_FILE_TEST_IS_REGULAR))
		add_program(list, name, sysroot, depth);
	g_strfreev(folders);
	return list;
}

GPtrArray *userpath_programs(const char *name, const char *sysroot)
{
	return programs(name, sysroot, 0);
}

GPtrArray *userpath_command(const char *command, const char *sysroot)
{
	char **words = NULL;
	GPtrArray *list;

	if (!g_shell_parse_argv(command, NULL, &words, NULL))
		return new_list();
	list = userpath_programs(words[0], sysroot);
	g_strfreev(words);
	return list;
}

/* ---- processes ------------------------------------------------------------------------*/

static int same_file(const char *a, const char *b)
{
	struct stat s, t;

	return !stat(a, &s) && !stat(b, &t) && s.st_dev == t.st_dev && s.st_ino == t.st_ino;
}

/*
 * A file that a process sees as path: that path here, the path below the process's root, or
 * otherwise, another path where it can be read (for a deleted file).
 */
static struct userpath *seen_by(int pid, const char *path, const char *otherwise)
{
	char *rooted = g_strdup_printf("/proc/%d/root%s", procstat_alive(pid), path);
	struct userpath *p = g_new0(struct userpath, 1);

	p->host = g_strdup(same_file(path, otherwise) ? path
			   : same_file(rooted, otherwise) ? rooted
			   : otherwise);
	p->target = g_strdup(p->host);
	g_free(rooted);
	return p;
}

struct userpath *userpath_process(int pid)
{
	char *link = g_strdup_printf("/proc/%d/exe", procstat_alive(pid)),
	     *path = g_file_read_link(link, NULL);
	struct userpath *p = path ? seen_by(pid, path, link) : NULL;

	g_free(path);
	g_free(link);
	return p;
}

/* ---- libraries ------------------------------------------------------------------------*/

/* "libc.so.6", "libc", "libz.so.1" of libz.so.1.2.13, "libc*", or a path. */
static int library_matches(const char *pattern, const char *path)
{
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	char *longer = g_strconcat(pattern, ".*", NULL);
	int matches = !fnmatch(pattern, name, 0) || !fnmatch(longer, name, 0) ||
		      (strchr(pattern, '/') && !fnmatch(pattern, path, 0));

	g_free(longer);
	return matches;
}

static void add_folders(GPtrArray *folders, const char *list, const char *origin)
{
	char **parts = list ? g_strsplit(list, ":", -1) : NULL;

	for (char **p = parts; p && *p; p++) {
		GString *folder = g_string_new(*p);

		g_string_replace(folder, "${ORIGIN}", origin, 0);
		g_string_replace(folder, "$ORIGIN", origin, 0);
		g_ptr_array_add(folders, g_string_free(folder, FALSE));
	}
	g_strfreev(parts);
}

/* Lines of ld.so.conf: directories, and "include PATTERN". */
static void read_conf(GPtrArray *folders, const char *path, const char *sysroot, int depth)
{
	char *text = NULL, **lines, *pattern;
	glob_t found;

	if (depth > SCRIPTS_DEEP || !g_file_get_contents(path, &text, NULL, NULL))
		return;
	lines = g_strsplit(text, "\n", -1);
	for (char **l = lines; *l; l++) {
		g_strstrip(*l);
		if (g_str_has_prefix(*l, "include ")) {
			pattern = at_root(sysroot, g_strstrip(*l + 8));
			if (!glob(pattern, 0, NULL, &found))
				for (size_t i = 0; i < found.gl_pathc; i++)
					read_conf(folders, found.gl_pathv[i], sysroot, depth + 1);
			globfree(&found);
			g_free(pattern);
		} else if (**l == '/') {
			g_ptr_array_add(folders, g_strdup(*l));
		}
	}
	g_strfreev(lines);
	g_free(text);
}

/* The search path of a file's libraries, in order. */
static GPtrArray *library_folders(const struct userpath *of, const struct userfile *file,
				  const char *sysroot)
{
	static const char *const usual[] = { "/lib", "/usr/lib", "/lib64", "/usr/lib64", NULL };
	GPtrArray *folders = g_ptr_array_new_with_free_func(g_free);
	char *origin = g_path_get_dirname(of->target), *conf = at_root(sysroot, "/etc/ld.so.conf");

	add_folders(folders, file ? userfile_library_path(file) : NULL, origin);
	add_folders(folders, g_getenv("LD_LIBRARY_PATH"), origin);
	read_conf(folders, conf, sysroot, 0);
	for (const char *const *u = usual; *u; u++)
		g_ptr_array_add(folders, g_strdup(*u));
	g_free(conf);
	g_free(origin);
	return folders;
}

static struct userpath *find_library(const GPtrArray *folders, const char *name,
				     const char *sysroot)
{
	struct userpath *p = NULL;

	for (guint i = 0; i < folders->len && !p; i++) {
		char *path = strchr(name, '/') ? g_strdup(name)
					       : g_build_filename(folders->pdata[i], name, NULL),
		     *host = at_root(sysroot, path);

		p = make(host, sysroot);
		g_free(host);
		g_free(path);
	}
	return p;
}

GPtrArray *userpath_needed(const struct userpath *program, const char *sysroot)
{
	GPtrArray *all = new_list();
	const struct userpath *of = program;

	for (guint i = 0; of && i < LIBRARIES_MAX; of = i < all->len ? all->pdata[i] : NULL, i++) {
		const char *why;
		struct userfile *file = userfile_open(of->host, &why);
		GPtrArray *needed = file ? userfile_needed(file) : NULL,
			  *folders = file ? library_folders(of, file, sysroot) : NULL;

		for (guint n = 0; needed && n < needed->len; n++)
			add(all, find_library(folders, needed->pdata[n], sysroot));
		if (file) {
			g_ptr_array_unref(needed);
			g_ptr_array_unref(folders);
		}
		userfile_close(file);
	}
	return all;
}

/* A library that a program may dlopen(): any file with a matching name in those folders. */
static void add_anywhere(GPtrArray *list, const struct userpath *program, const char *pattern,
			 const char *sysroot)
{
	GPtrArray *folders = library_folders(program, NULL, sysroot);

	for (guint i = 0; i < folders->len && !list->len; i++) {
		char *folder = at_root(sysroot, folders->pdata[i]);
		GDir *dir = g_dir_open(folder, 0, NULL);
		const char *name;

		while (dir && (name = g_dir_read_name(dir))) {
			char *host = g_build_filename(folder, name, NULL);

			if (strstr(name, ".so") && library_matches(pattern, name))
				add(list, make(host, sysroot));
			g_free(host);
		}
		if (dir)
			g_dir_close(dir);
		g_free(folder);
	}
	g_ptr_array_unref(folders);
}

/* Shared objects by a path, which is a pattern where no file has exactly that name. */
static void add_by_path(GPtrArray *list, const char *host, const char *sysroot)
{
	struct userpath *exact = make(host, sysroot);
	glob_t found = { 0 };

	if (add(list, exact))
		return;
	if (!glob(host, 0, NULL, &found))
		for (size_t i = 0; i < found.gl_pathc; i++) {
			const char *why;
			struct userfile *file = userfile_open(found.gl_pathv[i], &why);

			if (file)	/* libc.so is a text for the linker */
				add(list, make(found.gl_pathv[i], sysroot));
			userfile_close(file);
		}
	globfree(&found);
}

GPtrArray *userpath_libraries(const struct userpath *program, const char *pattern,
			      const char *sysroot)
{
	GPtrArray *all = userpath_needed(program, sysroot), *found = new_list();
	char *host = at_root(sysroot, pattern);

	for (guint i = 0; i < all->len; i++) {
		struct userpath *p = all->pdata[i];

		if (library_matches(pattern, p->target))
			add(found, make(p->host, sysroot));
	}
	if (!found->len && strchr(pattern, '/'))
		add_by_path(found, host, sysroot);
	else if (!found->len)
		add_anywhere(found, program, pattern, sysroot);
	g_free(host);
	g_ptr_array_unref(all);
	return found;
}

/* A file's code mapping in a process. */
struct mapping {
	char		range[64];
	guint64		begin, end, offset;
	const char	*path;
};

/* Calls take() for each code mapping, until it returns 0. */
static void each_mapping(int pid, int (*take)(int pid, const struct mapping *m, void *data),
			 void *data)
{
	char *maps = g_strdup_printf("/proc/%d/maps", procstat_alive(pid)), *text = NULL,
	     **lines = NULL;

	if (g_file_get_contents(maps, &text, NULL, NULL))
		lines = g_strsplit(text, "\n", -1);
	for (char **l = lines; l && *l; l++) {
		struct mapping m = { .path = strchr(*l, '/') };
		unsigned long long begin, end, offset;
		char rights[8];

		if (!m.path || sscanf(*l, "%63s %7s %llx", m.range, rights, &offset) != 3 ||
		    !strchr(rights, 'x') || sscanf(m.range, "%llx-%llx", &begin, &end) != 2)
			continue;
		m.begin = begin;
		m.end = end;
		m.offset = offset;
		if (!take(pid, &m, data))
			break;
	}
	g_strfreev(lines);
	g_free(text);
	g_free(maps);
}

static struct userpath *mapped_file(int pid, const struct mapping *m)
{
	char *mapped = g_strdup_printf("/proc/%d/map_files/%s", procstat_alive(pid), m->range);
	struct userpath *p = seen_by(pid, m->path, mapped);

	g_free(mapped);
	return p;
}

struct wanted {
	const char	*pattern;
	GPtrArray	*found;
};

static int take_library(int pid, const struct mapping *m, void *data)
{
	struct wanted *w = data;

	if (library_matches(w->pattern, m->path))
		add(w->found, mapped_file(pid, m));
	return 1;
}

GPtrArray *userpath_mapped(int pid, const char *pattern)
{
	struct wanted w = { pattern, new_list() };

	each_mapping(pid, take_library, &w);
	return w.found;
}

struct asked {
	guint64		address, offset;
	struct userpath	*found;
};

static int take_address(int pid, const struct mapping *m, void *data)
{
	struct asked *a = data;

	if (a->address < m->begin || a->address >= m->end)
		return 1;
	a->offset = a->address - m->begin + m->offset;
	a->found = mapped_file(pid, m);
	return 0;
}

struct userpath *userpath_at(int pid, guint64 address, guint64 *offset)
{
	struct asked a = { .address = address };

	each_mapping(pid, take_address, &a);
	*offset = a.offset;
	return a.found;
}
