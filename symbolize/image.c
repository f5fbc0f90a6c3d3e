/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * image.c - see image.h.
 */
#include "symbolize/image.h"

#include "lib/foreign.h"
#include "lib/procstat.h"
#include "symbolize/callers.h"
#include "symbolize/symfile.h"
#include "symbolize/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define BUCKETS 1024

static struct image *images[BUCKETS];
static u32 with;
static u32 sweeps;

/* The mapping itself leads to the file, even if its name is gone. Only root may follow it. */
static int open_mapped(s32 pid, const struct image_map *m)
{
	char path[96];

	snprintf(path, sizeof(path), "/proc/%d/map_files/%llx-%llx", pid, m->start,
		 m->start + m->len);
	return foreign_open(path);
}

/* A path is valid if the file there is the mapped one. */
static int open_named(const char *root, const struct image_map *m)
{
	char path[4096 + 64];
	struct stat st;
	int fd;

	snprintf(path, sizeof(path), "%s%s", root, m->path);
	fd = foreign_open(path);
	if (fd >= 0 && (fstat(fd, &st) || st.st_ino != m->ino)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static void raise_limit(void)
{
	struct rlimit files;

	if (!getrlimit(RLIMIT_NOFILE, &files)) {
		files.rlim_cur = files.rlim_max;
		setrlimit(RLIMIT_NOFILE, &files);
	}
}

static struct image *image_new(s32 pid, const struct image_map *m)
{
	struct image *im = calloc(1, sizeof(*im));
	char root[64];

	if (!im)
		return NULL;
	pid = procstat_alive(pid);
	snprintf(root, sizeof(root), "/proc/%d/root", pid);
	*im = (struct image){ .dev = m->dev, .ino = m->ino, .path = strdup(m->path), .root = strdup(root), .fd = -1,
			      .seen = sweeps };
	if (!im->path || !im->root) {
		free(im->path);
		free(im->root);
		free(im);
		return NULL;
	}
	if (!m->ino || m->path[0] != '/')
		return im;
	raise_limit();
	im->fd = open_mapped(pid, m);
	if (im->fd < 0)
		im->fd = open_named(root, m);
	if (im->fd < 0)
		im->fd = open_named("", m);
	return im;
}

struct image *image_get(s32 pid, const struct image_map *m)
{
	struct image_map vdso = { .ino = WIRE_INO_VDSO, .path = "[vdso]" };
	struct image **head, *im;

	if (!strcmp(m->path, vdso.path))
		m = &vdso;
	else if (m->path[0] != '/' || !m->ino)
		return NULL;
	head = &images[m->ino % BUCKETS];
	for (im = *head; im; im = im->next)
		if (im->ino == m->ino && im->dev == m->dev) {
			im->seen = sweeps;
			return im;
		}
	im = image_new(pid, m);
	if (im) {
		im->next = *head;
		*head = im;
	}
	return im;
}

struct image *image_of_file(const char *path)
{
	struct image_map m = { .path = path };
	struct stat st;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return NULL;
	m.dev = (u64)major(st.st_dev) << 20 | minor(st.st_dev);
	m.ino = st.st_ino;
	return image_get(getpid(), &m);
}

struct image *image_named(const char *name)
{
	struct image_map m = { .dev = WIRE_DEV_MADE, .path = name };
	struct table empty = { 0 };
	struct image **head = &images[0], *im;

	for (im = *head; im; im = im->next)
		if (!im->ino && !strcmp(im->path, name))
			return im;
	im = image_new(0, &m);
	if (!im)
		return NULL;
	im->looked = 1;
	im->table = table_finish(&empty, name, &im->bytes);
	im->next = *head;
	*head = im;
	return im;
}

void image_want(u32 more)
{
	with |= more;
}

const struct wire_symtab *image_symbols(struct image *im)
{
	if (im->looked)
		return im->table;
	im->looked = 1;
	if (!strcmp(im->path, "[vdso]"))
		im->table = symfile_vdso(with, &im->bytes);
	else
		im->table = symfile_elf(im->fd, access(im->root, X_OK) ? "" : im->root, im->path,
					with, &im->bytes);
	return im->table;
}

const u8 *image_file(struct image *im, u64 *size)
{
	size_t bytes = 0;

	if (!im->file && im->dev == 0 && im->ino == WIRE_INO_VDSO) {
		im->file = symfile_vdso_bytes(&im->size);
	} else if (!im->file && im->fd >= 0) {
		im->file = foreign_map(im->fd, 0, &bytes);
		im->size = bytes;
	}
	*size = im->size;
	return im->fd >= 0 && foreign_cut(im->file) ? NULL : im->file;
}

static void image_free(struct image *im)
{
	if (im->file && im->fd >= 0)
		foreign_unmap(im->file);
	if (im->fd >= 0)
		close(im->fd);
	free(im->path);
	free(im->root);
	free(im->table);
	callers_forget(im);
	free(im);
}

void image_clear(void)
{
	for (unsigned i = 0; i < BUCKETS; i++)
		while (images[i]) {
			struct image *im = images[i];

			images[i] = im->next;
			image_free(im);
		}
}

void image_keep(struct image *im)
{
	im->seen = sweeps;
}

void image_sweep(void (*keep)(void))
{
	struct image **link, *im;

	keep();
	for (unsigned i = 0; i < BUCKETS; i++)
		for (link = &images[i]; (im = *link);) {
			if (im->seen == sweeps) {
				link = &im->next;
				continue;
			}
			*link = im->next;
			image_free(im);
		}
	sweeps++;
}
