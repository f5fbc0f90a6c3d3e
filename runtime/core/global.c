// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * global.c - the script's globals: memory at load, counters, scalar statistics.
 *
 * There are runtime_parts() per-CPU parts, on separate cache lines. Locking is done by the layer
 * above.
 */
#include "runtime/core/global.h"

#include "runtime/core/backtrace.h"
#include "runtime/core/phase.h"
#include "runtime/core/core.h"
#include "runtime/core/ctx.h"
#include "runtime/core/floor.h"
#include "runtime/core/port.h"

u64 core_percpu_budget = 64ULL << 20;

static s64 *counter_part(struct rt_counter *k, u32 i)
{
	return (s64 *)((u8 *)k->impl + (u64)i * RT_LINE);
}

static u64 stat_stride(const struct rt_stat_desc *d)
{
	return num_align_line(agg_bytes(d));
}

static struct rt_statval *stat_part(struct rt_stat *s, u32 i)
{
	return (struct rt_statval *)((u8 *)s->impl + i * s->stride);
}

/* The rows of one map; whole cache lines, so that no line is shared by two CPUs. */
static u64 array_rows_bytes(const struct rt_map_desc *d)
{
	return num_align_line(map_bytes(d, rt_script.limits.map_string));
}

static u64 array_bytes(const struct rt_map_desc *d, u32 parts)
{
	return sizeof(struct array) +
	       (parts > 1 ? parts + 1 : 1) * (sizeof(struct map) + array_rows_bytes(d)) +
	       map_order_bytes(d);
}

static u64 global_bytes(const struct rt_global *g)
{
	switch (g->storage) {
	case RT_G_COUNTER:
		return (u64)RT_LINE * g->parts;
	case RT_G_STAT:
		return stat_stride(((struct rt_stat *)g->obj)->desc) * g->parts;
	case RT_G_MAP:
		return array_bytes(((struct rt_map *)g->obj)->desc, g->parts);
	}
	return 0;
}

static void array_init(struct array *a, const struct rt_map_desc *d, u32 parts)
{
	u32 maps = parts > 1 ? parts + 1 : 1, i;
	u8 *rows = (u8 *)(a + 1) + maps * sizeof(struct map);

	a->nparts = parts;
	a->stride = parts > 1 ? sizeof(struct map) : 0;
	a->map = (struct map *)(a + 1);
	for (i = 0; i < maps; i++)
		map_init(&a->map[i], rows + i * array_rows_bytes(d), d,
			 rt_script.limits.map_string);
	a->total = &a->map[maps - 1];
	map_order_init(a->total, rows + maps * array_rows_bytes(d));
}

/* Number of parts of this global; *left is the rest of the budget. */
static u32 global_parts(const struct rt_global *g, u64 *left)
{
	const struct rt_map_desc *d = g->storage == RT_G_MAP ? ((struct rt_map *)g->obj)->desc : 0;
	u64 bytes;

	if (d && !d->percpu)
		return 1;
	if (!d || runtime_parts() == 1)
		return runtime_parts();
	bytes = array_bytes(d, runtime_parts());
	if (bytes > *left)
		return 1;
	*left -= bytes;
	return runtime_parts();
}

static int global_load(struct rt_global *g)
{
	u64 bytes = global_bytes(g);
	void *memory;
	u32 i;

	if (!bytes)
		return 0;
	memory = runtime_alloc(bytes);
	if (!memory)
		return -ENOMEM;
	if (g->storage == RT_G_COUNTER) {
		((struct rt_counter *)g->obj)->impl = memory;
		*(s64 *)memory = ((struct rt_counter *)g->obj)->initial;
	} else if (g->storage == RT_G_STAT) {
		struct rt_stat *s = g->obj;

		s->impl = memory;
		s->stride = stat_stride(s->desc);
		for (i = 0; i < runtime_parts(); i++)
			agg_init(stat_part(s, i), s->desc);
	} else {
		((struct rt_map *)g->obj)->impl = memory;
		array_init(memory, ((struct rt_map *)g->obj)->desc, g->parts);
	}
	return 0;
}

/* The memory pointer of a global, or NULL if it needs none. */
static void **global_impl(const struct rt_global *g)
{
	switch (g->storage) {
	case RT_G_COUNTER:
		return &((struct rt_counter *)g->obj)->impl;
	case RT_G_STAT:
		return &((struct rt_stat *)g->obj)->impl;
	case RT_G_MAP:
		return &((struct rt_map *)g->obj)->impl;
	}
	return 0;
}

int core_load(const char **name)
{
	u64 left = core_percpu_budget;
	u32 i;
	int rc;

	for (i = 0; i < rt_script.nprobes; i++) {
		rt_script.probes[i].row = i;
		rt_script.probes[i].account = i * (u32)sizeof(struct wire_account);
	}
	for (i = 0; i < rt_script.nglobals; i++) {
		rt_script.globals[i].parts = global_parts(&rt_script.globals[i], &left);
		rc = global_load(&rt_script.globals[i]);
		if (rc) {
			*name = rt_script.globals[i].name;
			core_unload();
			return rc;
		}
	}
	*name = "";
	return backtrace_load() || phase_load() || floor_load() ? -ENOMEM : 0;
}

void core_unload(void)
{
	u32 i;

	backtrace_unload();
	phase_unload();
	floor_unload();
	for (i = 0; i < rt_script.nglobals; i++) {
		void **impl = global_impl(&rt_script.globals[i]);

		if (impl && *impl) {
			runtime_free(*impl);
			*impl = 0;
		}
	}
}

