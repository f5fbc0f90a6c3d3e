/* SPDX-License-Identifier: GPL-2.0-or-later */
/* counts.c - see counts.h. */
#include "watch/counts.h"

#define ROOM	1024

static guint32 slot_of(struct count_key k, guint32 room)
{
	guint64 h = (guint64)k.stack << 32 | k.unit;

	/* 2^64 over the golden ratio: Fibonacci hashing */
	h = (h ^ ((guint64)k.event << 16 | k.flaws)) * 0x9e3779b97f4a7c15ull;
	return (guint32)(h >> 32) & (room - 1);
}

static int is_same(struct count_key a, struct count_key b)
{
	return a.stack == b.stack && a.unit == b.unit && a.event == b.event && a.flaws == b.flaws;
}

static struct count_row *row_of(struct counts *c, struct count_key key)
{
	guint32 at = slot_of(key, c->room);

	while (c->rows[at].used && !is_same(c->rows[at].key, key))
		at = (at + 1) & (c->room - 1);
	return &c->rows[at];
}

static void grow(struct counts *c)
{
	struct counts larger = { .room = c->room ? 2 * c->room : ROOM, .used = c->used };

	larger.rows = g_new0(struct count_row, larger.room);
	for (guint32 i = 0; i < c->room; i++)
		if (c->rows[i].used)
			*row_of(&larger, c->rows[i].key) = c->rows[i];
	g_free(c->rows);
	*c = larger;
}

void counts_add(struct counts *c, struct count_key key, guint64 weight)
{
	struct count_row *row;

	if (c->used >= c->room / 4 * 3)
		grow(c);
	row = row_of(c, key);
	c->used += !row->used;
	row->used = 1;
	row->key = key;
	row->count++;
	row->weight += weight;
}

const struct count_row *counts_next(const struct counts *c, const struct count_row *row)
{
	const struct count_row *end = c->rows + c->room;

	for (row = row ? row + 1 : c->rows; row && row < end; row++)
		if (row->used)
			return row;
	return NULL;
}

void counts_clear(struct counts *c)
{
	g_free(c->rows);
	*c = (struct counts){ 0 };
}
