/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exe_file.c - see exe_file.h.
 */
#include "runtime/user/processes/exe_file.h"

#include "lib/foreign.h"
#include "lib/id_table.h"
#include "lib/procstat.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

struct program {
	struct id_entry	pid;
	int		execing, begun;
	/* as the process sees it; NULL: not looked up, or it has none */
	char		*path;
	int		known;		/* no need to look up path */
	u64		dev, ino;	/* as in struct image; 0: unknown */
};

static struct id_table programs;
static int asked;

static struct program *get(s32 pid)
{
	return id_get(&programs, pid, sizeof(struct program));
}

static u64 device(dev_t dev) { return (u64)major(dev) << 20 | minor(dev); }

/* Looks up a process that existed before the run, or whose records were lost. */
static void look(struct program *p)
{
	char link[64], path[4096];
	struct stat st;
	ssize_t n;

	p->known = 1;
	snprintf(link, sizeof(link), "/proc/%d/exe", procstat_alive(p->pid.id));
	n = readlink(link, path, sizeof(path) - 1);
	if (n <= 0 || stat(link, &st))
		return;				/* it is gone: what is known is kept */
	path[n] = 0;
	free(p->path);
	p->path = strdup(path);
	p->dev = device(st.st_dev);
	p->ino = st.st_ino;
}

void exe_exec(s32 pid)
{
	struct program *p = get(pid);

	if (p)
		p->execing = 1;
}

int exe_map(s32 pid, const struct image_map *m)
{
	struct program *p = id_find(&programs, pid);

	if (!p || !p->execing)
		return 0;
	free(p->path);
	p->path = strdup(m->path);
	p->dev = m->dev;
	p->ino = m->ino;
	p->known = 1;
	p->execing = 0;
	return 1;
}

void exe_fork(s32 pid, s32 parent)
{
	struct program *from = get(parent), *p = get(pid);

	if (!from || !p || p->known)
		return;
	if (!from->known)
		look(from);
	free(p->path);
	p->path = from->path ? strdup(from->path) : NULL;
	p->dev = from->dev;
	p->ino = from->ino;
	p->known = 1;
}

void exe_exit(s32 pid)
{
	struct program *p = id_remove(&programs, pid);

	if (!p)
		return;
	free(p->path);
	free(p);
}

/* The same path, or the same file by another path; a path may be one in a container. */
int exe_is(s32 pid, const char *path)
{
	struct program *p = get(pid);
	struct stat st;

	asked = 1;
	if (!p)
		return 0;
	if (!p->known)
		look(p);
	if (p->path && !strcmp(p->path, path))
		return 1;
	return p->ino && !stat(path, &st) && st.st_ino == p->ino && device(st.st_dev) == p->dev;
}

void exe_look(s32 pid)
{
	struct program *p = get(pid);

	if (p && !p->known)
		look(p);
}

static int open_same(const struct program *p, const char *path)
{
	int fd = foreign_open(path);
	struct stat st;

	if (fd >= 0 && !fstat(fd, &st) && st.st_ino == p->ino && device(st.st_dev) == p->dev)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

int exe_open(s32 pid)
{
	struct program *p = get(pid);
	char link[64];
	int fd;

	exe_look(pid);
	if (!p || !p->ino)
		return -1;
	snprintf(link, sizeof(link), "/proc/%d/exe", procstat_alive(pid));
	fd = open_same(p, link);
	return fd < 0 && p->path ? open_same(p, p->path) : fd;
}

int exe_begun(s32 pid)
{
	struct program *p = get(pid);
	int before = p && p->begun;

	if (p)
		p->begun = 1;
	return before;
}

int exe_asked(void) { return asked; }

void exe_doubt(void)
{
	struct program *p;

	ID_EACH (p, &programs)
		p->known = p->execing = 0;
}

void exe_clear(void)
{
	struct program *p;

	ID_EACH (p, &programs)
		exe_exit(p->pid.id);
}
