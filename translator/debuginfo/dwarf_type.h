/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarf_type.h - a DIE's type as a BTF id.
 */
#ifndef LAPWING_DEBUGINFO_DWARF_TYPE_H
#define LAPWING_DEBUGINFO_DWARF_TYPE_H

#include <elfutils/libdw.h>
#include <glib.h>

struct btf;
struct dwarf_types;

struct dwarf_types *dwarf_types_new(const struct btf *base);
void dwarf_types_free(struct dwarf_types *t);
/* A DIE's type as an id of *btf; 0: void. */
guint32 dwarf_type_of(struct dwarf_types *t, Dwarf_Die *die, const struct btf **btf);
/* The prototype of a function's DIE. */
guint32 dwarf_prototype_of(struct dwarf_types *t, Dwarf_Die *function, const struct btf **btf);
/* The type that a type's DIE describes. */
guint32 dwarf_type_itself(struct dwarf_types *t, Dwarf_Die *die, const struct btf **btf);

#endif