int core_assign(const struct wire_global *value, u64 len)
{
	const char *name = (const char *)(value + 1), *text;
	struct rt_global *g = 0;
	u64 i, ends = 0;

	if (len < sizeof(*value))
		return -EINVAL;
	for (i = 0; i < len - sizeof(*value); i++)
		ends += !name[i];
	if (ends < 2)
		return -EINVAL;
	text = name + strlen(name) + 1;
	for (i = 0; i < rt_script.nglobals; i++)
		if (strlen(rt_script.globals[i].name) == strlen(name) &&
		    !memcmp(rt_script.globals[i].name, name, strlen(name)))
			g = &rt_script.globals[i];
	if (!g)
		return -ENOENT;
	if (g->storage == RT_G_STRING) {
		i = strlen(text);
		rt_set(g->obj,
		       (struct rt_str){ text,
					(u16)(i < rt_script.maxstring ? i : rt_script.maxstring) });
		return 0;
	}
	if (!value->is_number || (g->storage != RT_G_LONG && g->storage != RT_G_COUNTER))
		return -EINVAL;
	if (g->storage == RT_G_LONG)
		*(s64 *)g->obj = value->number;
	else
		*counter_part(g->obj, 0) = value->number;
	return 0;
}

u64 core_bytes(void)
{
	u64 bytes = 0;
	u32 i;

	for (i = 0; i < rt_script.nglobals; i++)
		bytes += global_bytes(&rt_script.globals[i]);
	return bytes;
}

u32 core_shared(void)
{
	u32 i, n = 0;

	for (i = 0; i < rt_script.nglobals; i++) {
		const struct rt_global *g = &rt_script.globals[i];

		n += g->storage == RT_G_MAP && ((struct rt_map *)g->obj)->desc->percpu &&
		     g->parts < runtime_parts();
	}
	return n;
}

s64 rt_counter_get(struct rt_ctx *c, struct rt_counter *k)
{
	s64 sum = 0;
	u32 i;

	for (i = 0; i < runtime_parts(); i++)
		sum = num_add(sum, *counter_part(k, i));
	return sum;
}

void rt_counter_set(struct rt_ctx *c, struct rt_counter *k, s64 v)
{
	u32 i;

	for (i = 1; i < runtime_parts(); i++)
		*counter_part(k, i) = 0;
	*counter_part(k, 0) = v;
}

void rt_stat_add(struct rt_ctx *c, struct rt_stat *s, s64 v)
{
	agg_add(stat_part(s, c->part), v);
}

void rt_stat_clear(struct rt_ctx *c, struct rt_stat *s)
{
	u32 i;

	for (i = 0; i < runtime_parts(); i++)
		agg_clear(stat_part(s, i));
}

const struct rt_statval *rt_stat_read(struct rt_ctx *c, struct rt_stat *s)
{
	u32 i;

	if (runtime_parts() == 1)
		return stat_part(s, 0);
	agg_init(c->stat, s->desc);
	for (i = 0; i < runtime_parts(); i++)
		agg_merge(c->stat, stat_part(s, i));
	return c->stat;
}

/* ---- extractors ------------------------------------------------------------*/

s64 rt_count(struct rt_ctx *c, const struct rt_statval *v) { return v->count; }
s64 rt_sum(struct rt_ctx *c, const struct rt_statval *v) { return v->sum; }

static s64 stat_or_fail(struct rt_ctx *c, const struct rt_statval *v, u32 order)
{
	if (agg_empty(v))
		ctx_fail(c, RUN_EMPTY);
	return agg_by(v, order);
}

s64 rt_min(struct rt_ctx *c, const struct rt_statval *v) { return stat_or_fail(c, v, RT_BY_MIN); }
s64 rt_max(struct rt_ctx *c, const struct rt_statval *v) { return stat_or_fail(c, v, RT_BY_MAX); }
s64 rt_avg(struct rt_ctx *c, const struct rt_statval *v) { return stat_or_fail(c, v, RT_BY_AVG); }
s64 rt_variance(struct rt_ctx *c, const struct rt_statval *v)
{
	return stat_or_fail(c, v, RT_BY_VARIANCE);
}

s64 rt_percentile(struct rt_ctx *c, const struct rt_statval *v, s64 percent)
{
	if (agg_empty(v))
		ctx_fail(c, RUN_EMPTY);
	return agg_percentile(v, percent < 0 ? 0 : percent > 100 ? 100 : (u32)percent);
}
s64 rt_hist_size(const struct rt_statval *v) { return hist_buckets(v->desc); }

s64 rt_hist_bucket(struct rt_ctx *c, const struct rt_statval *v, s64 i)
{
	if (i < 0 || i >= hist_buckets(v->desc)) {
		ctx_fail(c, RUN_BUCKET);
		return 0;
	}
	return (s64)v->bucket[i];
}

/* True if bucket a precedes b. */
static int bucket_before(const struct rt_statval *v, int up, s64 a, s64 b)
{
	if (v->bucket[a] == v->bucket[b])
		return a < b;
	return up ? v->bucket[a] < v->bucket[b] : v->bucket[a] > v->bucket[b];
}

s64 rt_hist_next(const struct rt_statval *v, int up, s64 i)
{
	s64 n = hist_buckets(v->desc), best = -1;

	for (s64 k = 0; k < n && i < n; k++)
		if ((i < 0 || bucket_before(v, up, i, k)) &&
		    (best < 0 || bucket_before(v, up, k, best)))
			best = k;
	return best;
}
