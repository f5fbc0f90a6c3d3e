/* SPDX-License-Identifier: GPL-2.0-or-later */
/* segment.c - fuzz entry: counts of an image, and callers: what can be read comes back when it is written again. */
#include "store/segment.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void try_nodes(const uint8_t *data, size_t size)
{
	GArray *nodes = g_array_new(FALSE, TRUE, sizeof(struct segment_node)),
	       *again = g_array_new(FALSE, TRUE, sizeof(struct segment_node));
	GByteArray *bytes;

	if (!segment_decode_nodes(data, size, nodes)) {
		for (guint i = 0; i < nodes->len; i++)
			if (g_array_index(nodes, struct segment_node, i).caller > i)
				abort();
		bytes = segment_encode_nodes(nodes);
		if (segment_decode_nodes(bytes->data, bytes->len, again) || again->len != nodes->len ||
		    (nodes->len && memcmp(nodes->data, again->data, nodes->len * sizeof(struct segment_node))))
			abort();
		g_byte_array_unref(bytes);
	}
	g_array_unref(nodes);
	g_array_unref(again);
}

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
	try_nodes(data, size);
	return 0;
}
