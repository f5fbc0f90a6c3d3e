/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * map.h - one hash table of rows with up to RT_MAXKEYS keys.
 *
 * Rows come from a pool allocated at load; strings are stored inside rows. Rows keep insertion
 * order. The caller provides the memory (map_bytes()) and excludes concurrent use: no locks here.
 * Does not know contexts, CPUs or errors.
 */
#ifndef LAPWING_CORE_MAP_H
#define LAPWING_CORE_MAP_H

#include "runtime/core/stat.h"
#include "runtime/rt.h"

struct map_row {
	u32	hash;
	u32	chain;		/* next row of the bucket, + 1; also the free list */
	u32	older, newer;	/* insertion order, + 1 */
};	/* keys, then the value, follow */

/* A row during sorting. */
struct map_sorted {
	s64	first;		/* the sort key, or its beginning */
	u32	row;
	u32	place;		/* in insertion order */
};

/* Nearly all arrays have one key, for which the descriptor is not walked. */
enum map_shape { MAP_ANY, MAP_ONE_LONG, MAP_ONE_STRING };

struct map {
	const struct rt_map_desc *desc;	/* never changes after map_init(), like all members up to
					 * order */
	u32	maxstring, row_bytes, key_bytes, value_at, mask;
	u32	shape;		/* enum map_shape */
	u32	*bucket;	/* row + 1, or 0 */
	u8	*rows;
	struct map_sorted *sorted;	/* 2 * capacity: scratch of the sorter, unused between
					 * loops */
	u32	*order;		/* iterators * capacity: row numbers in loop order */
	u32	busy;		/* one bit per order buffer in use */
	u32	count;
	u32	free;		/* free list, + 1 */
	u32	fresh;		/* rows never used so far */
	u32	oldest, newest;	/* + 1 */
	u64	refused;	/* inserts into a full map */
} __attribute__((__aligned__(RT_LINE)));	/* each CPU counts in its own map */

/* A text's hash, for rt_str.hash of interned strings. */
u32 map_hash_text(struct rt_str s);
u64 map_bytes(const struct rt_map_desc *d, u32 maxstring);
/* Additional bytes of a map with loops; 0 without loops. */
u64 map_order_bytes(const struct rt_map_desc *d);
/* memory: map_bytes(), zeroed, 8-aligned. */
void map_init(struct map *m, void *memory, const struct rt_map_desc *d, u32 maxstring);
/* memory: map_order_bytes(), 8-aligned. Before map_sort(). */
void map_order_init(struct map *m, void *memory);
struct map_row *map_find(struct map *m, const void *key);
/* Finds or adds a row (value 0); NULL: full (counted) and not wrapping. */
struct map_row *map_need(struct map *m, const void *key);
void map_remove(struct map *m, struct map_row *row);
void map_empty(struct map *m);
/* True if the row's key equals *key in all positions without a wildcard bit. */
int map_row_is(const struct map *m, const struct map_row *row, const void *key, u32 wild);
/* First and next row in insertion order; NULL: none. */
struct map_row *map_first(const struct map *m);
struct map_row *map_newer(const struct map *m, const struct map_row *row);
/* The row's key as the caller's key struct; strings point into the row. */
void map_key(const struct map *m, const struct map_row *row, void *key);
/*
 * Adds longs and merges statistics of another map of the same shape; returns the number of rows
 * that did not fit.
 */
u32 map_merge(struct map *m, const struct map *from);
/*
 * Fills buffer slot with row numbers in order; returns their number: all, or only the first `limit`
 * (negative: no limit). Stable.
 */
u32 map_sort(struct map *m, u32 slot, u32 by, s32 direction, s64 limit);

static inline struct map_row *map_row_at(const struct map *m, u32 i)
{
	return (struct map_row *)(m->rows + (u64)i * m->row_bytes);
}

/* The value; by desc->value one of these. */
static inline s64 *map_long(const struct map *m, const struct map_row *row)
{
	return (s64 *)((u8 *)row + m->value_at);
}
static inline struct rt_statval *map_stat(const struct map *m, const struct map_row *row)
{
	return (struct rt_statval *)((u8 *)row + m->value_at);
}

#define MAP_MIX 0x9e3779b97f4a7c15ULL	/* 2^64 / golden ratio: spreads close numbers */

/*
 * Every bit of x affects the low bits of the result: the upper half of the product is folded down.
 */
static inline u64 map_mix(u64 x)
{
	unsigned __int128 product = (unsigned __int128)x * MAP_MIX;

	return (u64)product ^ (u64)(product >> 64);
}

static inline u32 map_hash_long(s64 key)
{
	return (u32)map_mix((u64)key);
}

/* map_find() of MAP_ONE_LONG; the long alone identifies the row. */
static inline struct map_row *map_find_long(const struct map *m, s64 key, u32 hash)
{
	u32 i = m->bucket[hash & m->mask];

	while (i) {
		struct map_row *row = map_row_at(m, i - 1);

		if (*(const s64 *)(row + 1) == key)
			return row;
		i = row->chain;
	}
	return 0;
}

/* flag in a string field's length: the field holds an interned string: length, hash, address */
#define MAP_KEPT 0x80000000U

/*
 * map_find() of MAP_ONE_STRING for an interned string, compared by address; NULL: another copy of
 * it may be there.
 */
static inline struct map_row *map_find_kept(const struct map *m, const struct rt_str *key)
{
	u32 i = m->bucket[key->hash & m->mask];

	while (i) {
		struct map_row *row = map_row_at(m, i - 1);
		const u8 *field = (const u8 *)(row + 1);

		if (*(const char *const *)(field + 8) == key->p &&
		    *(const u32 *)field == (key->len | MAP_KEPT))
			return row;
		i = row->chain;
	}
	return 0;
}

/* map_find() of MAP_ONE_STRING. */
struct map_row *map_find_string(const struct map *m, const struct rt_str *key);

struct rt_str map_text(const struct map *m, const struct map_row *row);
void map_set_text(const struct map *m, struct map_row *row, struct rt_str v);

#endif
