/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarf_location.h - locations that only DWARF describes.
 */
#ifndef LAPWING_TARGET_VAR_DWARF_LOCATION_H
#define LAPWING_TARGET_VAR_DWARF_LOCATION_H

#include "translator/target_var/variable.h"

struct dwarf;
struct dwarf_place;
struct dwarf_value;

/*
 * A variable in scope at l->probe->place, and a global of a file (file NULL: any). IN_NONE without
 * l->why: there is no DWARF. Here, l->btf becomes the BTF of a result's type.
 */
struct location dwarf_location_variable(struct lowering *l, const char *name);
struct location dwarf_location_global(struct lowering *l, const char *name, const char *file,
				      const char *module);
/* A variable that l->probe's source file declares outside functions; IN_NONE: none. */
struct location dwarf_location_file_global(struct lowering *l, const char *name);
/* 0: DWARF has no such type, or there is no DWARF. */
guint32 dwarf_location_type(struct lowering *l, const char *name, const char *module);
/* Names in scope (g_ptr_array_unref). */
GPtrArray *dwarf_location_names(struct lowering *l, int parameters, int locals);
/* The location for a value from DWARF; frees its steps. missing: why a place lacks it (arena). */
struct location dwarf_location_value(struct lowering *l, struct dwarf_value *value,
				     const char *module);
const char *dwarf_location_missing(struct lowering *l, struct dwarf *d,
				   const struct dwarf_place *place, const char *name);

#endif
