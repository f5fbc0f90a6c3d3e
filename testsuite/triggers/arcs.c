/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * arcs.c - known calls: main() calls first() N times and second() once; first() calls leaf() twice;
 * second() recurses 4 deep, the innermost call calls leaf(); ping() and pong() call each other, 3
 * times each. Usage: arcs N
 */
#include <stdlib.h>

static volatile int sink;

__attribute__((noinline)) void leaf(void)
{
	for (int i = 0; i < 1000; i++)
		sink++;
}

__attribute__((noinline)) void first(void)
{
	leaf();
	leaf();
	sink++;
}

__attribute__((noinline)) void second(int depth)
{
	if (depth > 1)
		second(depth - 1);
	else
		leaf();
	sink++;
}

__attribute__((noinline)) void pong(int n);

__attribute__((noinline)) void ping(int n)
{
	pong(n);
	sink++;
}

__attribute__((noinline)) void pong(int n)
{
	if (n > 1)
		ping(n - 1);
	sink++;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1;

	for (int i = 0; i < n; i++)
		first();
	second(4);
	ping(3);
	return 0;
}
