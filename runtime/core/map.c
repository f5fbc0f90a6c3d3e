// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * map.c - the hash table; see map.h.
 *
 * In a row a long takes 8 bytes, a string a u32 length and maxstring bytes rounded up to 8; an
 * interned string (rt_str.hash) is stored as the length with MAP_KEPT, the hash and the address. In
 * the caller's key struct a long takes 8 bytes and a struct rt_str 16.
 */
#include "runtime/core/map.h"
#include "runtime/core/bytes.h"
#include "runtime/core/port.h"

/* if fewer than one in this many rows are wanted, selecting is cheaper than sorting */
#define MAP_TOP		8

static inline struct rt_str map_get_string(const u8 *field)
{
	u32 n = *(const u32 *)field;

	if (__builtin_expect(n & MAP_KEPT, 0))
		return (struct rt_str){ *(const char *const *)(field + 8), (u16)n,
					((const u32 *)field)[1] };
	return (struct rt_str){ (const char *)field + 4, (u16)n, 0 };
}

/* s has been truncated; its text may be in the field already. */
static inline void map_put_string(u8 *field, struct rt_str s)
{
	if (__builtin_expect(s.hash, 0)) {
		*(u32 *)field = s.len | MAP_KEPT;
		((u32 *)field)[1] = s.hash;
		*(const char **)(field + 8) = s.p;
		return;
	}
	memmove(field + 4, s.p, s.len);
	*(u32 *)field = s.len;
}

static inline int map_is_string(const u8 *field, struct rt_str s)
{
	u32 n = *(const u32 *)field;

	if (__builtin_expect(n & MAP_KEPT, 0)) {
		const char *p = *(const char *const *)(field + 8);

		return (u16)n == s.len && (p == s.p || bytes_same(p, s.p, s.len));
	}
	return n == s.len && bytes_same((const char *)field + 4, s.p, s.len);
}

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
	return map_value_at(d, maxstring) +
	       (d->value == RT_STAT ? agg_bytes(&d->stat) : map_field(maxstring, d->value));
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
	return num_align8(4ULL * map_buckets(d->capacity)) +
	       (u64)d->capacity * map_row_bytes(d, maxstring);
}

u64 map_order_bytes(const struct rt_map_desc *d)
{
	return d->iterators ? d->capacity * (2 * sizeof(struct map_sorted) +
					     num_align8(4ULL * d->iterators))
			    : 0;
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
}

void map_order_init(struct map *m, void *memory)
{
	m->sorted = memory;
	m->order = (u32 *)(m->sorted + 2ULL * m->desc->capacity);
}

u32 map_hash_text(struct rt_str s)
{
	u64 h = 0;
	u32 i;

	for (i = 0; i + 8 < s.len; i += 8)
		h = map_mix(h ^ bytes_load8(s.p + i));
	return (u32)map_mix(h ^ bytes_tail(s.p, s.len) ^ (u64)s.len << 56);
}

static inline struct rt_str map_cut(const struct map *m, struct rt_str s)
{
	if (s.len >= m->maxstring)
		s = (struct rt_str){ s.p, (u16)(m->maxstring - 1), 0 };
	return s;
}

/* s has been truncated. */
static inline u32 map_hash_string(struct rt_str s)
{
	return s.hash ? s.hash : map_hash_text(s);
}

static u64 map_hash_any(const struct map *m, const void *key)
{
	const u8 *p = key;
	u64 h = 0;
	u32 i;

	for (i = 0; i < m->desc->nkeys; i++) {
		if (m->desc->key[i] == RT_STRING) {
			h = map_mix(h ^ map_hash_string(map_cut(m, *(const struct rt_str *)p)));
			p += sizeof(struct rt_str);
		} else {
			h = map_mix(h ^ *(const u64 *)p);
			p += 8;
		}
	}
	return h;
}

static inline u32 map_hash(const struct map *m, const void *key)
{
	if (m->shape == MAP_ONE_STRING)
		return map_hash_string(map_cut(m, *(const struct rt_str *)key));
	return (u32)map_hash_any(m, key);
}

