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
	return sizeof(struct rt_statval) + agg_buckets(d) * sizeof(u64);
}

void agg_clear(struct rt_statval *a)
{
	a->count = a->sum = a->mean = a->m2 = 0;
	a->min = AGG_MAX;
	a->max = AGG_MIN;
	memset(a->bucket, 0, agg_buckets(a->desc) * sizeof(u64));
}

void agg_init(struct rt_statval *a, const struct rt_stat_desc *d)
{
	a->desc = d;
	agg_clear(a);
}

static s64 agg_scaled(const struct rt_stat_desc *d, s64 v)
{
	return (s64)((u64)v << (d->shift & 63));
}

static void agg_add_variance(struct rt_statval *a, s64 v)
{
	s64 scaled = agg_scaled(a->desc, v);
	s64 delta = num_sub(scaled, a->mean);

	a->mean = num_add(a->mean, delta / a->count);
	a->m2 = num_add(a->m2, num_mul(delta, num_sub(scaled, a->mean)));
}

void agg_add_more(struct rt_statval *a, s64 v)
{
	const struct rt_stat_desc *d = a->desc;

	if (d->ops & RT_VARIANCE)
		agg_add_variance(a, v);
	if (d->ops & RT_HIST_LOG)
		a->bucket[hist_log_bucket(v)]++;
	else if (d->ops & RT_HIST_LINEAR)
		a->bucket[hist_linear_bucket(d, v)]++;
	if (d->ops & RT_QUANTILES)
		a->bucket[hist_buckets(d) + hist_fine_bucket(v)]++;
}

/* square * na * nb / (na + nb), losing as little as 64 bits allow. */
static u64 agg_between(u64 square, u64 na, u64 nb)
{
	u64 product, n, rest, whole;
	u32 scale = 0;

	while ((na | nb) >> 31) {
		na >>= 1;
		nb >>= 1;
		scale++;
	}
	n = na + nb;
	if (!n)
		return 0;
	product = na * nb;
	whole = (product / n) * square;
	rest = product % n;
	whole += rest && square > ~0ULL / rest ? square / n * rest : square * rest / n;
	return whole << scale;
}

static void agg_merge_variance(struct rt_statval *a, const struct rt_statval *from)
{
	s64 n = num_add(a->count, from->count);
	s64 delta = num_sub(from->mean, a->mean);
	u64 square = (u64)num_mul(delta, delta);

	a->m2 = num_add(num_add(a->m2, from->m2), (s64)agg_between(square, (u64)a->count, (u64)from->count));
	a->mean = num_add(a->mean, num_mul(delta / n, from->count));
	a->mean = num_add(a->mean, num_mul(delta % n, from->count) / n);
}

void agg_merge(struct rt_statval *a, const struct rt_statval *from)
{
	u32 i, n = agg_buckets(a->desc);

	if (from->count <= 0)
		return;
	if (a->desc->ops & RT_VARIANCE)
		agg_merge_variance(a, from);
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

/* Divided by n - 1; 0 of a single value. */
static s64 agg_variance(const struct rt_statval *a)
{
	u32 down = 2 * (a->desc->shift & 63);

	if (a->count < 2)
		return 0;
	return down > 63 ? 0 : (a->m2 / (a->count - 1)) >> down;
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
		return agg_variance(a);
	default:
		return a->count;
	}
}
