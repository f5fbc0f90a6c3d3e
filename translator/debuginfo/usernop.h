/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * usernop.h - nops of 5 bytes in x86-64 code of programs, where some kernels break the
 * function that is probed (lib/nop5.h), and the instructions beside them that serve as well.
 */
#ifndef LAPWING_USERNOP_H
#define LAPWING_USERNOP_H

#include "translator/debuginfo/userfile.h"

enum usernop {
	/* It is no such nop; or a function is entered there, with nothing below its stack pointer. */
	USERNOP_SAFE,
	/* Another instruction is executed whenever the nop is, once, with all as it is there. */
	USERNOP_BESIDE,
	/* That cannot be proven of any. */
	USERNOP_STUCK,
};

/*
 * May a probe be put at this address? is_entry: it is known that a function begins there.
 * *aside is how far the other instruction is, -1 or 5 to 127, *why a static text, where the
 * result says that there is one.
 */
enum usernop usernop_find(struct userfile *f, guint64 address, int is_entry, int *aside,
			  const char **why);

#endif
