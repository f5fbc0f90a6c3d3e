/* SPDX-License-Identifier: GPL-2.0-or-later */
/* distance.h - edit distance of two words, to suggest the intended one. libc only. */
#ifndef LAPWING_DISTANCE_H
#define LAPWING_DISTANCE_H

/*
 * Number of insertions, deletions, changes or swaps of neighbouring letters; UINT_MAX if there is
 * no memory.
 */
unsigned edit_distance(const char *a, const char *b);

#endif
