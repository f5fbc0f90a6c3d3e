/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * userexits.h - where calls of a program's function end: its return instructions, and the jumps out
 * of it that are calls (tail calls).
 *
 * A probe there needs nothing of the stack. But a byte of data, or of the midst of an instruction,
 * that is taken for one would be overwritten: so the whole function is decoded, or none of it.
 */
#ifndef LAPWING_USEREXITS_H
#define LAPWING_USEREXITS_H

#include "translator/debuginfo/userfile.h"

/* the latter: by a jump, which may be on condition */
enum userexit_how { USEREXIT_RETURNS, USEREXIT_LEAVES, USEREXIT_MAY_LEAVE };

struct userexit {
	/* of the instruction; the stack pointer is there what it was at the entry */
	guint64	address;
	enum userexit_how how;
};

/* Where a call is seen to begin, which must be once. */
struct userexit_entry {
	guint64	address;
	/* a jump by which the function begins anew before it comes there; 0: none */
	guint64	again;
};

/*
 * All of them, parts of the function that are elsewhere (NAME.cold) included: struct userexit by
 * address; free with g_array_unref. NULL: *why (static text that follows a ':') says why they are
 * not known for certain.
 */
GArray *userexits_find(struct userfile *f, const struct userfile_function *function,
		       struct userexit_entry entry, const char **why);

#endif
