/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * usernop.h - 5-byte nops in x86-64 programs, where a probe on some kernels breaks the function
 * (lib/nop5.h), and equivalent instructions next to them.
 */
#ifndef LAPWING_USERNOP_H
#define LAPWING_USERNOP_H

#include "translator/debuginfo/userfile.h"

enum usernop {
	/*
	 * Not a 5-byte nop, or at the entry of a function, which has no data below its stack
	 * pointer.
	 */
	USERNOP_SAFE,
	/*
	 * Another instruction is executed once whenever the nop is, with the same registers and
	 * memory.
	 */
	USERNOP_BESIDE,
	/* This cannot be proven for any instruction. */
	USERNOP_STUCK,
};

/*
 * Checks whether a probe may be put at this address. is_entry: a function is known to begin there.
 * *aside is the distance to the other instruction, -1 or 5 to 127 (BESIDE); *why is a static text
 * (STUCK).
 */
enum usernop usernop_find(struct userfile *f, guint64 address, int is_entry, int *aside,
			  const char **why);

#endif
