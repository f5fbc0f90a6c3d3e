/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fmt.c - fuzz entry: the formatter on any format and any packed arguments: total, within its
 * buffer, the same text through a tiny sink and a large one. Input: the format up to the first NUL,
 * then the bytes of a WIRE_OUTPUT item.
 */
#include "runtime/core/fmt.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct collected {
	char	text[1 << 16];
	size_t	used;
};

static struct collected collected;

static void collect(struct sink *s)
{
	size_t n = s->used < sizeof(collected.text) - collected.used
			   ? s->used
			   : sizeof(collected.text) - collected.used;

	memcpy(collected.text + collected.used, s->p, n);
	collected.used += n;
	s->used = 0;
}

static size_t print(struct sink *s, const char *format, const struct wire_item *item)
{
	struct fmt_item_source source;

	fmt_item_source_init(&source, item);
	fmt_print(s, format, &source.source);
	return s->used;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char large[1 << 16];
	char small[7];
	struct sink whole = { .p = large, .size = sizeof(large) },
		    drip = { .p = small, .size = sizeof(small), .drain = collect };
	size_t format_len = strnlen((const char *)data, size), rest = size - format_len;
	char *format = strndup((const char *)data, format_len);
	struct wire_item *item;

	rest = rest > 1 ? (rest - 1) & ~(size_t)7 : 0;
	item = calloc(1, sizeof(*item) + rest);
	if (rest)
		memcpy(item + 1, data + format_len + 1, rest);
	item->len = (u32)(sizeof(*item) + rest);
	print(&whole, format, item);
	collected.used = 0;
	print(&drip, format, item);
	collect(&drip);
	/*
	 * A directive may be cut where a sink of no more room ends; with room for all of it both
	 * agree.
	 */
	if (whole.used < sizeof(large) / 2 &&
	    (whole.used != collected.used || memcmp(large, collected.text, whole.used)))
		abort();
	free(item);
	free(format);
	return 0;
}
