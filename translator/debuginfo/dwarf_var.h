/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarf_var.h - variables by DWARF: which are seen at a place, and where they are there (location
 * lists, frame base, CFI).
 */
#ifndef LAPWING_DEBUGINFO_DWARF_VAR_H
#define LAPWING_DEBUGINFO_DWARF_VAR_H

#include "translator/debuginfo/dwarf.h"

/* Frees the steps and pieces. */
void dwarf_value_clear(struct dwarf_value *value);
/* A variable or parameter seen at a place, the innermost of that name. 0 with *why (static or of d): there is none, or it is not here. */
int dwarf_variable(struct dwarf *d, const struct dwarf_place *place, const char *name, struct dwarf_value *value, const char **why);
/* A variable outside of functions: that of the place's own file, else any that its file declares. */
int dwarf_file_global(struct dwarf *d, const struct dwarf_place *place, const char *name, struct dwarf_value *value, const char **why);
/* A variable of the file or of all. */
int dwarf_global(struct dwarf *d, const char *name, const char *file, struct dwarf_value *value, const char **why);
/* Names seen at a place: enum dwarf_names, or-ed. Free with g_ptr_array_unref. */
enum dwarf_names { DWARF_PARAMETERS = 1, DWARF_LOCALS = 2 };
GPtrArray *dwarf_names(struct dwarf *d, const struct dwarf_place *place, unsigned which);

#endif
