/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarf_var.h - variables by DWARF: which are in scope at a place, and their locations there
 * (location lists, frame base, CFI).
 */
#ifndef LAPWING_DEBUGINFO_DWARF_VAR_H
#define LAPWING_DEBUGINFO_DWARF_VAR_H

#include "translator/debuginfo/dwarf.h"

/* Frees the steps and pieces. */
void dwarf_value_clear(struct dwarf_value *value);
/*
 * The innermost variable or parameter of that name at a place. 0 with *why (static or owned by d):
 * none, or optimized out there.
 */
int dwarf_variable(struct dwarf *d, const struct dwarf_place *place, const char *name,
		   struct dwarf_value *value, const char **why);
/*
 * A global variable: of the place's source file, or any that this file declares.
 */
int dwarf_file_global(struct dwarf *d, const struct dwarf_place *place, const char *name,
		      struct dwarf_value *value, const char **why);
/* A global variable of that file; NULL: of any file. */
int dwarf_global(struct dwarf *d, const char *name, const char *file, struct dwarf_value *value,
		 const char **why);
/* Names in scope at a place: enum dwarf_names, or-ed. Free with g_ptr_array_unref. */
enum dwarf_names { DWARF_PARAMETERS = 1, DWARF_LOCALS = 2 };
GPtrArray *dwarf_names(struct dwarf *d, const struct dwarf_place *place, unsigned which);

#endif
