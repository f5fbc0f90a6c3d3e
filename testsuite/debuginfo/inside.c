/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * inside.c - a fake kernel for DWARF: lines (tests use their numbers), locals, inlining, a label.
 */
struct box { int width; unsigned flag : 1, level : 7; struct box *next; char name[8]; };
enum shade { DARK = -1, LIGHT = 3 };
static int counter = 5;
struct box first = { 3, 1, 2, &first, "first" };

static inline __attribute__((always_inline)) int area(const struct box *b, int scale)
{
	int product = b->width * scale;

	return product + counter;
}

long inside(struct box *b, unsigned char times, enum shade shade);
long inside(struct box *b, unsigned char times, enum shade shade)
{
	long sum = 0;

	for (int i = 0; i < times; i++) {
		struct box local = *b;

		sum += area(b, i) + local.level;
	}
	if (sum < 0)
		goto out;
	sum += shade;
out:
	counter += (int)sum;
	return sum;
}
