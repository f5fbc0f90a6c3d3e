/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarf_location.h - locations that only DWARF knows.
 */
#ifndef LAPWING_TARGET_VAR_DWARF_LOCATION_H
#define LAPWING_TARGET_VAR_DWARF_LOCATION_H

#include "translator/target_var/variable.h"

struct dwarf;
struct dwarf_place;
struct dwarf_value;

/*
 * l->btf becomes the one of the answer's type. A variable seen at l->probe->place; one of a file
 * (file NULL: any): IN_NONE without l->why where there is no DWARF; names (g_ptr_array_unref).
 */
struct location dwarf_location_variable(struct lowering *l, const char *name);
struct location dwarf_location_global(struct lowering *l, const char *name, const char *file,
				      const char *module);
/* One that l->probe's file declares outside of its functions; else IN_NONE. */
struct location dwarf_location_file_global(struct lowering *l, const char *name);
/* 0: DWARF has no such type, or is not here. */
guint32 dwarf_location_type(struct lowering *l, const char *name, const char *module);
GPtrArray *dwarf_location_names(struct lowering *l, int parameters, int locals);
/* What DWARF says of a value; takes its steps. Why a place has no such variable (arena). */
struct location dwarf_location_value(struct lowering *l, struct dwarf_value *value,
				     const char *module);
const char *dwarf_location_missing(struct lowering *l, struct dwarf *d,
				   const struct dwarf_place *place, const char *name);

#endif
