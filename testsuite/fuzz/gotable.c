/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gotable.c - fuzz entry: any bytes as Go's table of functions, also with a header that is right.
 * What is asked of it is within it.
 */
#include "translator/debuginfo/gotable.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ask(const uint8_t *data, size_t size)
{
	struct gotable t;
	guint64 step;

	if (size < GOTABLE_HEADER || !gotable_read(data, size, &t))
		return;
	step = t.length / 64 + 1;
	for (guint64 at = 0; at < t.length; at += step) {
		const char *name = gotable_name(&t, at);

		if (gotable_kind(&t, at) > GOTABLE_DAMAGED || (name && strlen(name) >= size))
			__builtin_trap();
	}
}

/* The header's numbers are small, so that many are right; pairs go up. */
static void make_likely(uint8_t *data, size_t size)
{
	static const uint8_t magic[] = { 0xf0, 0xff, 0xff, 0xff, 0, 0, 1, 8 };
	uint64_t header[8] = {
		data[8] % 16, 0, 4096, data[32] % 64, 0, 0, 0, GOTABLE_HEADER + data[64] % 16
	};

	memcpy(data, magic, sizeof(magic));
	data[0] |= data[16] & 1;
	memcpy(data + sizeof(magic), header, sizeof(header));
	for (uint32_t i = 0; i <= header[0] && header[7] + i * 8 + 8 <= size; i++) {
		uint32_t pair[] = { i * 16, data[header[7] + i * 8 + 4] };

		memcpy(data + header[7] + i * 8, pair, sizeof(pair));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* of its size: what is read behind it is seen */
	uint8_t *copy = malloc(size ? size : 1);

	memcpy(copy, data, size);
	ask(copy, size);
	if (size >= GOTABLE_HEADER) {
		make_likely(copy, size);
		ask(copy, size);
	}
	free(copy);
	return 0;
}
