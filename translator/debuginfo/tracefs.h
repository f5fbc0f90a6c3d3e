/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracefs.h - trace events of the running kernel and the fields of their records, as tracefs
 * describes them.
 *
 * The user runtime sees these fields of a tracepoint. Names are those of the event, not of the
 * tracepoint's C arguments.
 */
#ifndef LAPWING_TRACEFS_H
#define LAPWING_TRACEFS_H

#include "translator/debuginfo/debuginfo.h"

struct tracefs_field {
	const char	*name, *type;	/* interned */
	unsigned	offset, size;	/* bytes, in the record */
	unsigned	count;		/* of elements, for an array; 0: not an array */
	int		is_signed;
	enum { TRACEFS_NUMBER, TRACEFS_CHARS, TRACEFS_DATA_LOC, TRACEFS_REL_LOC } form;
};

/* struct debuginfo_tracepoint (interned) of events whose system and name match patterns (fnmatch
 * style), sorted. NULL: tracefs is missing or unreadable. g_array_unref. */
GArray *tracefs_events(const char *system, const char *name);
/* Why tracefs cannot be read and what to do, a text that follows "tracefs"; NULL: it can be. */
const char *tracefs_problem(void);
/*
 * Fields of an event without the common ones; NULL: no such event, or it cannot be read.
 * g_array_unref.
 */
GArray *tracefs_fields(const char *system, const char *name);
/* The same from a format file's text. */
GArray *tracefs_parse(const char *text);
/* True if kprobe events can be created. */
int tracefs_has_kprobes(void);

#endif
