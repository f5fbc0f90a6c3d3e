/* SPDX-License-Identifier: GPL-2.0-or-later */
/* segment.c - fuzz entry: counts of an image: what can be read comes back when it is written again. */
#include "store/segment.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	GArray *rows = g_array_new(FALSE, TRUE, sizeof(struct segment_row)),
	       *again = g_array_new(FALSE, TRUE, sizeof(struct segment_row));
	GByteArray *bytes;

	if (!segment_decode(data, size, rows)) {
		bytes = segment_encode(rows);
		if (segment_decode(bytes->data, bytes->len, again) || again->len != rows->len)
			abort();
		for (guint i = 0; i < rows->len; i++)
			if (memcmp(&g_array_index(rows, struct segment_row, i),
				   &g_array_index(again, struct segment_row, i),
				   sizeof(struct segment_row)))
				abort();
		g_byte_array_unref(bytes);
	}
	g_array_unref(rows);
	g_array_unref(again);
	return 0;
}
