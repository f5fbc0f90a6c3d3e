// SPDX-License-Identifier: GPL-2.0-or-later
/* shapes.c - calls area() once for each of three listed shapes, whose values the test knows. */
#include <stddef.h>

enum kind { POINT, SQUARE = 4, DISC };

struct shape {
	enum kind kind;
	int size;
	const struct shape *next;
	char name[8];
};

long area(const struct shape *s);
__attribute__((noinline)) long area(const struct shape *s)
{
	return s->kind == SQUARE ? (long)s->size * s->size : 3L * s->size * s->size;
}

int main(void)
{
	static const struct shape third = { (enum kind)9, 3, NULL, "third" };
	static const struct shape second = { DISC, 2, &third, "second" };
	static const struct shape first = { SQUARE, 5, &second, "first" };
	volatile long sum = 0;

	for (const struct shape *s = &first; s; s = s->next)
		sum += area(s);
	return sum == 0;
}
