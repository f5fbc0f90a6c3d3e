/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pair_ids.c - see pair_ids.h. */
#include "lib/pair_ids.h"

#include <glib.h>

#define SLOTS	1024

/*
 * 2^64 over the golden ratio: Fibonacci hashing; twice for b, as the product alone leaves numbers of a
 * constant step, such as times, in few slots.
 */
static uint32_t slot_of(uint64_t a, uint64_t b, uint32_t nslots)
{
	const uint64_t ratio = 0x9e3779b97f4a7c15ull;
	uint64_t h = a * ratio;

	h = (h ^ h >> 32 ^ b) * ratio;
	h = (h ^ h >> 32) * ratio;
	return (uint32_t)(h >> 32) & (nslots - 1);
}

/* The slot that has the pair, or a free one. */
static struct pair_slot *find(const struct pair_ids *t, uint64_t a, uint64_t b)
{
	uint32_t at = slot_of(a, b, t->nslots);

	while (t->slots[at].number && (t->slots[at].pair.a != a || t->slots[at].pair.b != b))
		at = (at + 1) & (t->nslots - 1);
	return &t->slots[at];
}

static void grow(struct pair_ids *t)
{
	g_free(t->slots);
	t->nslots = t->nslots ? 2 * t->nslots : SLOTS;
	t->slots = g_new0(struct pair_slot, t->nslots);
	t->pairs = g_renew(struct pair, t->pairs, t->nslots / 2);
	for (uint32_t i = 0; i < t->n; i++)
		*find(t, t->pairs[i].a, t->pairs[i].b) = (struct pair_slot){ t->pairs[i], i + 1 };
}

uint32_t pair_ids_number(struct pair_ids *t, uint64_t a, uint64_t b)
{
	struct pair_slot *slot;

	if (t->n >= t->nslots / 2)
		grow(t);
	slot = find(t, a, b);
	if (!slot->number) {
		t->pairs[t->n++] = (struct pair){ a, b };
		*slot = (struct pair_slot){ { a, b }, t->n };
	}
	return slot->number - 1;
}

void pair_ids_prefetch(const struct pair_ids *t, uint64_t a, uint64_t b)
{
	if (t->nslots)
		__builtin_prefetch(&t->slots[slot_of(a, b, t->nslots)]);
}

void pair_ids_clear(struct pair_ids *t)
{
	g_free(t->pairs);
	g_free(t->slots);
	*t = (struct pair_ids){ 0 };
}
