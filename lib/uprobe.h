/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * uprobe.h - a uprobe as perf event, without tracefs: only counts the hits of this process.
 */
#ifndef LAPWING_UPROBE_H
#define LAPWING_UPROBE_H

#include <stdint.h>

/*
 * Opens a counter of the calls that this process makes of the instruction at that offset of a file;
 * read() gives 64 bits. The caller closes it. -1: no uprobes, or no permission. libc only.
 */
int uprobe_open(const char *path, uint64_t offset);

#endif
