/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lines.h - source lines of places in a file, with the functions inlined there, from its DWARF or
 * from its separate debug file (by build-id or debuglink). Never uses the network.
 *
 * Only the requested places are read, unlike symbolize/lines.h, which makes tables of whole files
 * for handlers that may ask for any place: a profile touches a few hundred of a large program's
 * million lines.
 */
#ifndef LAPWING_REPORT_LINES_H
#define LAPWING_REPORT_LINES_H

#include <glib.h>

struct lines_range { guint64 offset, size; };

typedef void lines_add_fn(void *data, guint64 offset, const char *file, guint32 line,
			  const char *function);

/*
 * Calls add() for each file offset (guint64, sorted) with a line: once for each inlined function,
 * the innermost first, and for the function itself; and for the other offsets in ranges (struct
 * lines_range: functions) where another line begins, with function "". fd: the file, which the
 * caller keeps.
 */
void lines_find(int fd, const char *path, const GArray *offsets, const GArray *ranges,
		lines_add_fn *add, void *data);

#endif
