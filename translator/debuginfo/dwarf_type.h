/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarf_type.h - DWARF's types as BTF, on top of the kernel's own: a named type that the kernel's
 * BTF has with the same size is used from there; other types are converted when they are first
 * needed, and read back by btf.c.
 */
#ifndef LAPWING_DEBUGINFO_DWARF_TYPE_H
#define LAPWING_DEBUGINFO_DWARF_TYPE_H

#include "translator/debuginfo/dwarf_private.h"

/* base: the kernel's BTF, which must outlive the result, or NULL. */
struct dwarf_types *dwarf_types_new(const struct btf *base);
void dwarf_types_free(struct dwarf_types *t);
/* A DIE's type as an id of *btf; 0: void. */
guint32 dwarf_type_of(struct dwarf_types *t, Dwarf_Die *die, const struct btf **btf);
/* The prototype of a function's DIE. */
guint32 dwarf_prototype_of(struct dwarf_types *t, Dwarf_Die *function, const struct btf **btf);
/* The type that a type's DIE describes. */
guint32 dwarf_type_itself(struct dwarf_types *t, Dwarf_Die *die, const struct btf **btf);

#endif
