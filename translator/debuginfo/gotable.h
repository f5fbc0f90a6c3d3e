/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gotable.h - the table of functions that Go's linker writes (.gopclntab), of Go 1.18 and newer. It
 * is described in the runtime's symtab.go (pcHeader) and runtime2.go (_func): a header, and from an
 * offset that it gives pairs of numbers by address: where a function begins, behind the text's
 * start, and where what is known of it is, behind that offset.
 */
#ifndef LAPWING_GOTABLE_H
#define LAPWING_GOTABLE_H

#include <glib.h>

#define GOTABLE_HEADER	72		/* bytes of it */
#define GOTABLE_TEXT	24		/* where in it the text's start is */

struct gotable {
	const guint8	*bytes;
	guint64		size;
	guint64		names, pairs;	/* where they are in it */
	/* of functions; one more pair says where the last one ends */
	guint64		number;
	guint64		text;		/* where the code starts; 0: the loader puts that there */
	guint64		length;		/* of the code */
	int		flags_at;	/* in what is known of a function */
};

enum gotable_kind {
	GOTABLE_COMPILED,
	GOTABLE_ASSEMBLER,
	/* taken from another language: nothing is known of its frames */
	GOTABLE_FOREIGN,
	GOTABLE_DAMAGED,
};

/* Does a table begin there? At least GOTABLE_HEADER bytes, which the table goes on using. */
int gotable_read(const guint8 *bytes, guint64 size, struct gotable *t);
/* What the function is that is at a distance, less than t->length, from the text's start. */
enum gotable_kind gotable_kind(const struct gotable *t, guint64 distance);
/* The name of the function that begins there; NULL: none does. */
const char *gotable_name(const struct gotable *t, guint64 distance);

#endif
