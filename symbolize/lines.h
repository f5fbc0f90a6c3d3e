/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lines.h - source lines and inlined calls from DWARF. Two implementations: lines.c loads libdw
 * with dlopen(), where it is installed; lines_own.c, for static programs (guests have no others),
 * uses debug.h. No network.
 */
#ifndef LAPWING_SYMBOLIZE_LINES_H
#define LAPWING_SYMBOLIZE_LINES_H

#include "symbolize/elffile.h"
#include "symbolize/table.h"

struct lines;

/*
 * Maps an address in DWARF to a place in the table: a file offset, or an address. 0; -1: not
 * code.
 */
typedef int lines_place(const void *arg, u64 address, u64 *place);

/*
 * Adds lines and inlined calls from the DWARF of an ELF file to a table. alt: the common file
 * (debugfile.h), or NULL. The result owns strings in the table and refers to both files: call
 * lines_close() after table_finish(). NULL: no DWARF, or no libdw.
 */
struct lines *lines_read(const struct elf *elf, const struct elf *alt, lines_place *place,
			 const void *arg, struct table *b);
void lines_close(struct lines *l);

#endif
