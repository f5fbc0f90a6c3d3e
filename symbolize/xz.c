/* SPDX-License-Identifier: GPL-2.0-or-later */
/* xz.c - see xz.h. liblzma is loaded on first use, so that nothing depends on it. */
#include "symbolize/xz.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define XZ_MAX		(64ULL << 20)
#define XZ_BUF_ERROR	10		/* the output buffer was too small */

typedef int decode_fn(uint64_t *memlimit, uint32_t flags, const void *allocator, const uint8_t *in,
		      size_t *in_pos, size_t in_size, uint8_t *out, size_t *out_pos,
		      size_t out_size);

static decode_fn *find_decoder(void)
{
	static decode_fn *decode;
	static int looked;
	void *lib;

	if (!looked) {
		looked = 1;
		lib = dlopen("liblzma.so.5", RTLD_NOW | RTLD_LOCAL);
		decode = lib ? (decode_fn *)dlsym(lib, "lzma_stream_buffer_decode") : NULL;
	}
	return decode;
}

void *xz_unpack(const void *packed, u64 size, u64 *whole)
{
	decode_fn *decode = find_decoder();

	for (u64 room = 1 << 20; decode && room <= XZ_MAX; room *= 4) {
		uint64_t limit = XZ_MAX;
		size_t in = 0, out = 0;
		void *p = malloc(room);
		int rc = p ? decode(&limit, 0, NULL, packed, &in, size, p, &out, room) : -1;

		*whole = out;
		if (!rc)
			return p;
		free(p);
		if (rc != XZ_BUF_ERROR)
			break;
	}
	return NULL;
}
