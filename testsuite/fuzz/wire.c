/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wire.c - fuzz entry: the reader on any ring: every record and item lies inside the ring, the loop
 * terminates, and symbol tables accepted by symtab_check() can be searched. Input: tail, head, then
 * the ring's bytes; the same bytes as a symbol table.
 */
#include "runtime/core/core.h"
#include "runtime/core/fmt.h"
#include "runtime/core/frame.h"
#include "runtime/core/symbol.h"
#include "runtime/core/hist.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void discard(struct sink *s) { s->used = 0; }

static void print_items(const struct wire_record *rec, u32 len)
{
	struct wire_record *copy = malloc(len);
	const struct wire_item *item;
	u32 at = 0;

	memcpy(copy, rec, len);
	copy->len = len;
	while ((item = record_item(copy, &at))) {
		struct fmt_item_source source;
		char text[64];
		struct sink s = { .p = text, .size = sizeof(text), .drain = discard };
		const struct wire_hist *h = (const struct wire_hist *)(item + 1);
		u32 left = item->len - (u32)sizeof(*item);

		if ((const u8 *)item + item->len > (const u8 *)copy + len)
			abort();
		fmt_item_source_init(&source, item);
		fmt_print(&s, "%d %s %5c %.*m %08x %s %p", &source.source);
		if (left >= sizeof(*h) && h->nbuckets <= (left - sizeof(*h)) / 8)
			hist_print(&s, h, h->count);
	}
	free(copy);
}

static void read_ring(const uint8_t *data, size_t size)
{
	enum { SIZE = 4096 };
	struct wire_ring *r = aligned_alloc(64, WIRE_RING_HEADER + SIZE);
	const struct wire_record *rec;
	u64 pos, head, steps = 0;
	int bad = 0;
	u32 len;

	memcpy(&pos, data, 8);
	memcpy(&head, data + 8, 8);
	pos &= ~7ULL;
	head = pos + (head & (2 * SIZE - 1) & ~7ULL);
	memset(r, 0, WIRE_RING_HEADER + SIZE);
	for (size_t i = 0; i < SIZE && size > 16; i++)
		((u8 *)r)[WIRE_RING_HEADER + i] = data[16 + i % (size - 16)];
	while ((rec = ring_next(r, SIZE, &pos, head, &len, &bad))) {
		if ((const u8 *)rec < (u8 *)r + WIRE_RING_HEADER ||
		    (const u8 *)rec + len > (u8 *)r + WIRE_RING_HEADER + SIZE || ++steps > SIZE)
			abort();
		print_items(rec, len);
	}
	if (pos != head)
		abort();
	free(r);
}

static void search_table(const uint8_t *data, size_t size)
{
	struct wire_symtab *t = malloc(size);

	memcpy(t, data, size);
	if (size >= sizeof(*t) && !symtab_check(t, size))
		for (u64 at = 0; at < 64; at++) {
			char text[256];
			struct sink out = { .p = text, .size = sizeof(text) };

			symbol_print(&out, t, at << (at % 60), at,
				     at % 2 ? SYMBOL_FILELINE : SYMBOL_DATA);
		}
	free(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 16)
		return 0;
	read_ring(data, size);
	search_table(data, size);
	return 0;
}
