/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shared.h - code that several families share. */
#ifndef LAPWING_FAMILIES_SHARED_H
#define LAPWING_FAMILIES_SHARED_H

#include "translator/families/family.h"

/* A copy of a text that lives as long as the program; NULL stays NULL. */
const char *family_keep(struct family_call *call, const char *text);
/* Adds one probe of the running phase for the point as written, with this row. */
void family_add(struct family_call *call, void *row);
/* The first component of that name, or NULL. */
const struct point_comp *family_comp(const struct probe_point *point, const char *name);
/*
 * Emits the row's members that refer to the probe's keeper, the hidden probe at the entry that
 * keeps @entry's values, if there is one.
 */
void family_emit_keeper(GString *out, const struct probe *probe);

/* True for a probe at a function's return. */
int family_is_return(const struct probe *probe);

/* "a{b,c}d" is "abd", "acd"; braces nest. NULL-terminated; g_strfreev() frees. */
char **family_alternatives(const char *text);

#endif
