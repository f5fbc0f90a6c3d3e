/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lines.h - source lines and inlined calls out of DWARF. Two forms: lines.c borrows libdw of the
 * machine where it is installed; lines_own.c, in static programs, which are all that guests have,
 * reads it by debug.h. Nothing here asks the network.
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
 * Adds what the DWARF in an ELF file's bytes, which may change, tells of lines and inlined calls.
 * alt: what several such files have in common (debugfile.h), NULL: this one shares nothing. Texts
 * in the table are the answer's, which also needs both files: lines_close() it after the table is
 * finished. NULL: there is no DWARF, or nobody who reads it.
 */
struct lines *lines_take(const struct elf *elf, const struct elf *alt, lines_place *place,
			 const void *arg, struct table *b);
void lines_close(struct lines *l);

#endif
