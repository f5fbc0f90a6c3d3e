/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reader.h - reads untrusted bytes from front to back: numbers in DWARF's encodings. Missing bytes
 * read as 0, and set `failed`.
 */
#ifndef LAPWING_SYMBOLIZE_READER_H
#define LAPWING_SYMBOLIZE_READER_H

#include "runtime/rt.h"

#include <string.h>

/* at never exceeds end. */
struct reader {
	const u8	*at, *end;
	u64		address;	/* of *at; moves along */
	int		failed;
};

/* The next n (at most 8) bytes, as a number. */
static inline u64 take(struct reader *r, u32 n)
{
	u64 v = 0;

	if ((u64)(r->end - r->at) < n) {
		r->failed = 1;
		r->at = r->end;
		return 0;
	}
	memcpy(&v, r->at, n);
	r->at += n;
	r->address += n;
	return v;
}

static inline s64 take_signed(struct reader *r, u32 n)
{
	u64 v = take(r, n);

	return (s64)(v << (64 - 8 * n)) >> (64 - 8 * n);
}

static inline u64 take_leb(struct reader *r, int is_signed)
{
	u64 v = 0, byte = 0x80;
	u32 shift = 0;

	for (; byte & 0x80 && !r->failed; shift += 7) {
		byte = take(r, 1);
		if (shift < 64)
			v |= (byte & 0x7f) << shift;
	}
	if (is_signed && shift < 64 && byte & 0x40)
		v |= ~0ULL << shift;
	return v;
}

static inline u64 take_uleb(struct reader *r) { return take_leb(r, 0); }
static inline s64 take_sleb(struct reader *r) { return (s64)take_leb(r, 1); }

static inline void take_skip(struct reader *r, u64 n)
{
	if ((u64)(r->end - r->at) < n) {
		r->failed = 1;
		n = (u64)(r->end - r->at);
	}
	r->at += n;
	r->address += n;
}

/* A string that ends with a NUL; "" if there is no NUL. */
static inline const char *take_text(struct reader *r)
{
	const char *text = (const char *)r->at;
	const u8 *nul = memchr(r->at, 0, (u64)(r->end - r->at));

	take_skip(r, nul ? (u64)(nul - r->at) + 1 : (u64)(r->end - r->at) + 1);
	return nul ? text : "";
}

#endif
