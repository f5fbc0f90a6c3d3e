/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dwarf_private.h - shared by the files of the DWARF reader. */
#ifndef LAPWING_DWARF_PRIVATE_H
#define LAPWING_DWARF_PRIVATE_H

#include "translator/debuginfo/dwarf.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

struct dwarf {
	Dwfl		*dwfl;
	Dwfl_Module	*module;
	Dwarf		*dw;
	Dwarf_Addr	bias;		/* added to DWARF's addresses gives symbol addresses */
	struct dwarf_types *types;
	GPtrArray	*frames;	/* struct dwarf_frame */
	GHashTable	*inlined;	/* names of functions with inlined copies, filled on
					 * first use */
	GArray		*symbols;	/* functions by address, filled on first use
					 * (dwarf_symbol.c) */
};

/*
 * Opens a file; separate debuginfo is found by libdwfl, in the folders of $SYSTEMTAP_DEBUGINFO_PATH
 * first. NULL: no ELF file. Free with dwfl_end(*dwfl) either way.
 */
Dwfl_Module *dwarf_module(const char *path, Dwfl **dwfl);
/*
 * Appends the entry of a function or inlined copy. 0: it has no code, or no symbol contains it.
 */
int dwarf_add_entry(struct dwarf *d, GArray *places, Dwarf_Die *die);

#endif
