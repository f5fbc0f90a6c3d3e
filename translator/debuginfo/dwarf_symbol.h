/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarf_symbol.h - the symbols of a file with DWARF (dwarf.h): which function an address is in, and
 * others it can be told by.
 */
#ifndef LAPWING_DEBUGINFO_DWARF_SYMBOL_H
#define LAPWING_DEBUGINFO_DWARF_SYMBOL_H

#include "translator/debuginfo/dwarf_private.h"

/* The symbol that an address is in; 0: none. */
int dwarf_symbol(struct dwarf *d, Dwarf_Addr address, const char **name, guint64 *offset);
/*
 * The nearest function at or before the symbol that contains an address, for whose name fits() is
 * true, and the distance to that symbol. 0: none, or none in the same section: sections of a module
 * are loaded independently.
 */
int dwarf_anchor(struct dwarf *d, guint64 linked, int (*fits)(void *data, const char *name),
		 void *data, const char **name, gint64 *offset);

#endif
