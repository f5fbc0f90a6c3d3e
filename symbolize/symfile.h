/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symfile.h - symbol tables of ELF images, as struct wire_symtab.
 *
 * Used by lapwing-run (which hands tables to kernel modules) and by the user runtime. Reads
 * foreign bytes: nothing in a file is trusted. Process context, libc only.
 */
#ifndef LAPWING_SYMFILE_H
#define LAPWING_SYMFILE_H

#include "runtime/rt.h"
#include "runtime/wire.h"

/* LINES: source lines and inlined calls, from DWARF. CALLERS: unwind rows. */
enum symfile_with { SYMFILE_LINES = 1, SYMFILE_CALLERS = 2 };
/*
 * Functions of an ELF64 file by file offset: from .symtab, a separate debug file (build id,
 * debuglink), or .dynsym and .gnu_debugdata; with .dynsym alone, code between the exported
 * functions a and b is "a->b". root: prefix of the owner's paths (/proc/PID/root, or ""); shown:
 * the path in symbol texts; with: enum symfile_with. A file without symbols gives an empty table.
 * NULL: not a readable ELF64 file. The caller calls free().
 */
struct wire_symtab *symfile_elf(int fd, const char *root, const char *shown, u32 with, u64 *bytes);
/* The functions of the vDSO, the same in all processes. */
struct wire_symtab *symfile_vdso(u32 with, u64 *bytes);
const u8 *symfile_vdso_bytes(u64 *size);		/* the image itself; NULL: there is none */

#endif
