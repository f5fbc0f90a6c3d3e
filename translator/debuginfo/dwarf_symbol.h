/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarf_symbol.h - the symbols of a file with DWARF (dwarf.h): the function that contains an
 * address, and other functions that the address can be expressed relative to.
 */
#ifndef LAPWING_DEBUGINFO_DWARF_SYMBOL_H
#define LAPWING_DEBUGINFO_DWARF_SYMBOL_H

#include "translator/debuginfo/dwarf_private.h"

/* The symbol that contains an address; 0: none. */
int dwarf_symbol(struct dwarf *d, Dwarf_Addr address, const char **name, guint64 *offset);
/*
 * The nearest function, at or before the symbol that contains an address, whose name fits()
 * accepts, and the distance to that symbol. 0: none, or none in the same section: the sections of a
 * module are loaded independently.
 */
int dwarf_anchor(struct dwarf *d, guint64 linked, int (*fits)(void *data, const char *name),
		 void *data, const char **name, gint64 *offset);

#endif
