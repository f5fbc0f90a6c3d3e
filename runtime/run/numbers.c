/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * numbers.c - see numbers.h. A hash table with open addresses, at most half full.
 */
#include "runtime/run/numbers.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SIZE 256

/* 2^64 over the golden ratio: Fibonacci hashing. */
static u64 mix(u64 h, u64 v)
{
	h = (h ^ v) * 0x9e3779b97f4a7c15ULL;
	return h ^ h >> 32;
}

static struct numbered *find(const struct numbers *t, u64 a, u64 b)
{
	u64 at = mix(mix(0, a), b);

	for (;; at++) {
		struct numbered *s = &t->slot[at & (t->size - 1)];

		if (!s->number || (s->a == a && s->b == b))
			return s;
	}
}

static void grow(struct numbers *t)
{
	struct numbers larger = { .n = t->n, .size = t->size ? 2 * t->size : FIRST_SIZE };

	larger.slot = calloc(larger.size, sizeof(*larger.slot));
	if (!larger.slot)
		abort();
	for (u32 i = 0; i < t->size; i++)
		if (t->slot[i].number)
			*find(&larger, t->slot[i].a, t->slot[i].b) = t->slot[i];
	free(t->slot);
	*t = larger;
}

u32 numbers_of(struct numbers *t, u64 a, u64 b, int *is_new)
{
	struct numbered *s;

	if (2 * t->n >= t->size)
		grow(t);
	s = find(t, a, b);
	*is_new = !s->number;
	if (!s->number)
		*s = (struct numbered){ a, b, ++t->n };
	return s->number - 1;
}

void numbers_clear(struct numbers *t)
{
	free(t->slot);
	memset(t, 0, sizeof(*t));
}
