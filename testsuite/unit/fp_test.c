/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fp_test.c - doubles in integer arithmetic (core/fp.c) against the machine's own. Exit 1 at the
 * first difference, which is printed.
 */
#include "runtime/core/core.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(ok) do { if (!(ok)) { printf("fp: line %d: %s\n", __LINE__, #ok); exit(1); } } while (0)

/* The machine's own arithmetic says what is right; every pattern of bits may come. */
static u64 fp_draw(u64 *state)
{
	static const u64 special[] = { 0,
				       1ULL << 63,
				       0x7ff0ULL << 48,
				       0xfff0ULL << 48,
				       0x7ff8ULL << 48,
				       1,
				       0x000fffffffffffffULL,
				       0x3ff0ULL << 48,
				       0x7fefffffffffffffULL,
				       0x0010ULL << 48 };
	u64 v = *state = *state * 6364136223846793005ULL + 1442695040888963407ULL,
	    r = v >> 20 ^ v << 31;

	if (v >> 60 == 0)
		return special[(v >> 40) % 10];
	if (v >> 62 == 1)		/* exponents near each other */
		return (r & 0x800fffffffffffffULL) | (1000 + (v >> 30) % 60) << 52;
	return v >> 62 == 2 ? (r & 0x800fffffffffffffULL) | (v >> 30) % 30 << 52 : r;
}

static int fp_same(s64 got, double want)
{
	u64 bits;

	memcpy(&bits, &want, 8);
	return want != want ? (u64)got << 1 > 0xffeULL << 52 : (u64)got == bits;
}

static void test_arithmetic(void)
{
	u64 state = 1;
	double a, b;
	s64 x, y;

	for (int i = 0; i < 200000; i++) {
		x = (s64)fp_draw(&state);
		y = (s64)fp_draw(&state);
		memcpy(&a, &x, 8);
		memcpy(&b, &y, 8);
		CHECK(fp_same(rt_fp_add(x, y), a + b) && fp_same(rt_fp_sub(x, y), a - b) &&
		      fp_same(rt_fp_mul(x, y), a * b));
		CHECK(fp_same(rt_fp_div(x, y), a / b) && fp_same(rt_fp_sqrt(x), __builtin_sqrt(a)));
		/* The C library returns some remainders of 0 with the wrong sign. */
		CHECK(fp_same(rt_fp_rem(x, y), remainder(a, b)) ||
		      (remainder(a, b) == 0 && !((u64)rt_fp_rem(x, y) << 1)));
		CHECK(rt_fp_eq(x, y) == (a == b) && rt_fp_lt(x, y) == (a < b) &&
		      rt_fp_le(x, y) == (a <= b));
		CHECK(fp_same(rt_long_to_fp(x), (double)x));
		if (a > -9e18 && a < 9e18)
			CHECK(rt_fp_to_long(x, 1) == (s64)a &&
			      rt_fp_to_long(x, 0) == (s64)__builtin_rint(a));
	}
}

static void test_texts(struct rt_ctx *c)
{
	CHECK(!rt_cmp(rt_fp_to_string(c, rt_string_to_fp(RT_STR("-123.456")), 3),
		      RT_STR("-123.456")));
	CHECK(!rt_cmp(rt_fp_to_string(c, rt_string_to_fp(RT_STR("1e22")), 0),
		      RT_STR("10000000000000000000000")));
	CHECK(!rt_cmp(rt_fp_to_string(c, rt_string_to_fp(RT_STR("0.99999")), 4), RT_STR("1.0000")));
	CHECK(!rt_cmp(rt_fp_to_string(c, rt_string_to_fp(RT_STR("2.5")), 0), RT_STR("2")));
	CHECK(rt_fp_to_string(c, rt_string_to_fp(RT_STR("1e300")), 0).len == 301);
	CHECK(!rt_cmp(rt_fp_to_string(c, 0x7ff0LL << 48, 2), RT_STR("inf")) &&
	      fp_same(rt_fp32_to_fp64(0x3fc00000), 1.5) && fp_same(rt_fp32_to_fp64(1), 0x1p-149));
	CHECK(fp_same(rt_string_to_fp(RT_STR("1.5e-3x")), 1.5e-3) &&
	      fp_same(rt_string_to_fp(RT_STR("")), 0) &&
	      fp_same(rt_string_to_fp(RT_STR("-")), -0.0));
}

int main(void)
{
	static char arena[16384];
	struct rt_ctx c = { .arena = arena, .arena_size = sizeof(arena) };

	test_arithmetic();
	test_texts(&c);
	puts("fp: as the machine has it");
	return 0;
}
