/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * moments.h - the sum and the sum of squares of 64-bit values, exact, and the variance of them.
 *
 * Input: values, in any order and in any number of parts that are merged in any order: the result
 * is the same. Memory is the caller's; no locks: the caller excludes writers. Does not count the
 * values. Nothing is divided where values are added; the words are wide enough for 2^64 values.
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
/* Adds the values that `from` has. Any context. */
void moments_merge(struct moments *m, const struct moments *from);
/*
 * The sample variance of the n values in m, which is divided by n - 1: truncated to an integer,
 * INT64_MAX where it is larger; 0 of fewer than two values. At most 256 steps. Any context.
 */
s64 moments_variance(const struct moments *m, u64 n);

#endif
