/* SPDX-License-Identifier: GPL-2.0-or-later */
/* edit_distance.h - the edit distance of two words. */
#ifndef LAPWING_LIB_EDIT_DISTANCE_H
#define LAPWING_LIB_EDIT_DISTANCE_H

/* Number of letters to add, drop, change or swap with their neighbour. */
unsigned edit_distance(const char *a, const char *b);

#endif
