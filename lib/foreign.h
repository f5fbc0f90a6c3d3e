/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * foreign.h - files that others name and may change at any time, such as the images of traced
 * programs: opened and mapped so that their owner cannot make the reader block, open a device, or
 * crash.
 *
 * libc only. Single-threaded; not for signal handlers.
 */
#ifndef LAPWING_FOREIGN_H
#define LAPWING_FOREIGN_H

#include <stddef.h>

/*
 * Opens a regular file for reading and follows links: the file is checked before it is opened, and
 * the checked file is the one opened. The descriptor is non-blocking; the caller closes it. -1
 * (errno): it cannot be opened, or is not a regular file (EISDIR, EINVAL).
 */
int foreign_open(const char *path);

/*
 * Maps a regular file whose owner may truncate it later. Truncated pages then read as zeros, where
 * the process would otherwise get a SIGBUS, and foreign_cut() reports it. writable: private copies
 * of its pages. foreign_unmap() unmaps it. NULL: not a regular file, empty, or larger than
 * FOREIGN_MAX bytes. *size: bytes.
 */
#define FOREIGN_MAX (16ULL << 30)
void *foreign_map(int fd, int writable, size_t *size);
/*
 * 1: truncated bytes of it were read; p is a result of foreign_map(). Costs nothing without such a
 * mapping.
 */
int foreign_cut(const void *p);
void foreign_unmap(const void *p);

#endif
