/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shared.h - what several families do alike. */
#ifndef LAPWING_FAMILIES_SHARED_H
#define LAPWING_FAMILIES_SHARED_H

#include "translator/families/family.h"

/* A text that lives as long as the program; NULL stays NULL. */
const char *family_keep(struct family_call *call, const char *text);
/* The point as it is written becomes one probe of the running phase, with this row. */
void family_add(struct family_call *call, void *row);
/* The first component of that name, or NULL. */
const struct point_comp *family_comp(const struct probe_point *point, const char *name);
/*
 * The members of a row that tell of the hidden probe at the entry, where the probe has one: what
 * keeps @entry's values.
 */
void family_emit_keeper(GString *out, const struct probe *probe);

/* Is it a probe at a function's return? */
int family_is_return(const struct probe *probe);

/* "a{b,c}d" is "abd", "acd"; braces nest. NULL-terminated; g_strfreev() frees. */
char **family_alternatives(const char *text);

#endif
