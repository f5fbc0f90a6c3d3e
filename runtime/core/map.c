// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * map.c - the hash table; see map.h.
 *
 * In a row a long takes 8 bytes, a string a u32 length and maxstring bytes rounded up to 8. In the caller's key struct a long takes
 * 8 bytes and a struct rt_str 16.
 */
#include "runtime/core/map.h"
#include "runtime/core/bytes.h"
#include "runtime/core/port.h"

#define MAP_MIX 0x9e3779b97f4a7c15ULL	/* 2^64 / golden ratio: spreads close numbers */

static u32 map_field(u32 maxstring, u8 kind)
{
	return kind == RT_STRING ? (u32)num_align8(4 + maxstring) : 8;
}

static u32 map_value_at(const struct rt_map_desc *d, u32 maxstring)
{
	u32 at = sizeof(struct map_row), i;

	for (i = 0; i < d->nkeys; i++)
		at += map_field(maxstring, d->key[i]);
	return at;
}

static u32 map_row_bytes(const struct rt_map_desc *d, u32 maxstring)
{
	return map_value_at(d, maxstring) + (d->value == RT_STAT ? agg_bytes(&d->stat) : map_field(maxstring, d->value));
}

static u32 map_buckets(u32 capacity)
{
	u32 n = 16;

	while (n < capacity && n < 1U << 30)
		n *= 2;
	return n;
}

u64 map_bytes(const struct rt_map_desc *d, u32 maxstring)
{
	return num_align8(4ULL * map_buckets(d->capacity)) + (u64)d->capacity * map_row_bytes(d, maxstring) +
	       num_align8(4ULL * d->capacity * (d->iterators + 1U));
}

void map_init(struct map *m, void *memory, const struct rt_map_desc *d, u32 maxstring)
{
	u8 *p = memory;
	u32 buckets = map_buckets(d->capacity);

	memset(m, 0, sizeof(*m));
	m->desc = d;
	m->maxstring = maxstring;
	m->shape = d->nkeys != 1 ? MAP_ANY : d->key[0] == RT_STRING ? MAP_ONE_STRING : MAP_ONE_LONG;
	m->row_bytes = map_row_bytes(d, maxstring);
	m->value_at = map_value_at(d, maxstring);
	m->mask = buckets - 1;
	m->bucket = (u32 *)p;
	m->rows = p + num_align8(4ULL * buckets);
	m->order = (u32 *)(m->rows + (u64)d->capacity * m->row_bytes);
}

static inline u64 map_hash_text(u64 h, struct rt_str s)
{
	u32 i;

	for (i = 0; i + 8 < s.len; i += 8) {
		h = (h ^ bytes_load8(s.p + i)) * MAP_MIX;
		h ^= h >> 29;
	}
	return (h ^ bytes_tail(s.p, s.len) ^ (u64)s.len << 56) * MAP_MIX;
}

static inline struct rt_str map_cut(const struct map *m, struct rt_str s)
{
	if (s.len >= m->maxstring)
		s.len = (u16)(m->maxstring - 1);
	return s;
}

static u64 map_hash_any(const struct map *m, const void *key)
{
	const u8 *p = key;
	u64 h = 0;
	u32 i;

	for (i = 0; i < m->desc->nkeys; i++) {
		if (m->desc->key[i] == RT_STRING) {
			h = map_hash_text(h, map_cut(m, *(const struct rt_str *)p));
			p += sizeof(struct rt_str);
		} else {
			h = (h ^ *(const u64 *)p) * MAP_MIX;
			p += 8;
		}
		h ^= h >> 32;
	}
	return h;
}

static inline u32 map_hash(const struct map *m, const void *key)
{
	u64 h;

	if (m->shape == MAP_ONE_STRING)
		h = map_hash_text(0, map_cut(m, *(const struct rt_str *)key));
	else if (m->shape == MAP_ONE_LONG)
		h = *(const u64 *)key * MAP_MIX;
	else
		h = map_hash_any(m, key);
	return (u32)(h >> 32 ^ h);
}

static inline int map_row_matches(const struct map *m, const struct map_row *row, const void *key)
{
	struct rt_str s;

	if (m->shape == MAP_ANY)
		return map_row_is(m, row, key, 0);
	if (m->shape == MAP_ONE_LONG)
		return *(const s64 *)key == *(const s64 *)(row + 1);
	s = map_cut(m, *(const struct rt_str *)key);
	return *(const u32 *)(row + 1) == s.len && bytes_same((const char *)(row + 1) + 4, s.p, s.len);
}

