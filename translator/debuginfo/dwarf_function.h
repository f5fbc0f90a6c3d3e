/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarf_function.h - a function as its caller sees it (dwarf.h): parameters where the ABI passes
 * them (dwarf_pass.c), the result's type; and types by name.
 */
#ifndef LAPWING_DEBUGINFO_DWARF_FUNCTION_H
#define LAPWING_DEBUGINFO_DWARF_FUNCTION_H

#include "translator/debuginfo/dwarf_private.h"

/* True if it has this name, plain or, if the name contains "::", qualified. */
int dwarf_has_name(Dwarf_Die *die, const char *name);
/* True if a line table row begins at that link address. */
int dwarf_begins_statement(struct dwarf *d, guint64 linked);
/*
 * A parameter at the function's first instruction: unoptimized code has not yet stored it at the
 * location that DWARF gives. 0 with *why.
 */
int dwarf_parameter(struct dwarf *d, const struct dwarf_place *place, const char *name,
		    struct dwarf_value *value, const char **why);
/*
 * A function's prototype as a BTF id. 0: DWARF does not know the function.
 */
guint32 dwarf_prototype(struct dwarf *d, const char *function, const struct btf **btf);
/* The type of a function's result; 0: void, unknown, or in a floating-point register. */
guint32 dwarf_result(struct dwarf *d, const struct dwarf_place *place, const struct btf **btf);
/*
 * A type by name: "struct x", "union x", "enum x", or a typedef. 0: no such type.
 */
guint32 dwarf_type(struct dwarf *d, const char *name, const struct btf **btf);
/* The function that contains an address of the file. 0: none in DWARF. */
int dwarf_place_at(struct dwarf *d, guint64 address, struct dwarf_place *place);
/* The link address of a place. */
guint64 dwarf_linked(const struct dwarf *d, const struct dwarf_place *place);

#endif
