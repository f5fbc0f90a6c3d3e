/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kernel.h - the running kernel's symbols and source lines; see symfile.h. */
#ifndef LAPWING_SYMBOLIZE_KERNEL_H
#define LAPWING_SYMBOLIZE_KERNEL_H

#include "symbolize/symfile.h"

/*
 * The running kernel's functions by address; NULL: hidden (kptr_restrict) or unreadable. Caller
 * frees.
 */
struct wire_symtab *symfile_kernel(int with_lines, u64 *bytes);
/*
 * A function or variable to resolve: all of that name (module: only of that module; NULL: of
 * all).
 */
struct symfile_want {
	const char	*name, *module;
	int		is_data;
	int		is_optional;	/* hidden addresses are no error for it */
	u64		addresses[64];
	unsigned	n;
	unsigned	id;		/* the caller's */
};
/* Finds the addresses of n wants. 0; -1: cannot be read; -2: addresses are hidden. */
int symfile_resolve(struct symfile_want *wants, unsigned n);

#endif