int map_row_is(const struct map *m, const struct map_row *row, const void *key, u32 wild)
{
	const u8 *p = key, *q = (const u8 *)(row + 1);
	u32 i;

	for (i = 0; i < m->desc->nkeys; i++) {
		if (m->desc->key[i] == RT_STRING) {
			struct rt_str s = wild >> i & 1 ? (struct rt_str){ 0, 0 } : map_cut(m, *(const struct rt_str *)p);

			if (!(wild >> i & 1) && (*(const u32 *)q != s.len || !bytes_same((const char *)q + 4, s.p, s.len)))
				return 0;
			p += sizeof(struct rt_str);
		} else {
			if (!(wild >> i & 1) && *(const s64 *)p != *(const s64 *)q)
				return 0;
			p += 8;
		}
		q += map_field(m->maxstring, m->desc->key[i]);
	}
	return 1;
}

static inline struct map_row *map_lookup(const struct map *m, const void *key, u32 hash)
{
	u32 i = m->bucket[hash & m->mask];

	while (i) {
		struct map_row *row = map_row_at(m, i - 1);

		if (row->hash == hash && map_row_matches(m, row, key))
			return row;
		i = row->chain;
	}
	return 0;
}

struct map_row *map_find(struct map *m, const void *key)
{
	return m->count ? map_lookup(m, key, map_hash(m, key)) : 0;
}

static u32 map_number(const struct map *m, const struct map_row *row)
{
	return (u32)((u64)((const u8 *)row - m->rows) / m->row_bytes);
}

void map_remove(struct map *m, struct map_row *row)
{
	u32 i = map_number(m, row) + 1, *link = &m->bucket[row->hash & m->mask];

	while (*link != i)
		link = &map_row_at(m, *link - 1)->chain;
	*link = row->chain;
	if (row->older)
		map_row_at(m, row->older - 1)->newer = row->newer;
	else
		m->oldest = row->newer;
	if (row->newer)
		map_row_at(m, row->newer - 1)->older = row->older;
	else
		m->newest = row->older;
	row->chain = m->free;
	m->free = i;
	m->count--;
}

void map_empty(struct map *m)
{
	if (m->count)
		memset(m->bucket, 0, 4ULL * (m->mask + 1));
	m->count = m->free = m->fresh = m->oldest = m->newest = 0;
}

/* A row from the pool, or the oldest of a wrapping map; NULL: full. */
static struct map_row *map_take(struct map *m)
{
	struct map_row *row;

	if (!m->free && m->fresh == m->desc->capacity) {
		if (!m->desc->wrap || !m->oldest) {
			m->refused++;
			return 0;
		}
		map_remove(m, map_row_at(m, m->oldest - 1));
	}
	if (m->free) {
		row = map_row_at(m, m->free - 1);
		m->free = row->chain;
		return row;
	}
	return map_row_at(m, m->fresh++);
}

static void map_fill(struct map *m, struct map_row *row, const void *key)
{
	const u8 *p = key;
	u8 *q = (u8 *)(row + 1);
	u32 i;

	for (i = 0; i < m->desc->nkeys; i++) {
		if (m->desc->key[i] == RT_STRING) {
			struct rt_str s = map_cut(m, *(const struct rt_str *)p);

			*(u32 *)q = s.len;
			memcpy(q + 4, s.p, s.len);
			p += sizeof(struct rt_str);
		} else {
			*(s64 *)q = *(const s64 *)p;
			p += 8;
		}
		q += map_field(m->maxstring, m->desc->key[i]);
	}
	if (m->desc->value == RT_STAT)
		agg_init(map_stat(m, row), &m->desc->stat);
	else
		*map_long(m, row) = 0;		/* of a string: its length */
}

struct map_row *map_need(struct map *m, const void *key)
{
	u32 hash = map_hash(m, key);
	struct map_row *row = map_lookup(m, key, hash);
	u32 i;

	if (row)
		return row;
	row = map_take(m);
	if (!row)
		return 0;
	i = map_number(m, row) + 1;
	row->hash = hash;
	row->chain = m->bucket[hash & m->mask];
	m->bucket[hash & m->mask] = i;
	row->older = m->newest;
	row->newer = 0;
	if (m->newest)
		map_row_at(m, m->newest - 1)->newer = i;
	else
		m->oldest = i;
	m->newest = i;
	m->count++;
	map_fill(m, row, key);
	return row;
}

struct map_row *map_first(const struct map *m)
{
	return m->oldest ? map_row_at(m, m->oldest - 1) : 0;
}

struct map_row *map_newer(const struct map *m, const struct map_row *row)
{
	return row->newer ? map_row_at(m, row->newer - 1) : 0;
}

