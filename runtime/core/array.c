// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * array.c - rt_map_* and foreach: arrays of one map or of per-CPU maps that are added up for
 * reading.
 */
#include "runtime/core/array.h"

#include "runtime/core/core.h"
#include "runtime/core/ctx.h"
#include "runtime/core/global.h"
#include "runtime/core/port.h"
#include "runtime/core/sink.h"
#include "runtime/core/fmt.h"

/* out of line, so that the common case does not save the registers that it uses */
#define ARRAY_APART __attribute__((__noinline__))

static inline struct map *array_own(struct rt_ctx *c, struct rt_map *m)
{
	struct array *a = m->impl;

	return (struct map *)((u8 *)a->map + (u64)c->part * a->stride);
}

/*
 * The common case, short and inlined: the address of the value in the row whose only key is this
 * number, in this map. NULL: no such row, or another key type.
 */
static inline s64 *array_quick(const struct map *map, const void *key)
{
	const struct map_row *row = 0;

	if (__builtin_expect(map->shape == MAP_ONE_LONG, 1))
		row = map_find_long(map, *(const s64 *)key, map_hash_long(*(const s64 *)key));
	return row ? map_long(map, row) : 0;
}

static void array_overflow(struct rt_ctx *c, const struct rt_map *m)
{
	char text[64];
	struct sink s = { .p = text, .size = sizeof(text) - 1 };

	if (m->desc->drop)
		return;
	if (!m->desc->sized) {
		ctx_fail_with(c, RUN_ARRAY, "MAXMAPENTRIES");
		return;
	}
	sink_text(&s, "size limit (");
	fmt_unsigned(&s, m->desc->capacity);
	sink_char(&s, ')');
	text[s.used] = 0;
	ctx_fail_with(c, RUN_ARRAY, text);
}

static inline struct map_row *array_need(struct rt_ctx *c, struct rt_map *m, struct map *map,
					 const void *key)
{
	struct map_row *row = map->shape == MAP_ONE_STRING ? map_find_string(map, key) : 0;

	if (__builtin_expect(row != 0, 1))
		return row;
	row = map_need(map, key);
	if (!row)
		array_overflow(c, m);
	return row;
}

static ARRAY_APART s64 array_sum(const struct array *a, const void *key)
{
	s64 sum = 0;
	u32 i;

	for (i = 0; i < a->nparts; i++) {
		struct map_row *row = map_find(&a->map[i], key);

		if (row)
			sum = num_add(sum, *map_long(&a->map[i], row));
	}
	return sum;
}

s64 rt_map_get(struct rt_ctx *c, struct rt_map *m, const void *key)
{
	const struct array *a = m->impl;
	s64 *v = a->stride ? 0 : array_quick(a->map, key);

	return v ? *v : array_sum(a, key);
}

struct rt_str rt_map_get_str(struct rt_ctx *c, struct rt_map *m, const void *key)
{
	struct map *map = array_own(c, m);
	struct map_row *row = map_find(map, key);
	struct rt_str text = row ? map_text(map, row) : RT_STR("");

	return text.hash ? text : rt_dup(c, text);
}

const struct rt_statval *rt_map_stat(struct rt_ctx *c, struct rt_map *m, const void *key)
{
	struct array *a = m->impl;
	u32 i;

	agg_init(c->stat, &m->desc->stat);
	for (i = 0; i < a->nparts; i++) {
		struct map_row *row = map_find(&a->map[i], key);

		if (row && a->nparts == 1)
			return map_stat(a->map, row);
		if (row)
			agg_merge(c->stat, map_stat(&a->map[i], row));
	}
	return c->stat;
}

static ARRAY_APART void array_set(struct rt_ctx *c, struct rt_map *m, const void *key, s64 v)
{
	struct map *map = array_own(c, m);
	struct map_row *row = array_need(c, m, map, key);

	if (row)
		*map_long(map, row) = v;
}

void rt_map_set(struct rt_ctx *c, struct rt_map *m, const void *key, s64 v)
{
	s64 *at;

	if (c->failed)
		return;
	at = array_quick(array_own(c, m), key);
	if (__builtin_expect(at != 0, 1))
		*at = v;
	else
		array_set(c, m, key, v);
}

void rt_map_set_str(struct rt_ctx *c, struct rt_map *m, const void *key, struct rt_str v)
{
	struct map *map = array_own(c, m);
	struct map_row *row = c->failed ? 0 : array_need(c, m, map, key);

	if (row)
		map_set_text(map, row, v);
}

/* map: array_own() of m. */
static ARRAY_APART s64 array_add(struct rt_ctx *c, struct rt_map *m, struct map *map,
				 const void *key, s64 n)
{
	struct map_row *row = array_need(c, m, map, key);
	s64 *v;

	if (!row)
		return 0;
	v = map_long(map, row);
	*v = num_add(*v, n);
	return *v;
}

/* The same for a map whose key is an interned string, such as a stack's. */
static ARRAY_APART s64 array_add_kept(struct rt_ctx *c, struct rt_map *m, struct map *map,
				      const void *key, s64 n)
{
	const struct map_row *row = map_find_kept(map, key);
	s64 *v;

	if (!row)
		return array_add(c, m, map, key, n);
	v = map_long(map, row);
	*v = num_add(*v, n);
	return *v;
}

s64 rt_map_add(struct rt_ctx *c, struct rt_map *m, const void *key, s64 n)
{
	struct map *map = array_own(c, m);
	s64 *v;

	if (c->failed)
		return 0;
	v = array_quick(map, key);
	if (__builtin_expect(!v, 0))
		return map->shape == MAP_ONE_STRING && ((const struct rt_str *)key)->hash
			       ? array_add_kept(c, m, map, key, n)
			       : array_add(c, m, map, key, n);
	*v = num_add(*v, n);
	return *v;
}

