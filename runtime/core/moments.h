/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * moments.h - exact sum and sum of squares of 64-bit values, and their variance.
 *
 * Input: values, in any order and in any number of parts merged in any order: the result is the
 * same. The caller provides the memory and excludes concurrent writers. Does not count the values.
 * Adding needs no division; the words are wide enough for 2^64 values.
 */
#ifndef LAPWING_CORE_MOMENTS_H
#define LAPWING_CORE_MOMENTS_H

#include "runtime/core/num.h"

/* Least significant word first. All zero: no values. */
struct moments {
	u64	sum[2];			/* two's complement */
	u64	squares[3];
};

/* Adds one value. Any context. */
void moments_add(struct moments *m, s64 v);
/* Adds the values in `from`. Any context. */
void moments_merge(struct moments *m, const struct moments *from);
/*
 * The sample variance of the n values in m (divided by n - 1): truncated to an integer, saturated
 * at INT64_MAX; 0 for fewer than two values. At most 256 steps. Any context.
 */
s64 moments_variance(const struct moments *m, u64 n);

#endif
