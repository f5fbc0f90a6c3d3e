/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wild.h - wildcards in the words of a probe point: 'timer.*' stands for all families' patterns
 * that match it, with the point's arguments.
 */
#ifndef LAPWING_FAMILIES_WILD_H
#define LAPWING_FAMILIES_WILD_H

#include "translator/families/family.h"

/*
 * Appends the points that a point with wildcards in its words matches, 'timer.profile' for
 * 'timer.*', to named: struct probe_point *, in the tree's memory (NULL: only counted). Returns
 * their number; 0 for a point without wildcards.
 */
unsigned family_wild(struct ast *ast, const struct probe_point *point, GPtrArray *named);

#endif
