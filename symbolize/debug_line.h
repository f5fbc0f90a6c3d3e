/* SPDX-License-Identifier: GPL-2.0-or-later */
/* debug_line.h - line programs; see debug.h. */
#ifndef LAPWING_SYMBOLIZE_DEBUG_LINE_H
#define LAPWING_SYMBOLIZE_DEBUG_LINE_H

#include "symbolize/debug.h"

/* A line program's files, by number; debug_files_free() frees the names. */
struct debug_files { char **name; u64 n; };
/* Calls row() for each row; a negative line ends a sequence: address is the first byte after it. */
void debug_lines(struct debug *d, const struct debug_unit *u, struct debug_files *files,
		 void (*row)(void *data, u64 address, const char *file, s64 line), void *data);
void debug_files_free(struct debug_files *files);

#endif
