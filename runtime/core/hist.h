/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hist.h - histograms: the bucket of a value, and the printed table.
 *
 * Input: a value and a descriptor, or bucket counts in transport format (struct wire_hist). Output:
 * a bucket number, or text into a sink. Used by the runtimes and by the reader.
 */
#ifndef LAPWING_CORE_HIST_H
#define LAPWING_CORE_HIST_H

#include "runtime/core/num.h"
#include "runtime/core/sink.h"
#include "runtime/wire.h"

#define HIST_BUCKETS	128	/* of a log histogram */
#define HIST_LINEAR_MOST (RT_HIST_LINEAR_MAX + 2)	/* with under- and overflow */
#define HIST_ZERO	64	/* log bucket of the value 0 */
#define HIST_MARGIN	2	/* empty rows shown before the first and after the last nonzero
				 * row */

/*
 * Quantiles use separate buckets, 16 per power of two and sign: values below 32 have one each, any
 * other bucket is one sixteenth as wide as its smallest value.
 */
#define HIST_FINE	1920
#define HIST_FINE_ZERO	960	/* of the value 0 */

static inline u32 hist_fine_size(u64 v)
{
	u32 shift = v < 16 ? 0 : num_bits(v) - 5;

	return 16 * shift + (u32)(v >> shift);
}

static inline u32 hist_fine_bucket(s64 v)
{
	return v < 0 ? HIST_FINE_ZERO - hist_fine_size(num_abs(v))
		     : HIST_FINE_ZERO + hist_fine_size((u64)v);
}

/* The middle of bucket i < HIST_FINE. */
s64 hist_fine_value(u32 i);

/* Number of buckets of a descriptor, including under- and overflow; 0 without histogram. */
u32 hist_buckets(const struct rt_stat_desc *d);
/* 0 .. hist_buckets() - 1. */
u32 hist_linear_bucket(const struct rt_stat_desc *d, s64 v);
static inline u32 hist_log_bucket(s64 v)
{
	return v < 0 ? HIST_ZERO - num_bits(num_abs(v)) : HIST_ZERO + num_bits((u64)v);
}

/*
 * Describes d's histogram in transport format, with the limits' print settings; count[] follows it.
 */
void hist_describe(const struct rt_stat_desc *d, const struct rt_limits *limits,
		   struct wire_hist *h);
/*
 * Prints the table and the empty line after it; count has h->nbuckets entries. Nothing if all are
 * 0. -EINVAL for an invalid description.
 */
int hist_print(struct sink *out, const struct wire_hist *h, const u64 *count);

#endif
