/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * foreign.h - files that somebody else names and may change at any time, such as the images of traced programs: opened and mapped so that
 * whoever owns them cannot make the reader wait, open a device, or die.
 *
 * Libc only. One thread; nothing of it in signal handlers.
 */
#ifndef LAPWING_FOREIGN_H
#define LAPWING_FOREIGN_H

#include <stddef.h>

/*
 * A regular file for reading, links followed: what is there is looked at before it is opened, and it is that which is opened. The
 * descriptor does not block, and is the caller's to close. -1 (errno): it cannot be opened, or is no regular file (EISDIR, EINVAL).
 */
int foreign_open(const char *path);

/*
 * The bytes of a regular file, which need not be there any more when they are read: the owner may cut the file off. Those read as zeros
 * then, where the process would get a SIGBUS, and foreign_cut() says so. writable: into copies of its pages. foreign_unmap() ends it.
 * NULL: no regular file, an empty one, or one of more than FOREIGN_MOST bytes. *size: bytes.
 */
#define FOREIGN_MOST (16ULL << 30)
void *foreign_map(int fd, int writable, size_t *size);
/* 1: bytes of it were read that were not there; p as foreign_map() gave it. Costs nothing as long as there is no such mapping. */
int foreign_cut(const void *p);
void foreign_unmap(const void *p);

#endif
