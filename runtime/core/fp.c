// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fp.c - IEEE 754 doubles as 64-bit patterns, in integer arithmetic: handlers cannot use the FPU.
 *
 * Results are rounded to nearest, ties to even, as in hardware. A decomposed number is m * 2^exp
 * with bit 63 of m set.
 */
#include "runtime/core/core.h"
#include "runtime/core/num.h"
#include "runtime/core/port.h"
#include "runtime/core/sink.h"

enum fp_kind { FP_FINITE, FP_ZERO, FP_INF, FP_NAN };

struct fp {
	enum fp_kind	kind;
	u32		negative;
	s32		exp;
	u64		m;
};

#define FP_INF_BITS	0x7ff0000000000000ULL
#define FP_NAN_BITS	0x7ff8000000000000ULL

static struct fp fp_unpack(s64 v)
{
	u64 bits = (u64)v, fraction = bits & 0xfffffffffffffULL;
	u32 biased = bits >> 52 & 0x7ff, up;
	struct fp f = { .negative = bits >> 63 };

	if (biased == 0x7ff) {
		f.kind = fraction ? FP_NAN : FP_INF;
		return f;
	}
	if (!biased && !fraction) {
		f.kind = FP_ZERO;
		return f;
	}
	f.m = biased ? fraction | 1ULL << 52 : fraction;
	up = 64 - num_bits(f.m);
	f.m <<= up;
	f.exp = (s32)(biased ? biased : 1) - 1075 - (s32)up;
	return f;
}

static s64 fp_bits(u32 negative, u64 bits)
{
	return (s64)((u64)negative << 63 | bits);
}

/* Rounds m * 2^exp; sticky: the exact value is slightly larger. */
static s64 fp_pack(u32 negative, s32 exp, u64 m, int sticky)
{
	u32 up = 64 - num_bits(m), down;
	u64 kept, rest, bits;

	if (!m)
		return fp_bits(negative, 0);
	m <<= up;
	exp -= (s32)up;
	if (exp > 1023 - 63)
		return fp_bits(negative, FP_INF_BITS);
	down = exp + 11 < -1074 ? (u32)(-1074 - exp) : 11;	/* below the smallest normal
								 * number the position of the
								 * last bit is fixed */
	if (down > 64)
		return fp_bits(negative, 0);
	kept = down == 64 ? 0 : m >> down;
	rest = down == 64 ? m : m << (64 - down);
	bits = down == 11 ? (u64)(exp + 1085) << 52 : 0;	/* bit 52 of kept adds one */
	bits += kept;
	if (rest > 1ULL << 63 || (rest == 1ULL << 63 && (sticky || kept & 1)))
		bits++;
	return fp_bits(negative, bits > FP_INF_BITS ? FP_INF_BITS : bits);
}

s64 rt_long_to_fp(s64 v) { return fp_pack(v < 0, 0, num_abs(v), 0); }

s64 rt_fp32_to_fp64(s64 v)
{
	u32 bits = (u32)v, biased = bits >> 23 & 0xff, fraction = bits & 0x7fffff;

	if (biased == 0xff)
		return fp_bits(bits >> 31, fraction ? FP_NAN_BITS : FP_INF_BITS);
	return fp_pack(bits >> 31, (s32)(biased ? biased : 1) - 150,
		       biased ? fraction | 1U << 23 : fraction, 0);
}

/* NaN propagates; a takes precedence. */
static int fp_is_nan(const struct fp *a, const struct fp *b)
{
	return a->kind == FP_NAN || b->kind == FP_NAN;
}

