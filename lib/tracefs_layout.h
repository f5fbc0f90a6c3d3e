/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracefs_layout.h - the layout of a trace event's records, as its format file in tracefs describes
 * it.
 */
#ifndef LAPWING_TRACEFS_LAYOUT_H
#define LAPWING_TRACEFS_LAYOUT_H

#include <stdint.h>

/*
 * A hash that is equal for two texts of format files whose fields are the same, at the same offsets
 * (64-bit FNV-1a of these lines); never 0.
 */
uint64_t tracefs_layout(const char *format);

struct tracefs_place {
	char		name[64];		/* of the field, without the bounds of an array */
	uint32_t	offset, size;		/* bytes, in the record */
};

/* Reads the next field, and moves *format behind it. 0: there are no more. */
int tracefs_layout_next(const char **format, struct tracefs_place *place);

#endif
