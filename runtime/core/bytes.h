/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bytes.h - short strings eight bytes at a time: names of programs and functions are compared and
 * hashed on every hit. Little-endian machines only, as everywhere in Lapwing. Never reads outside
 * [p, p + n).
 */
#ifndef LAPWING_CORE_BYTES_H
#define LAPWING_CORE_BYTES_H

#include "runtime/rt.h"

static inline u64 bytes_load8(const char *p)
{
	u64 word;

	__builtin_memcpy(&word, p, 8);
	return word;
}

static inline u32 bytes_load4(const char *p)
{
	u32 word;

	__builtin_memcpy(&word, p, 4);
	return word;
}

/* The last up to 8 bytes of n, as one number: uses overlapping loads instead of a loop. */
static inline u64 bytes_tail(const char *p, u32 n)
{
	if (n >= 8)
		return bytes_load8(p + n - 8);
	if (n >= 4)
		return bytes_load4(p) | (u64)bytes_load4(p + n - 4) << 32;
	return n ? (u64)(u8)p[0] | (u64)(u8)p[n / 2] << 8 | (u64)(u8)p[n - 1] << 16 : 0;
}

static inline int bytes_same(const char *p, const char *q, u32 n)
{
	u32 i;

	for (i = 0; i + 8 < n; i += 8)
		if (bytes_load8(p + i) != bytes_load8(q + i))
			return 0;
	return bytes_tail(p, n) == bytes_tail(q, n);
}

/* Copies n bytes, a multiple of 8, between 8-byte aligned addresses. */
static inline void bytes_copy8(void *to, const void *from, u32 n)
{
	u64 *p = to;
	const u64 *q = from;

	for (; n; n -= 8)
		*p++ = *q++;
}

/*
 * n bytes, fewer than 8, in the low bytes of a word; the rest is zero. Overlapping loads, no loop.
 */
static inline u64 bytes_word(const char *p, u32 n)
{
	if (n >= 4)
		return bytes_load4(p) | (u64)bytes_load4(p + n - 4) << 8 * (n - 4);
	return n ? (u64)(u8)p[0] | (u64)(u8)p[n / 2] << 8 * (n / 2) |
			       (u64)(u8)p[n - 1] << 8 * (n - 1)
		 : 0;
}

/* Copies a string into a buffer of n rounded up to 8; zeroes the rest of the last word. */
static inline void bytes_copy_padded(char *to, const char *p, u32 n)
{
	u64 word;

	for (; n >= 8; n -= 8, to += 8, p += 8)
		__builtin_memcpy(to, p, 8);
	word = bytes_word(p, n);
	if (n)
		__builtin_memcpy(to, &word, 8);
}

/* Bytes before the first NUL of a word in memory order; 8: none. */
static inline u32 bytes_before_nul(u64 word)
{
	u64 zero = (word - 0x0101010101010101ULL) & ~word & 0x8080808080808080ULL;

	return zero ? (u32)__builtin_ctzll(zero) >> 3 : 8;
}

#endif
