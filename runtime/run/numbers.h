/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * numbers.h - numbers, from 0 in order of appearance, of pairs of words.
 */
#ifndef LAPWING_RUN_NUMBERS_H
#define LAPWING_RUN_NUMBERS_H

#include "runtime/rt.h"

/* Initially zero. */
struct numbers {
	struct numbered { u64 a, b; u32 number; } *slot;	/* number: plus one; 0: free */
	u32	n, size;		/* pairs; slots, a power of two */
};

/* The number of a pair; *is_new: it has just got it. Aborts without memory. */
u32 numbers_of(struct numbers *t, u64 a, u64 b, int *is_new);
void numbers_clear(struct numbers *t);

#endif
