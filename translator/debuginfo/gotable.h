/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gotable.h - the table of functions that Go's linker writes (.gopclntab), of Go 1.18 and newer. It
 * is described in the runtime's symtab.go (pcHeader) and runtime2.go (_func): a header, which gives
 * the offset of an array of pairs sorted by address: the offset of a function from the start of the
 * text, and the offset of its _func from the array.
 */
#ifndef LAPWING_GOTABLE_H
#define LAPWING_GOTABLE_H

#include <glib.h>

#define GOTABLE_HEADER	72		/* size of the header in bytes */
#define GOTABLE_TEXT	24		/* offset in it of the text's start address */

struct gotable {
	const guint8	*bytes;
	guint64		size;
	guint64		names, pairs;	/* offsets in bytes */
	/* number of functions; one more pair gives the end of the last one */
	guint64		number;
	guint64		text;		/* start of the code; 0: the loader writes it there */
	guint64		length;		/* of the code */
	int		flags_at;	/* offset of the flags in a _func */
};

enum gotable_kind {
	GOTABLE_COMPILED,
	GOTABLE_ASSEMBLER,
	/* linked in from another language: it has no frame table */
	GOTABLE_FOREIGN,
	GOTABLE_DAMAGED,
};

/*
 * True if a table begins at bytes, at least GOTABLE_HEADER of them; t keeps a pointer to them.
 */
int gotable_read(const guint8 *bytes, guint64 size, struct gotable *t);
/* The kind of the function at a distance, less than t->length, from the text's start. */
enum gotable_kind gotable_kind(const struct gotable *t, guint64 distance);
/* The name of the function that begins at that distance; NULL: none. */
const char *gotable_name(const struct gotable *t, guint64 distance);

#endif
