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

/* LINES: source lines and inlined calls, where there is DWARF. CALLERS: how stacks are unwound. */
enum symfile_with { SYMFILE_LINES = 1, SYMFILE_CALLERS = 2 };
/*
 * Functions of an ELF64 file by file offset: from .symtab, a separate file of debug information (by build-id, by debuglink), or .dynsym and
 * .gnu_debugdata; without the latter, code between exported functions a and b is "a->b". root: where the paths of the file's owner begin
 * (/proc/PID/root), "" for ours; shown: the path that symbol texts name. NULL: cannot be read, or is no ELF64 file; a file without
 * symbols gives an empty table. with: what else, enum symfile_with. Caller frees with free().
 */
struct wire_symtab *symfile_elf(int fd, const char *root, const char *shown, u32 with, u64 *bytes);
/* The functions that the kernel lends to every process; the same in all of them. */
struct wire_symtab *symfile_vdso(u32 with, u64 *bytes);
const u8 *symfile_vdso_bytes(u64 *size);		/* the image itself; NULL: there is none */
/*
 * jit.c: functions by address, from lines "START SIZE NAME" (perf-PID.map; numbers with or without 0x), or from a jitdump file. *rejected:
 * whole lines that were none.
 */
struct wire_symtab *symfile_perfmap(int fd, const char *shown, u64 *bytes, u32 *rejected);
struct wire_symtab *symfile_jitdump(int fd, const char *shown, u64 *bytes);
/* kernel.c: the running kernel's functions by address; NULL: hidden (kptr_restrict) or unreadable. Caller frees. */
struct wire_symtab *symfile_kernel(int with_lines, u64 *bytes);
/* A function whose addresses are wanted: all functions of that name (module: NULL any, or only that module's); or a variable. */
struct symfile_want {
	const char	*name, *module;
	int		is_data;
	int		is_optional;	/* that it is hidden is no failure */
	u64		addresses[64];
	unsigned	n;
	unsigned	id;		/* the caller's */
};
/* Finds the addresses of n wants. 0; -1: cannot be read; -2: addresses are hidden. */
int symfile_resolve(struct symfile_want *wants, unsigned n);

#endif