s64 rt_fp_add(s64 x, s64 y)
{
	struct fp a = fp_unpack(x), b = fp_unpack(y), swap;
	u32 apart;
	u64 m;

	if (fp_is_nan(&a, &b) || (a.kind == FP_INF && b.kind == FP_INF && a.negative != b.negative))
		return (s64)FP_NAN_BITS;
	if (a.kind == FP_INF || b.kind == FP_INF)
		return a.kind == FP_INF ? x : y;
	if (a.kind == FP_ZERO || b.kind == FP_ZERO)
		return a.kind != FP_ZERO   ? x
		       : b.kind != FP_ZERO ? y
		       : fp_bits(a.negative & b.negative, 0);
	if (a.exp < b.exp || (a.exp == b.exp && a.m < b.m)) {
		swap = a;
		a = b;
		b = swap;
	}
	apart = (u32)(a.exp - b.exp);
	a.m >>= 1;				/* the lower 11 bits are 0: making room for a
						 * carry loses nothing */
	b.m >>= 1;
	/* Bits shifted out are or-ed into the last bit, far below the rounding position. */
	b.m = apart > 63 ? 1 : b.m >> apart | (apart && b.m << (64 - apart));
	m = a.negative == b.negative ? a.m + b.m : a.m - b.m;
	return m ? fp_pack(a.negative, a.exp + 1, m, 0) : 0;
}

s64 rt_fp_sub(s64 x, s64 y)
{
	return rt_fp_add(x, (s64)((u64)y ^ 1ULL << 63));
}

s64 rt_fp_mul(s64 x, s64 y)
{
	struct fp a = fp_unpack(x), b = fp_unpack(y);
	u32 negative = a.negative ^ b.negative;
	u64 low, middle, high, ah = a.m >> 32, al = (u32)a.m, bh = b.m >> 32, bl = (u32)b.m;

	if (fp_is_nan(&a, &b) || (a.kind == FP_INF && b.kind == FP_ZERO) ||
	    (a.kind == FP_ZERO && b.kind == FP_INF))
		return (s64)FP_NAN_BITS;
	if (a.kind == FP_INF || b.kind == FP_INF)
		return fp_bits(negative, FP_INF_BITS);
	if (a.kind == FP_ZERO || b.kind == FP_ZERO)
		return fp_bits(negative, 0);
	low = al * bl;
	middle = ah * bl + (low >> 32);
	high = ah * bh + (middle >> 32);
	middle = (u32)middle + al * bh;
	high += middle >> 32;
	low = middle << 32 | (u32)low;
	if (!(high >> 63))
		return fp_pack(negative, a.exp + b.exp + 63, high << 1 | low >> 63, low << 1 != 0);
	return fp_pack(negative, a.exp + b.exp + 64, high, low != 0);
}

/* The next bit of the quotient by b; rest is less than b. */
static u64 fp_divide_bit(u64 *rest, u64 b)
{
	u64 carry = *rest >> 63;

	*rest <<= 1;
	if (!carry && *rest < b)
		return 0;
	*rest -= b;
	return 1;
}

s64 rt_fp_div(s64 x, s64 y)
{
	struct fp a = fp_unpack(x), b = fp_unpack(y);
	u32 negative = a.negative ^ b.negative, i;
	u64 q, rest;

	if (fp_is_nan(&a, &b) || (a.kind == b.kind && a.kind != FP_FINITE))
		return (s64)FP_NAN_BITS;
	if (a.kind == FP_INF || b.kind == FP_ZERO)
		return fp_bits(negative, FP_INF_BITS);
	if (a.kind == FP_ZERO || b.kind == FP_INF)
		return fp_bits(negative, 0);
	q = a.m >= b.m;
	rest = a.m - (q ? b.m : 0);
	for (i = 0; i < 62; i++)
		q = q << 1 | fp_divide_bit(&rest, b.m);
	return fp_pack(negative, a.exp - b.exp - 62, q, rest != 0);
}

/*
 * x - n * y, n the integer nearest to x / y; takes as many steps as the exponents differ, at most
 * 2,100.
 */
s64 rt_fp_rem(s64 x, s64 y)
{
	struct fp a = fp_unpack(x), b = fp_unpack(y);
	s32 apart = a.exp - b.exp;
	u64 rest, odd = 0;

	if (fp_is_nan(&a, &b) || a.kind == FP_INF || b.kind == FP_ZERO)
		return (s64)FP_NAN_BITS;
	if (a.kind == FP_ZERO || b.kind == FP_INF || apart < -1)
		return x;
	if (apart < 0) {
		rest = a.m >> 1;
	} else {
		odd = a.m >= b.m;
		rest = a.m - (odd ? b.m : 0);
		for (; apart > 0; apart--)
			odd = fp_divide_bit(&rest, b.m);
	}
	if (rest > b.m - rest || (rest == b.m - rest && odd))
		return fp_pack(!a.negative, b.exp, b.m - rest, 0);
	return fp_pack(a.negative, b.exp, rest, 0);
}

