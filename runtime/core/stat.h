/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stat.h - one aggregate: count, sum, minimum, maximum, variance, histogram.
 *
 * Input: values. Output: the extractors' numbers. The caller provides the memory (agg_bytes()) and
 * excludes concurrent writers. Does not know contexts, CPUs or errors: an empty aggregate is
 * agg_empty().
 *
 * The variance is exact (moments.h), however the CPUs' parts are merged.
 */
#ifndef LAPWING_CORE_STAT_H
#define LAPWING_CORE_STAT_H

#include "runtime/core/hist.h"
#include "runtime/core/moments.h"
#include "runtime/core/num.h"

struct rt_statval {
	const struct rt_stat_desc *desc;	/* never changes after agg_init() */
	s64	count, sum, min, max;
	/*
	 * hist_buckets(desc), then HIST_FINE with RT_QUANTILES, then struct moments with
	 * RT_VARIANCE
	 */
	u64	bucket[];
};

/* Bytes of an aggregate with this descriptor, a multiple of 8. */
u32 agg_bytes(const struct rt_stat_desc *d);
/* Initializes an empty aggregate in agg_bytes(d) of memory. */
void agg_init(struct rt_statval *a, const struct rt_stat_desc *d);
/* Empties it. */
void agg_clear(struct rt_statval *a);
/* The slower half of agg_add(): variance and histograms. Call after incrementing count. */
void agg_add_more(struct rt_statval *a, s64 v);
/* Adds the values in `from`; both have the same descriptor contents. */
void agg_merge(struct rt_statval *a, const struct rt_statval *from);

static inline int agg_empty(const struct rt_statval *a) { return a->count == 0; }

/*
 * Adds one value. Updating count, sum, min and max is cheaper than checking whether they are
 * needed.
 */
static inline void agg_add(struct rt_statval *a, s64 v)
{
	a->count++;
	a->sum = num_add(a->sum, v);
	if (v < a->min)
		a->min = v;
	if (v > a->max)
		a->max = v;
	if (a->desc->ops & (RT_VARIANCE | RT_HIST_LOG | RT_HIST_LINEAR | RT_QUANTILES))
		agg_add_more(a, v);
}

/* Extractors; 0 for an empty aggregate. */
/* The percentile; at most a sixteenth off, 0 and 100 exact. desc->ops has RT_QUANTILES. */
s64 agg_percentile(const struct rt_statval *a, u32 percent);
/* By enum rt_order: RT_BY_VALUE and RT_BY_COUNT .. RT_BY_VARIANCE. */
s64 agg_by(const struct rt_statval *a, u32 order);

#endif
