/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarf_die.h - a DIE's qualified name, its source file, and the declarations in its scope.
 */
#ifndef LAPWING_DEBUGINFO_DWARF_DIE_H
#define LAPWING_DEBUGINFO_DWARF_DIE_H

#include <elfutils/libdw.h>

struct dwarf;

/*
 * The name of a function or type, qualified with its namespaces and classes, "ns::Class::name".
 * Caller frees.
 */
char *dwarf_scoped_name(Dwarf_Die *die);
/* True if its name, alone or qualified, is this one. */
int dwarf_has_name(Dwarf_Die *die, const char *name);
/* The source file that declares it, or NULL. */
const char *dwarf_source(Dwarf_Die *die);
/* The unit, or its split unit from the .dwo file. 0: that file is missing. */
int dwarf_whole_unit(Dwarf_Die *unit, Dwarf_Die *whole);
typedef int dwarf_visit_fn(void *data, Dwarf_Die *die);
/* Calls visit() for declarations in a scope and its namespaces; returns 1 as soon as it does. */
int dwarf_visit_scope(Dwarf_Die *scope, dwarf_visit_fn *visit, void *data);
/* The same for all units. */
int dwarf_visit(struct dwarf *d, dwarf_visit_fn *visit, void *data);
/* True if the path ends in `wanted`, or wanted is NULL. */
int dwarf_file_matches(const char *path, const char *wanted);

#endif
