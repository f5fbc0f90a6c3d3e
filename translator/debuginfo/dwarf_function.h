/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarf_function.h - a function as its caller sees it (dwarf.h): parameters where the ABI has them
 * (dwarf_pass.c), the result's type; and types by their names.
 */
#ifndef LAPWING_DEBUGINFO_DWARF_FUNCTION_H
#define LAPWING_DEBUGINFO_DWARF_FUNCTION_H

#include "translator/debuginfo/dwarf_private.h"

/* Has it this name, alone or with "::" behind those? */
int dwarf_has_name(Dwarf_Die *die, const char *name);
/* Does a row of the table of lines begin at an address, as linked? */
int dwarf_begins_statement(struct dwarf *d, guint64 linked);
/*
 * A parameter as it is at its function's first instruction, before any is run: where code that is not optimized will have put it, it is not
 * yet. 0 with *why.
 */
int dwarf_parameter(struct dwarf *d, const struct dwarf_place *place, const char *name, struct dwarf_value *value, const char **why);
/* A function's parameters and result, as BTF's prototypes have them. 0: DWARF does not know the function. */
guint32 dwarf_prototype(struct dwarf *d, const char *function, const struct btf **btf);
/* The type of what a function returns; 0: nothing, or *why. */
guint32 dwarf_result(struct dwarf *d, const struct dwarf_place *place, const struct btf **btf);
/* A type by its name: "struct x", "union x", "enum x", or one that is declared by that name alone. 0: there is none. */
guint32 dwarf_type(struct dwarf *d, const char *name, const struct btf **btf);
/* The function that an address lies in, as in the file. 0: none that DWARF knows. */
int dwarf_place_at(struct dwarf *d, guint64 address, struct dwarf_place *place);
/* The address of a place as the file is linked. */
guint64 dwarf_linked(const struct dwarf *d, const struct dwarf_place *place);

#endif
