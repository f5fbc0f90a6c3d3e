/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * userexits.h - where calls of a program's function end: its return instructions, and its jumps to
 * other functions (tail calls).
 *
 * A probe there does not modify the stack. But a breakpoint on data, or in the middle of an
 * instruction, would corrupt the program: so either the whole function is decoded, or nothing is
 * returned.
 */
#ifndef LAPWING_USEREXITS_H
#define LAPWING_USEREXITS_H

#include "translator/debuginfo/userfile.h"

/* LEAVES: by an unconditional jump; MAY_LEAVE: by a conditional one */
enum userexit_how { USEREXIT_RETURNS, USEREXIT_LEAVES, USEREXIT_MAY_LEAVE };

struct userexit {
	/* of the instruction; the stack pointer there is that of the entry */
	guint64	address;
	enum userexit_how how;
};

/* Where the start of a call is recorded; each call must pass there exactly once. */
struct userexit_entry {
	guint64	address;
	/* a jump that restarts the function before it gets there; 0: none */
	guint64	again;
};

/*
 * All exits, including those in parts of the function that are elsewhere (NAME.cold): struct
 * userexit by address; free with g_array_unref. NULL: *why (static text that follows a ':') says
 * why they are not known for certain.
 */
GArray *userexits_find(struct userfile *f, const struct userfile_function *function,
		       struct userexit_entry entry, const char **why);

#endif