int map_row_is(const struct map *m, const struct map_row *row, const void *key, u32 wild)
{
	const u8 *p = key, *q = (const u8 *)(row + 1);
	u32 i;

	for (i = 0; i < m->desc->nkeys; i++) {
		if (m->desc->key[i] == RT_STRING) {
			if (!(wild >> i & 1) &&
			    !map_is_string(q, map_cut(m, *(const struct rt_str *)p)))
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

		if (row->hash == hash && map_row_is(m, row, key, 0))
			return row;
		i = row->chain;
	}
	return 0;
}

struct map_row *map_find_string(const struct map *m, const struct rt_str *key)
{
	struct rt_str s = map_cut(m, *key);
	u32 hash = map_hash_string(s), i = m->bucket[hash & m->mask];

	while (i) {
		struct map_row *row = map_row_at(m, i - 1);

		if (row->hash == hash && map_is_string((const u8 *)(row + 1), s))
			return row;
		i = row->chain;
	}
	return 0;
}

/* A separate function, so that the registers it saves are not saved for a long. */
static __attribute__((__noinline__)) struct map_row *map_find_other(const struct map *m,
								    const void *key)
{
	return map_lookup(m, key, map_hash(m, key));
}

struct map_row *map_find(struct map *m, const void *key)
{
	if (!m->count)
		return 0;
	if (m->shape == MAP_ONE_LONG)
		return map_find_long(m, *(const s64 *)key, map_hash_long(*(const s64 *)key));
	return m->shape == MAP_ONE_STRING ? map_find_string(m, key) : map_find_other(m, key);
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
			map_put_string(q, map_cut(m, *(const struct rt_str *)p));
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
		*map_long(m, row) = 0;		/* for a string: its length */
}

/* Adds a row for a key that has none. */
static __attribute__((__noinline__)) struct map_row *map_insert(struct map *m, const void *key,
								u32 hash)
{
	struct map_row *row = map_take(m);
	u32 i;

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

static struct map_row *map_need_hashed(struct map *m, const void *key, u32 hash)
{
	struct map_row *row = m->shape == MAP_ONE_LONG ? map_find_long(m, *(const s64 *)key, hash)
						       : map_lookup(m, key, hash);

	return row ? row : map_insert(m, key, hash);
}

static __attribute__((__noinline__)) struct map_row *map_need_other(struct map *m, const void *key)
{
	u32 hash = map_hash(m, key);
	struct map_row *row = map_lookup(m, key, hash);

	return row ? row : map_insert(m, key, hash);
}

struct map_row *map_need(struct map *m, const void *key)
{
	struct map_row *row;
	u32 hash;

	if (m->shape != MAP_ONE_LONG)
		return map_need_other(m, key);
	hash = map_hash_long(*(const s64 *)key);
	row = map_find_long(m, *(const s64 *)key, hash);
	return row ? row : map_insert(m, key, hash);
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
			*(struct rt_str *)p = map_get_string(q);
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
	return map_get_string((const u8 *)row + m->value_at);
}

void map_set_text(const struct map *m, struct map_row *row, struct rt_str v)
{
	map_put_string((u8 *)row + m->value_at, map_cut(m, v));
}

u32 map_merge(struct map *m, const struct map *from)
{
	struct { u64 word[2 * RT_MAXKEYS]; } key;
	const struct map_row *row;
	u32 lost = 0;

	for (row = map_first(from); row; row = map_newer(from, row)) {
		struct map_row *into;

		map_key(from, row, &key);
		into = map_need_hashed(m, &key, row->hash);
		if (!into)
			lost++;
		else if (m->desc->value == RT_STAT)
			agg_merge(map_stat(m, into), map_stat(from, row));
		else if (m->desc->value == RT_LONG)
			*map_long(m, into) = num_add(*map_long(m, into), *map_long(from, row));
	}
	return lost;
}

/* ---- order ----------------------------------------------------------------
 *
 * The sort key of each row is read once, into a struct map_sorted: a signed number that is
 * smaller for rows that come first. For a string it is the first 8 bytes; if those are equal the
 * strings are compared. */
struct map_order {
	const struct map *m;
	u32		at;		/* in a row */
	u32		by;		/* enum rt_order */
	u8		kind;		/* enum rt_kind of what is at `at` */
	s32		direction;
};

static struct map_order map_order_by(const struct map *m, u32 by, s32 direction)
{
	struct map_order o = { m, m->value_at, by, m->desc->value, direction };
	u32 wanted, field;

	if (by < RT_BY_KEY)
		return o;
	wanted = by - RT_BY_KEY < m->desc->nkeys ? by - RT_BY_KEY : 0;
	o.at = sizeof(struct map_row);
	for (field = 0; field < wanted; field++)
		o.at += map_field(m->maxstring, m->desc->key[field]);
	o.kind = m->desc->key[wanted];
	return o;
}

static s64 map_prefix(const u8 *field)
{
	struct rt_str s = map_get_string(field);
	u64 prefix = 0;
	u32 i;

	for (i = 0; i < 8; i++)
		prefix = prefix << 8 | (i < s.len ? (u8)s.p[i] : 0);
	return (s64)(prefix ^ 1ULL << 63);
}

static inline struct map_sorted map_sorted_row(const struct map_order *o, const struct map_row *row,
					       u32 place)
{
	const u8 *p = (const u8 *)row + o->at;
	s64 v = o->kind == RT_LONG ? *(const s64 *)p
		: o->kind == RT_STAT ? agg_by((const struct rt_statval *)p, o->by)
		: map_prefix(p);

	return (struct map_sorted){ o->direction < 0 ? ~v : v, map_number(o->m, row), place };
}

static int map_compare_text(const struct map_order *o, u32 i, u32 k)
{
	struct rt_str s = map_get_string((const u8 *)map_row_at(o->m, i) + o->at);
	struct rt_str t = map_get_string((const u8 *)map_row_at(o->m, k) + o->at);
	int order = memcmp(s.p, t.p, s.len < t.len ? s.len : t.len);

	return (order ? order : (s.len > t.len) - (s.len < t.len)) * o->direction;
}

/* True if a comes after b. Equal rows: false. */
static inline int map_is_after(const struct map_order *o, const struct map_sorted *a,
			       const struct map_sorted *b)
{
	if (a->first != b->first || o->kind != RT_STRING)
		return a->first > b->first;
	return map_compare_text(o, a->row, b->row) > 0;
}

/*
 * Merges the sorted runs [from, middle) and [middle, to) of a into b; equal rows keep their order.
 */
static void map_merge_runs(const struct map_order *o, const struct map_sorted *a,
			   struct map_sorted *b, u32 from, u32 middle, u32 to)
{
	u32 i = from, k = middle, at = from;

	while (i < middle && k < to)
		b[at++] = map_is_after(o, &a[i], &a[k]) ? a[k++] : a[i++];
	while (i < middle)
		b[at++] = a[i++];
	while (k < to)
		b[at++] = a[k++];
}

/* Sorts a[0..n) with b as scratch; returns the array with the result. */
static struct map_sorted *map_sort_all(const struct map_order *o, struct map_sorted *a,
				       struct map_sorted *b, u32 n)
{
	struct map_sorted *swap;
	u32 run, from;

	for (run = 1; run < n; run *= 2) {
		for (from = 0; from < n; from += 2 * run)
			map_merge_runs(o, a, b, from, from + run < n ? from + run : n,
				       from + 2 * run < n ? from + 2 * run : n);
		swap = a;
		a = b;
		b = swap;
	}
	return a;
}

/* The heap's order: of equal rows the later insertion comes after. */
static inline int map_is_below(const struct map_order *o, const struct map_sorted *a,
			       const struct map_sorted *b)
{
	return map_is_after(o, a, b) || (a->place > b->place && !map_is_after(o, b, a));
}

/* Puts `moved` at heap[i] or below it; the last row of all is at the top. */
static void map_sift(const struct map_order *o, struct map_sorted *heap, u32 n, u32 i,
		     struct map_sorted moved)
{
	u32 child;

	while ((child = 2 * i + 1) < n) {
		child += child + 1 < n && map_is_below(o, &heap[child + 1], &heap[child]);
		if (!map_is_below(o, &heap[child], &moved))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = moved;
}

/* The first `top` rows in order: one pass over the map, which keeps them in a heap. */
static void map_sort_top(const struct map_order *o, struct map_sorted *heap, u32 top)
{
	const struct map_row *row = map_first(o->m);
	struct map_sorted next;
	u32 place, i;

	for (place = 0; place < top; place++, row = map_newer(o->m, row))
		heap[place] = map_sorted_row(o, row, place);
	for (i = top / 2; i > 0; i--)
		map_sift(o, heap, top, i - 1, heap[i - 1]);
	for (; row; row = map_newer(o->m, row), place++) {
		next = map_sorted_row(o, row, place);
		if (map_is_after(o, &heap[0], &next))
			map_sift(o, heap, top, 0, next);
	}
	for (i = top - 1; i > 0; i--) {
		next = heap[i];
		heap[i] = heap[0];
		map_sift(o, heap, i, 0, next);
	}
}

u32 map_sort(struct map *m, u32 slot, u32 by, s32 direction, s64 limit)
{
	struct map_order o = map_order_by(m, by, direction);
	struct map_sorted *sorted = m->sorted;
	const struct map_row *row;
	u32 *order = m->order + (u64)slot * m->desc->capacity, n = 0, i;

	if (by == RT_BY_NONE) {
		for (row = map_first(m); row; row = map_newer(m, row))
			order[n++] = map_number(m, row);
		return n;
	}
	if (limit > 0 && limit < m->count / MAP_TOP) {
		n = (u32)limit;
		map_sort_top(&o, sorted, n);
	} else {
		for (row = map_first(m); row; row = map_newer(m, row), n++)
			sorted[n] = map_sorted_row(&o, row, n);
		sorted = map_sort_all(&o, sorted, sorted + m->desc->capacity, n);
	}
	for (i = 0; i < n; i++)
		order[i] = sorted[i].row;
	return n;
}
