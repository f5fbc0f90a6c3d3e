// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * moments.c - see moments.h.
 *
 * With S the sum and Q the sum of squares of n values, their variance is (n Q - S^2) / (n (n - 1)).
 * |S| <= n 2^63 and Q <= n 2^126, so 256 bits hold both terms and 128 bits the divisor.
 */
#include "runtime/core/moments.h"
#include "runtime/core/port.h"

typedef unsigned __int128 moments_u128;

#define WIDE	4			/* words of a term */
#define LONG_MAX_64 0x7fffffffffffffffLL

/* to += the two words of v at word `at`, with carry; n words. */
static inline void add_at(u64 *to, u32 n, u32 at, moments_u128 v)
{
	moments_u128 carry = 0;
	u32 i;

	for (i = at; i < n; i++, v >>= 64) {
		carry += (moments_u128)to[i] + (u64)v;
		to[i] = (u64)carry;
		carry >>= 64;
	}
}

void moments_add(struct moments *m, s64 v)
{
	u64 size = num_abs(v);

	add_at(m->sum, 2, 0, (moments_u128)(__int128)v);
	add_at(m->squares, 3, 0, (moments_u128)size * size);
}

void moments_merge(struct moments *m, const struct moments *from)
{
	add_at(m->sum, 2, 0, (moments_u128)from->sum[1] << 64 | from->sum[0]);
	add_at(m->squares, 3, 0, (moments_u128)from->squares[1] << 64 | from->squares[0]);
	m->squares[2] += from->squares[2];
}

/* n Q - S^2, which is never negative. */
static void moments_numerator(u64 *to, const struct moments *m, u64 n)
{
	moments_u128 sum = (moments_u128)m->sum[1] << 64 | m->sum[0];
	u64 square[WIDE] = { 0 }, low, high;
	u32 i, borrow = 0;

	if (m->sum[1] >> 63)
		sum = 0 - sum;
	low = (u64)sum;
	high = (u64)(sum >> 64);
	add_at(square, WIDE, 0, (moments_u128)low * low);
	add_at(square, WIDE, 1, (moments_u128)low * high << 1);		/* high < 2^63 */
	add_at(square, WIDE, 2, (moments_u128)high * high);
	for (i = 0; i < 3; i++)
		add_at(to, WIDE, i, (moments_u128)m->squares[i] * n);
	for (i = 0; i < WIDE; i++) {
		moments_u128 rest = (moments_u128)to[i] - square[i] - borrow;

		to[i] = (u64)rest;
		borrow = (u32)(rest >> 64) & 1;
	}
}

/* By shifts: the kernel has no 128-bit division. */
static s64 moments_quotient(const u64 *numerator, moments_u128 divisor)
{
	moments_u128 rest = 0;
	u64 quotient = 0;
	u32 bit = 64 * WIDE;

	while (bit--) {
		/* rest < divisor < 2^127 */
		rest = rest << 1 | (numerator[bit / 64] >> bit % 64 & 1);
		quotient <<= 1;
		if (rest >= divisor) {
			rest -= divisor;
			quotient |= 1;
		}
		if (quotient >> 63)
			return LONG_MAX_64;
	}
	return (s64)quotient;
}

s64 moments_variance(const struct moments *m, u64 n)
{
	u64 numerator[WIDE] = { 0 };

	if (n < 2)
		return 0;
	moments_numerator(numerator, m, n);
	return moments_quotient(numerator, (moments_u128)n * (n - 1));
}
