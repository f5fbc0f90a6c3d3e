// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stat.c - one aggregate; see stat.h for input, output and what it does not do.
 */
#include "runtime/core/stat.h"
#include "runtime/core/port.h"

#define AGG_MIN		(-0x7fffffffffffffffLL - 1)
#define AGG_MAX		0x7fffffffffffffffLL

static u32 agg_buckets(const struct rt_stat_desc *d)
{
	return hist_buckets(d) + (d->ops & RT_QUANTILES ? HIST_FINE : 0);
}

u32 agg_bytes(const struct rt_stat_desc *d)
{
	return sizeof(struct rt_statval) + agg_buckets(d) * sizeof(u64) +
	       (d->ops & RT_VARIANCE ? sizeof(struct moments) : 0);
}

/* Of an aggregate with RT_VARIANCE. */
static struct moments *agg_moments(const struct rt_statval *a)
{
	return (struct moments *)(a->bucket + agg_buckets(a->desc));
}

void agg_clear(struct rt_statval *a)
{
	a->count = a->sum = 0;
	a->min = AGG_MAX;
	a->max = AGG_MIN;
	memset(a->bucket, 0, agg_bytes(a->desc) - sizeof(*a));
}

void agg_init(struct rt_statval *a, const struct rt_stat_desc *d)
{
	a->desc = d;
	agg_clear(a);
}

void agg_add_more(struct rt_statval *a, s64 v)
{
	const struct rt_stat_desc *d = a->desc;

	if (d->ops & RT_VARIANCE)
		moments_add(agg_moments(a), v);
	if (d->ops & RT_HIST_LOG)
		a->bucket[hist_log_bucket(v)]++;
	else if (d->ops & RT_HIST_LINEAR)
		a->bucket[hist_linear_bucket(d, v)]++;
	if (d->ops & RT_QUANTILES)
		a->bucket[hist_buckets(d) + hist_fine_bucket(v)]++;
}

void agg_merge(struct rt_statval *a, const struct rt_statval *from)
{
	u32 i, n = agg_buckets(a->desc);

	if (from->count <= 0)
		return;
	if (a->desc->ops & RT_VARIANCE)
		moments_merge(agg_moments(a), agg_moments(from));
	a->count = num_add(a->count, from->count);
	a->sum = num_add(a->sum, from->sum);
	if (from->min < a->min)
		a->min = from->min;
	if (from->max > a->max)
		a->max = from->max;
	for (i = 0; i < n; i++)
		a->bucket[i] += from->bucket[i];
}

/* Truncated towards zero. */
static s64 agg_avg(const struct rt_statval *a)
{
	return a->count > 0 ? a->sum / a->count : 0;
}

s64 agg_percentile(const struct rt_statval *a, u32 percent)
{
	const u64 *fine = a->bucket + hist_buckets(a->desc);
	u64 n = (u64)a->count, rank = n / 100 * percent + (n % 100 * percent + 99) / 100, seen = 0;
	u32 i = 0;
	s64 v;

	if (agg_empty(a))
		return 0;
	if (percent == 0)
		return a->min;
	if (percent >= 100)
		return a->max;
	for (; i < HIST_FINE - 1; i++) {
		seen += fine[i];
		if (seen >= rank)
			break;
	}
	v = hist_fine_value(i);
	return v < a->min ? a->min : v > a->max ? a->max : v;
}

s64 agg_by(const struct rt_statval *a, u32 order)
{
	if (agg_empty(a))
		return 0;
	switch (order) {
	case RT_BY_SUM:
		return a->sum;
	case RT_BY_MIN:
		return a->min;
	case RT_BY_MAX:
		return a->max;
	case RT_BY_AVG:
		return agg_avg(a);
	case RT_BY_VARIANCE:
		return moments_variance(agg_moments(a), (u64)a->count);
	default:
		return a->count;
	}
}
