/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracefs.h - trace events of the running kernel, or of the one set by tracefs_of(), and the fields
 * of their records, as tracefs describes them.
 *
 * The user runtime receives these records from a tracepoint. Names are those of the event's fields,
 * not of the tracepoint's C arguments.
 */
#ifndef LAPWING_TRACEFS_H
#define LAPWING_TRACEFS_H

#include "translator/debuginfo/debuginfo.h"

struct tracefs_field {
	const char	*name, *type;	/* interned */
	unsigned	offset, size;	/* bytes, in the record */
	unsigned	count;		/* of elements of an array; 0: not an array */
	int		is_signed;
	enum { TRACEFS_NUMBER, TRACEFS_CHARS, TRACEFS_DATA_LOC, TRACEFS_REL_LOC } form;
};

/*
 * Switches to another kernel: the first query calls find(data), which returns a folder with a copy
 * of that kernel's tracefs files, or NULL.
 */
void tracefs_of(char *(*find)(void *data), void *data);
/*
 * struct debuginfo_tracepoint (interned) of events whose system and name match patterns (fnmatch
 * style), sorted. NULL: tracefs is missing or unreadable. Free with g_array_unref.
 */
GArray *tracefs_events(const char *system, const char *name);
/*
 * Fields of an event without the common ones, and their layout (lib/tracefs_layout.h). NULL: there
 * is no such event, or it cannot be read. Free with g_array_unref.
 */
GArray *tracefs_fields(const char *system, const char *name, guint64 *layout);
/* True if kprobe events can be created. */
int tracefs_has_kprobes(void);

#endif
