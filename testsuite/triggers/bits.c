/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bits.c - bit fields that cross bytes and words, with and without a sign, packed, and other members whose sign or width is easily lost.
 */
#include <stdbool.h>

enum colour { RED = -1, GREEN = 5, BLUE = 1000000 };
enum wide { LOW = -5000000000, HIGH = 5000000000 };

struct flags {
	unsigned int	one : 1;
	unsigned int	three : 3;
	int		minus : 5;		/* -9 */
	unsigned int	: 0;
	unsigned long	wide : 40;		/* 0xabcdef0123 */
	long		deep : 24;		/* -5000000 */
	unsigned char	tail : 7;		/* 100 */
};

struct __attribute__((packed)) tight {
	char		c;
	unsigned int	u : 17;			/* 100001 */
	int		s : 18;			/* -100002 */
	unsigned long	l : 45;			/* 0x123456789ab */
	short		last;			/* -7 */
};

struct all {
	struct flags	f;
	struct tight	t;
	int		ints[4];		/* -1 -2 3 -4 */
	signed char	bytes[3];		/* -128 127 -1 */
	short		grid[2][2];		/* 1 -2, -4 5 */
	bool		yes, no;
	enum colour	colour;			/* -1 */
	enum wide	large;			/* -5000000000 */
	union {
		unsigned int	word;		/* 0x80000001 */
		int		number;
	};
	struct {
		long		inner;		/* -3000000000 */
		unsigned char	hidden;		/* 255 */
	};
};

__attribute__((noinline)) long take(struct all *a, const struct flags f)
{
	return a->f.minus + f.three + a->ints[1];
}

int main(void)
{
	struct all a = {
		{ 1, 5, -9, 0xabcdef0123, -5000000, 100 }, { 'x', 100001, -100002, 0x123456789ab, -7 },
		{ -1, -2, 3, -4 }, { -128, 127, -1 }, { { 1, -2 }, { -4, 5 } }, true, false, RED, LOW,
		{ 0x80000001u }, { -3000000000, 255 },
	};

	return take(&a, a.f) != -6;
}
