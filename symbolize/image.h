/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * image.h - files that programs run, opened when they are mapped: later the program may be gone,
 * the file deleted or replaced, the mount namespace out of reach. The file stays open, so that its
 * symbols can be read when they are needed.
 *
 * Single-threaded. An image is identified by its device and inode.
 */
#ifndef LAPWING_SYMBOLIZE_IMAGE_H
#define LAPWING_SYMBOLIZE_IMAGE_H

#include "runtime/rt.h"
#include "runtime/wire.h"

struct image {
	struct image	*next;		/* of the same hash */
	/* as the kernel has them: major << 20 | minor; of the vDSO as in wire.h */
	u64		dev, ino;
	char		*path;		/* as the first process saw it */
	char		*root;		/* where that path begins: /proc/PID/root, or "" */
	int		fd;		/* -1: could not be opened, or is no longer needed */
	int		looked;		/* the table was read */
	struct wire_symtab *table;	/* NULL: not read, or none */
	u64		bytes;		/* of the table */
	const u8	*file;		/* mapped, or NULL */
	u64		size;
	struct callers_known *callers;	/* cached rows (callers.h), or NULL */
	u32		seen;		/* image_sweep() at which it was in use last */
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
/* Tables include this too from now on: enum symfile_with. */
void image_want(u32 more);
/* Functions by file offset, read at the first call. NULL: none. The image owns the table. */
const struct wire_symtab *image_symbols(struct image *im);
/* The file's bytes, mapped at the first call. NULL: unreadable, or truncated since. */
const u8 *image_file(struct image *im, u64 *size);
void image_clear(void);
/*
 * Frees the images that were in use neither since the last call nor now: keep() calls image_keep()
 * for each that is.
 */
void image_sweep(void (*keep)(void));
void image_keep(struct image *im);

#endif
