/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarf_private.h - what the files of the DWARF reader share.
 */
#ifndef LAPWING_DWARF_PRIVATE_H
#define LAPWING_DWARF_PRIVATE_H

#include "translator/debuginfo/dwarf.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

struct dwarf_types;

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
typedef int dwarf_visit_fn(void *data, Dwarf_Die *die);

/*
 * Opens a file; libdwfl finds separate debuginfo, first in the folders of
 * $SYSTEMTAP_DEBUGINFO_PATH. NULL: not an ELF file. Free with dwfl_end(*dwfl) either way.
 */
Dwfl_Module *dwarf_module(const char *path, Dwfl **dwfl);
/*
 * Appends the place where a function or inlined copy begins. 0: it has no code, or no symbol
 * contains it.
 */
int dwarf_add_entry(struct dwarf *d, GArray *places, Dwarf_Die *die);
/*
 * The qualified name of a function or type, with its namespaces and classes: "ns::Class::name".
 * Caller frees.
 */
char *dwarf_scoped_name(Dwarf_Die *die);
/* The file that declares it, or NULL. */
const char *dwarf_source(Dwarf_Die *die);
/* *whole: the unit, or for a skeleton unit its split unit (.dwo). 0: the .dwo file is missing. */
int dwarf_whole_unit(Dwarf_Die *unit, Dwarf_Die *whole);
/*
 * Calls visit() for each declaration in a scope and its namespaces, until it returns 1. Returns 1
 * if it did.
 */
int dwarf_visit_scope(Dwarf_Die *scope, dwarf_visit_fn *visit, void *data);
/* The same for all units. */
int dwarf_visit(struct dwarf *d, dwarf_visit_fn *visit, void *data);
/* Sorts places in source order. */
void dwarf_sort_places(GArray *places);
/* True if the path ends in `wanted`, or wanted is NULL. */
int dwarf_file_matches(const char *path, const char *wanted);

#endif
