/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lines.h - source lines and inlined calls from DWARF. Two implementations: lines.c uses the
 * machine's libdw, if installed; lines_own.c, in static programs, which are the only ones in
 * guests, reads DWARF with debug.h. Nothing here uses the network.
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
 * Adds the lines and inlined calls in the DWARF of an ELF file's bytes, which may change. alt: the
 * common file of several such files (debugfile.h); NULL: this one shares nothing. The result owns
 * strings in the table, and also needs both files: call lines_close() after the table is finished.
 * NULL: no DWARF, or no libdw to read it.
 */
struct lines *lines_take(const struct elf *elf, const struct elf *alt, lines_place *place,
			 const void *arg, struct table *b);
void lines_close(struct lines *l);

#endif
