/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbols.c - names of addresses: the kernel's from the consumer's table, those of user images from their files.
 */
#include "runtime/user/user.h"

#include "runtime/core/symbol.h"
#include "runtime/elf/symfile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct image {
	struct image	*next;
	char		*path;
	struct wire_symtab *table;	/* NULL: the file cannot be read */
};

static struct image *images;
static struct wire_symtab *kernel;	/* complete when kernel_have is its size */
static u64 kernel_have, kernel_total;

int symbols_take(const struct wire_symbols *chunk, u64 len)
{
	u64 bytes = len - sizeof(*chunk);

	if (len < sizeof(*chunk) || chunk->ino || chunk->offset != kernel_have || chunk->total > 1ULL << 30)
		return -EINVAL;
	if (!chunk->offset) {
		free(kernel);
		kernel = malloc(chunk->total);
		kernel_total = chunk->total;
	}
	if (!kernel || chunk->total != kernel_total || bytes > kernel_total - kernel_have)
		return -EINVAL;
	memcpy((u8 *)kernel + kernel_have, chunk + 1, bytes);
	kernel_have += bytes;
	return kernel_have == kernel_total ? symtab_check(kernel, kernel_total) : 0;
}

static const struct wire_symtab *kernel_table(void)
{
	return kernel && kernel_have == kernel_total ? kernel : NULL;
}

/* The table of a mapped file; read through the process's own root, so that containers and replaced files resolve. */
static const struct wire_symtab *image_table(s32 pid, const char *path)
{
	struct image *im;
	char through[512];
	u64 bytes;

	for (im = images; im; im = im->next)
		if (!strcmp(im->path, path))
			return im->table;
	im = calloc(1, sizeof(*im));
	if (!im)
		return NULL;
	im->path = strdup(path);
	if (path[0] == '/') {
		snprintf(through, sizeof(through), "/proc/%d/root%s", pid, path);
		im->table = symfile_elf(through, path, &bytes);
		if (!im->table)
			im->table = symfile_elf(path, path, &bytes);
	}
	im->next = images;
	images = im;
	return im->table;
}

static const struct wire_symtab *find(struct rt_ctx *c, u64 addr, u64 *offset)
{
	s32 pid = ((const struct hit *)c->hit)->pid;
	const char *path;

	*offset = 0;
	return task_find_map(pid, addr, &path, offset) ? image_table(pid, path) : NULL;
}

const struct wire_symtab *runtime_symbols(struct rt_ctx *c, int user, u64 addr, u64 *at)
{
	*at = addr;
	return user ? find(c, addr, at) : kernel_table();
}

void symbols_clear(void)
{
	while (images) {
		struct image *im = images;

		images = im->next;
		free(im->path);
		free(im->table);
		free(im);
	}
	free(kernel);
	kernel = NULL;
	kernel_have = kernel_total = 0;
}