/* Digit by digit, two bits at a time: 60 bits of the root, more than the result has. */
s64 rt_fp_sqrt(s64 x)
{
	struct fp a = fp_unpack(x);
	u64 root = 0, rest = 0, try;
	u32 i;

	if (a.kind == FP_ZERO || (a.kind == FP_INF && !a.negative))
		return x;
	if (a.kind != FP_FINITE || a.negative)
		return (s64)FP_NAN_BITS;
	if (a.exp & 1) {
		a.m >>= 1;
		a.exp++;
	}
	for (i = 0; i < 60; i++) {
		rest = rest << 2 | a.m >> 62;
		a.m <<= 2;
		try = root << 2 | 1;
		root <<= 1;
		if (rest >= try) {
			rest -= try;
			root |= 1;
		}
	}
	return fp_pack(0, (a.exp - 56) / 2, root, rest != 0);
}

/* The order of two numbers, not NaN: <0, 0, >0. */
static int fp_order(s64 x, s64 y)
{
	s64 a = x < 0 ? num_neg(x & 0x7fffffffffffffffLL) : x,
	    b = y < 0 ? num_neg(y & 0x7fffffffffffffffLL) : y;

	return (a > b) - (a < b);
}

static int fp_ordered(s64 x, s64 y)
{
	return ((u64)x << 1) <= FP_INF_BITS << 1 && ((u64)y << 1) <= FP_INF_BITS << 1;
}

s64 rt_fp_eq(s64 x, s64 y) { return fp_ordered(x, y) && !fp_order(x, y); }
s64 rt_fp_lt(s64 x, s64 y) { return fp_ordered(x, y) && fp_order(x, y) < 0; }
s64 rt_fp_le(s64 x, s64 y) { return fp_ordered(x, y) && fp_order(x, y) <= 0; }

/* ---- numbers and texts -----------------------------------------------------------*/

/*
 * mode: 0 nearest, ties to even; 1 towards 0; 2 down; 3 up; 4 nearest, ties away from 0. Overflow
 * gives the largest or smallest.
 */
s64 rt_fp_to_long(s64 v, s64 mode)
{
	struct fp f = fp_unpack(v);
	u64 whole = 0, rest = 1, half = 1ULL << 63;

	if (f.kind == FP_ZERO)
		return 0;
	if (f.kind == FP_NAN || f.kind == FP_INF || f.exp >= 0)
		return f.negative ? (s64)half : (s64)(half - 1);
	if (f.exp > -64) {
		whole = f.m >> -f.exp;
		rest = f.m << (64 + f.exp);
	} else if (f.exp == -64) {
		rest = f.m;
	}
	if ((mode == 0 && (rest > half || (rest == half && whole & 1))) ||
	    (mode == 2 && f.negative && rest) || (mode == 3 && !f.negative && rest) ||
	    (mode == 4 && rest >= half))
		whole++;
	if (whole >= half)
		return f.negative ? (s64)half : (s64)(half - 1);
	return f.negative ? -(s64)whole : (s64)whole;
}

s64 rt_fp_to_long_short(s64 v) { return rt_fp_to_long(v, 1); }

#define FP_LIMBS	34		/* of 32 bits: the largest double has 1,024 */
#define FP_DECIMALS	60

static s64 fp_power_of_ten(u32 n)
{
	s64 v = rt_long_to_fp(1), ten = rt_long_to_fp(10);

	for (n = n < 400 ? n : 400; n; n--)
		v = rt_fp_mul(v, ten);
	return v;
}

/* Digits of m * 2^exp, exp >= 0, from the end of text; returns their start. */
static char *fp_whole(u64 m, s32 exp, char *text)
{
	u32 limb[FP_LIMBS] = { 0 }, at = (u32)exp / 32, bit = (u32)exp % 32;
	u32 left;
	u64 v;
	int i;

	for (i = 0; i < 3 && at + (u32)i < FP_LIMBS; i++)
		limb[at + (u32)i] = (u32)(i == 0   ? m << bit
					  : i == 1 ? m >> (32 - bit)
					  : bit    ? m >> (64 - bit)
					  : 0);
	do {
		for (v = left = 0, i = FP_LIMBS - 1; i >= 0; i--) {
			v = v << 32 | limb[i];
			limb[i] = (u32)(v / 10);
			left |= limb[i];
			v %= 10;
		}
		*--text = (char)('0' + v);
	} while (left);
	return text;
}

