/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symfile.h - symbol tables of files: ELF images and the kernel's kallsyms, as struct wire_symtab.
 *
 * Used by lapwing-run (which hands tables to kernel modules) and by the user runtime. Reads foreign bytes: nothing in a file is trusted.
 * Process context, libc only.
 */
#ifndef LAPWING_SYMFILE_H
#define LAPWING_SYMFILE_H

#include "runtime/rt.h"
#include "runtime/wire.h"

/*
 * Functions of an ELF64 file by file offset, from .symtab or, stripped, .dynsym;
 * then code between exported functions a and b is "a->b". shown: the path that symbol texts name. NULL: cannot be
 * read, or is no ELF64 file; a file without symbols gives an empty table. Caller frees with free().
 */
struct wire_symtab *symfile_elf(const char *path, const char *shown, u64 *bytes);
/* The running kernel's functions by address; NULL: hidden (kptr_restrict) or unreadable. Caller frees. */
struct wire_symtab *symfile_kernel(u64 *bytes);
/* A function whose addresses are wanted: all functions of that name (module: NULL any, or only that module's); or a variable. */
struct symfile_want {
	const char	*name, *module;
	int		is_data;
	u64		addresses[64];
	unsigned	n;
	unsigned	id;		/* the caller's */
};
/* Finds the addresses of n wants. 0; -1: cannot be read; -2: addresses are hidden. */
int symfile_resolve(struct symfile_want *wants, unsigned n);

#endif
