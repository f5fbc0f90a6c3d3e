/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * image.h - executable files that processes map. They are opened at mapping time, because later
 * the process may be gone, the file deleted or replaced, or its mount namespace unreachable;
 * symbols are read on demand from the open file.
 *
 * Not thread-safe. An image is identified by device and inode.
 */
#ifndef LAPWING_SYMBOLIZE_IMAGE_H
#define LAPWING_SYMBOLIZE_IMAGE_H

#include "runtime/rt.h"
#include "runtime/wire.h"

struct image {
	struct image	*next;		/* in the hash bucket */
	u64		dev, ino;	/* kernel encoding: major << 20 | minor; of the vDSO as
					 * in wire.h */
	char		*path;		/* in the first process's mount namespace */
	char		*root;		/* prefix of the path: /proc/PID/root, or "" */
	int		fd;		/* -1: cannot be opened, or no longer needed */
	int		looked;		/* image_symbols() was called */
	struct wire_symtab *table;	/* NULL: not read yet, or no symbols */
	u64		bytes;		/* of the table */
	const u8	*file;		/* mapped, or NULL */
	u64		size;
	struct callers_known *callers;	/* cached rows (callers.h), or NULL */
};

/* A mapping of a file, from /proc/PID/maps or a PERF_RECORD_MMAP2. */
struct image_map {
	u64		start, len, pgoff;	/* bytes */
	u64		dev, ino;
	const char	*path;
};

/* The image of a mapping of process pid, opened if new. NULL: no file is mapped (or no memory). */
struct image *image_get(s32 pid, const struct image_map *m);
/*
 * The image of an existing file, by its absolute path without symbolic links. NULL: cannot be
 * opened.
 */
struct image *image_of_file(const char *path);
/* An image that has a name but no file; ino is 0. NULL: no memory. */
struct image *image_named(const char *name);
/* Tables read from now on also contain `more` (enum symfile_with). */
void image_request(u32 more);
/* Functions by file offset, read at the first call. NULL: none. The table stays the image's. */
const struct wire_symtab *image_symbols(struct image *im);
/* The file's bytes, mapped at the first call. NULL: unreadable, or truncated since. */
const u8 *image_file(struct image *im, u64 *size);
void image_clear(void);

#endif