/* The next decimal of a fraction of 2^64. */
static char fp_decimal(u64 *fraction)
{
	u64 low = (u64)(u32)*fraction * 10, high = (*fraction >> 32) * 10 + (low >> 32);

	*fraction = high << 32 | (u32)low;
	return (char)('0' + (high >> 32));
}

/* Decimals, rounded to nearest; 1: carry into the integer part. */
static int fp_decimals(u64 fraction, int odd, char *text, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		text[i] = fp_decimal(&fraction);
	odd = n ? text[n - 1] & 1 : odd;
	if (fraction < 1ULL << 63 || (fraction == 1ULL << 63 && !odd))
		return 0;
	while (n && text[n - 1] == '9')
		text[--n] = '0';
	if (n)
		text[n - 1]++;
	return !n;
}

struct rt_str rt_fp_to_string(struct rt_ctx *c, s64 v, s64 precision)
{
	struct fp f = fp_unpack(v);
	struct rt_strvar to = rt_strvar(c);
	struct sink out = { .p = to.p, .size = to.size ? to.size - 1U : 0 };
	char whole[310], decimals[FP_DECIMALS], *at;
	u32 n = precision < 0 ? 0 : precision < FP_DECIMALS ? (u32)precision : FP_DECIMALS;
	u64 fraction = f.exp <= -128  ? 0
		       : f.exp <= -64 ? f.m >> (-64 - f.exp)
		       : f.exp < 0    ? f.m << (64 + f.exp)
		       : 0;
	u64 m = f.exp >= 0 ? f.m : f.exp > -64 ? f.m >> -f.exp : 0;

	if (f.negative && f.kind != FP_NAN)
		sink_char(&out, '-');
	if (f.kind == FP_NAN || f.kind == FP_INF) {
		sink_text(&out, f.kind == FP_NAN ? "NaN" : "inf");
	} else {
		m += (u64)fp_decimals(fraction, m & 1, decimals, n);
		at = fp_whole(m, f.exp > 0 ? f.exp : 0, whole + sizeof(whole));
		sink_put(&out, at, (u32)(whole + sizeof(whole) - at));
		if (n)
			sink_char(&out, '.');
		sink_put(&out, decimals, n);
	}
	rt_release(c, (u32)(to.p - c->arena) + out.used);
	return (struct rt_str){ out.p, (u16)out.used };
}

/*
 * 19 digits are significant; exact up to 15 digits and 22 zeros, otherwise the last bit may be
 * wrong.
 */
s64 rt_string_to_fp(struct rt_str s)
{
	u32 i = 0, negative = s.len && s.p[0] == '-', point = 0;
	s64 tens = 0, given = 0, v;
	u64 m = 0;

	for (i = negative || (s.len && s.p[0] == '+');
	     i < s.len && ((s.p[i] >= '0' && s.p[i] <= '9') || (s.p[i] == '.' && !point)); i++) {
		if (s.p[i] == '.') {
			point = 1;
		} else if (m < 1000000000000000000ULL) {
			m = m * 10 + (u64)(s.p[i] - '0');
			tens -= point;
		} else {
			tens += !point;
		}
	}
	if (i + 1 < s.len && (s.p[i] | 32) == 'e') {
		u32 minus = s.p[i + 1] == '-';

		for (i += 1 + (minus || s.p[i + 1] == '+');
		     i < s.len && s.p[i] >= '0' && s.p[i] <= '9'; i++)
			given = given < 10000 ? given * 10 + (s.p[i] - '0') : given;
		tens += minus ? -given : given;
	}
	v = fp_pack(negative, 0, m, 0);
	return tens < 0 ? rt_fp_div(v, fp_power_of_ten((u32)-tens))
			: rt_fp_mul(v, fp_power_of_ten((u32)tens));
}