void rt_map_stat_add(struct rt_ctx *c, struct rt_map *m, const void *key, s64 v)
{
	struct map *map = array_own(c, m);
	struct map_row *row = c->failed ? 0 : array_need(c, m, map, key);

	if (row)
		agg_add(map_stat(map, row), v);
}

static int array_has_like(const struct map *map, const void *key, u32 wild)
{
	const struct map_row *row;

	for (row = map_first(map); row; row = map_newer(map, row))
		if (map_row_is(map, row, key, wild))
			return 1;
	return 0;
}

static ARRAY_APART s64 array_has(const struct array *a, const void *key, u32 wild)
{
	u32 i;

	for (i = 0; i < a->nparts; i++)
		if (wild ? array_has_like(&a->map[i], key, wild) : map_find(&a->map[i], key) != 0)
			return 1;
	return 0;
}

s64 rt_map_has(struct rt_ctx *c, struct rt_map *m, const void *key, u32 wild)
{
	const struct array *a = m->impl;

	return (!wild && array_quick(a->map, key)) || array_has(a, key, wild);
}

void rt_map_delete(struct rt_ctx *c, struct rt_map *m, const void *key, u32 wild)
{
	struct array *a = m->impl;
	struct map_row *row, *next;
	u32 i;

	for (i = 0; i < a->nparts; i++) {
		struct map *map = &a->map[i];

		if (!wild) {
			row = map_find(map, key);
			if (row)
				map_remove(map, row);
			continue;
		}
		for (row = map_first(map); row; row = next) {
			next = map_newer(map, row);
			if (map_row_is(map, row, key, wild))
				map_remove(map, row);
		}
	}
}

void rt_map_clear(struct rt_ctx *c, struct rt_map *m)
{
	struct array *a = m->impl;
	u32 i;

	for (i = 0; i < a->nparts; i++)
		map_empty(&a->map[i]);
	if (a->total->busy)
		map_empty(a->total);	/* rt_next(): the loops over it end */
}

/* ---- foreach ---------------------------------------------------------------*/

/* Adds to the number of rows that did not fit. */
static u32 array_merge(struct array *a)
{
	u32 i, lost = 0;

	if (a->nparts == 1)
		return 0;
	map_empty(a->total);
	for (i = 0; i < a->nparts; i++)
		lost += map_merge(a->total, &a->map[i]);
	return lost;
}

struct map *array_total(const struct rt_map *m)
{
	array_merge(m->impl);
	return ((struct array *)m->impl)->total;
}

/* Sums the parts; nested loops over the same array use the same sum. */
static void array_add_up(struct rt_ctx *c, struct rt_map *m)
{
	struct array *a = m->impl;

	if (!a->total->busy && array_merge(a) && !m->desc->drop)
		ctx_fail_with(c, RUN_AGGREGATION, m->desc->name);
}

void rt_foreach_slice(struct rt_ctx *c, struct rt_iter *it, struct rt_map *m, u32 order,
		      s32 direction, s64 limit, const void *slice, u32 wild)
{
	struct map *total = ((struct array *)m->impl)->total;
	u32 slot = 0;

	memset(it, 0, sizeof(*it));
	it->map = m;
	it->slot = ~0U;
	it->slice = slice;
	it->wild = wild;
	if (c->failed)
		return;
	while (slot < m->desc->iterators && total->busy >> slot & 1)
		slot++;
	if (slot >= m->desc->iterators || slot >= 32) {
		ctx_fail(c, RUN_LOOPS);
		return;
	}
	array_add_up(c, m);
	if (c->failed)
		return;
	it->slot = slot;
	total->busy |= 1U << slot;
	it->end = map_sort(total, slot, order, direction, slice ? -1 : limit);
	it->left = limit;
}

void rt_foreach(struct rt_ctx *c, struct rt_iter *it, struct rt_map *m, u32 order, s32 direction,
		s64 limit)
{
	rt_foreach_slice(c, it, m, order, direction, limit, 0, 0);
}

static const struct map_row *iter_row(const struct rt_iter *it)
{
	const struct map *total = ((struct array *)it->map->impl)->total;

	return map_row_at(total,
			  total->order[(u64)it->slot * it->map->desc->capacity + it->at - 1]);
}

int rt_next(struct rt_ctx *c, struct rt_iter *it, void *row)
{
	struct map *total = ((struct array *)it->map->impl)->total;

	while (it->slot != ~0U && !c->failed && total->count && it->at < it->end && it->left) {
		it->at++;
		if (it->slice && !map_row_is(total, iter_row(it), it->slice, it->wild))
			continue;
		if (it->left > 0)
			it->left--;
		map_key(total, iter_row(it), row);
		return 1;
	}
	rt_foreach_end(c, it);
	return 0;
}

void rt_foreach_end(struct rt_ctx *c, struct rt_iter *it)
{
	if (it->slot == ~0U)
		return;
	((struct array *)it->map->impl)->total->busy &= ~(1U << it->slot);
	it->slot = ~0U;
}

s64 rt_iter_long(const struct rt_iter *it)
{
	return *map_long(((struct array *)it->map->impl)->total, iter_row(it));
}

struct rt_str rt_iter_str(const struct rt_iter *it)
{
	return map_text(((struct array *)it->map->impl)->total, iter_row(it));
}

const struct rt_statval *rt_iter_stat(struct rt_ctx *c, const struct rt_iter *it)
{
	return map_stat(((struct array *)it->map->impl)->total, iter_row(it));
}
