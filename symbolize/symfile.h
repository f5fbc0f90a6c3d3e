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

#endif
