/* SPDX-License-Identifier: GPL-2.0-or-later */
/* edit_distance.h - how alike two words are. */
#ifndef LAPWING_LIB_EDIT_DISTANCE_H
#define LAPWING_LIB_EDIT_DISTANCE_H

/* Letters to add, drop, change or swap with their neighbour. */
unsigned edit_distance(const char *a, const char *b);

#endif
