/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wild.h - wildcards in the words of a probe point: 'timer.*' is the families' patterns of that
 * shape, with the point's arguments.
 */
#ifndef LAPWING_FAMILIES_WILD_H
#define LAPWING_FAMILIES_WILD_H

#include "translator/families/family.h"

/*
 * The points that one with wildcards in its words stands for, 'timer.profile' for 'timer.*': struct
 * probe_point *, in the tree's memory, appended to named (NULL: only counted). Returns how many; 0
 * for a point without wildcards.
 */
unsigned family_wild(struct ast *ast, const struct probe_point *point, GPtrArray *named);

#endif