void map_key(const struct map *m, const struct map_row *row, void *key)
{
	const u8 *q = (const u8 *)(row + 1);
	u8 *p = key;
	u32 i;

	for (i = 0; i < m->desc->nkeys; i++) {
		if (m->desc->key[i] == RT_STRING) {
			*(struct rt_str *)p = (struct rt_str){ (const char *)q + 4, (u16)*(const u32 *)q };
			p += sizeof(struct rt_str);
		} else {
			*(s64 *)p = *(const s64 *)q;
			p += 8;
		}
		q += map_field(m->maxstring, m->desc->key[i]);
	}
}

struct rt_str map_text(const struct map *m, const struct map_row *row)
{
	const u8 *q = (const u8 *)row + m->value_at;

	return (struct rt_str){ (const char *)q + 4, (u16)*(const u32 *)q };
}

void map_set_text(const struct map *m, struct map_row *row, struct rt_str v)
{
	u8 *q = (u8 *)row + m->value_at;

	v = map_cut(m, v);
	memmove(q + 4, v.p, v.len);
	*(u32 *)q = v.len;
}

u32 map_merge(struct map *m, const struct map *from)
{
	struct { u64 word[2 * RT_MAXKEYS]; } key;
	const struct map_row *row;
	u32 lost = 0;

	for (row = map_first(from); row; row = map_newer(from, row)) {
		struct map_row *into;

		map_key(from, row, &key);
		into = map_need(m, &key);
		if (!into)
			lost++;
		else if (m->desc->value == RT_STAT)
			agg_merge(map_stat(m, into), map_stat(from, row));
		else if (m->desc->value == RT_LONG)
			*map_long(m, into) = num_add(*map_long(m, into), *map_long(from, row));
	}
	return lost;
}

/* ---- order ----------------------------------------------------------------*/

static int map_compare_text(const u8 *a, const u8 *b)
{
	u32 n = *(const u32 *)a, k = *(const u32 *)b;
	int order = memcmp(a + 4, b + 4, n < k ? n : k);

	return order ? order : (n > k) - (n < k);
}

static int map_compare(const struct map *m, u32 i, u32 k, u32 order)
{
	const struct map_row *a = map_row_at(m, i), *b = map_row_at(m, k);
	u32 at = m->value_at, field;
	u8 kind = m->desc->value;
	s64 x, y;

	if (order >= RT_BY_KEY) {
		at = sizeof(struct map_row);
		for (field = 0; field < order - RT_BY_KEY && field < m->desc->nkeys; field++)
			at += map_field(m->maxstring, m->desc->key[field]);
		kind = m->desc->key[order - RT_BY_KEY < m->desc->nkeys ? order - RT_BY_KEY : 0];
	}
	if (kind == RT_STRING)
		return map_compare_text((const u8 *)a + at, (const u8 *)b + at);
	x = kind == RT_STAT ? agg_by(map_stat(m, a), order) : *(const s64 *)((const u8 *)a + at);
	y = kind == RT_STAT ? agg_by(map_stat(m, b), order) : *(const s64 *)((const u8 *)b + at);
	return (x > y) - (x < y);
}

/* Merges the sorted runs [from, middle) and [middle, to) of a into b; equal rows keep their order. */
static void map_merge_runs(const struct map *m, const u32 *a, u32 *b, u32 from, u32 middle, u32 to, u32 order, s32 direction)
{
	u32 i = from, k = middle, at;

	for (at = from; at < to; at++) {
		if (i < middle && (k >= to || map_compare(m, a[i], a[k], order) * direction <= 0))
			b[at] = a[i++];
		else
			b[at] = a[k++];
	}
}

u32 map_sort(struct map *m, u32 slot, u32 order, s32 direction)
{
	u32 *a = m->order + (u64)slot * m->desc->capacity, *b = m->order + (u64)m->desc->iterators * m->desc->capacity;
	u32 n = 0, run, from, *swap;
	const struct map_row *row;

	for (row = map_first(m); row && n < m->desc->capacity; row = map_newer(m, row))
		a[n++] = map_number(m, row);
	if (order == RT_BY_NONE)
		return n;
	for (run = 1; run < n; run *= 2) {
		for (from = 0; from < n; from += 2 * run)
			map_merge_runs(m, a, b, from, from + run < n ? from + run : n, from + 2 * run < n ? from + 2 * run : n, order,
				       direction);
		swap = a;
		a = b;
		b = swap;
	}
	if (a != m->order + (u64)slot * m->desc->capacity)
		memcpy(b, a, 4ULL * n);
	return n;
}
