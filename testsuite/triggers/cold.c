/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cold.c - a function, a part of which the compiler puts elsewhere: gcc -O2 makes work.cold, which is jumped to, and finds a local variable
 * on top of the stack. cold N: calls work() N times, a tenth of them through work.cold; prints a sum of what it computed.
 */
#include <stdio.h>
#include <stdlib.h>

volatile unsigned long sink;
unsigned long odd[16];

__attribute__((cold, noinline)) void rare(unsigned long *p, long n)
{
	*p ^= n * 2654435761u;
}

__attribute__((noinline)) unsigned long work(long n, unsigned long x)
{
	unsigned long keep[6] = { x, x + 1, x + 2, x + 3, x + 4, x + 5 };

	for (int i = 0; i < 6; i++)
		sink += keep[i];
	if (__builtin_expect(n % 10 == 3, 0)) {
		rare(&keep[0], n);
		rare(&keep[3], n + 1);
		sink ^= keep[0] + keep[3];
		odd[n & 15] += keep[0];
	}
	return keep[0] + keep[3] + keep[5] + sink;
}

int main(int argc, char **argv)
{
	unsigned long sum = 0;
	long calls = argc > 1 ? atol(argv[1]) : 0;

	for (long n = 0; n < calls; n++)
		sum = sum * 31 + work(n, sum);
	printf("sum %lx\n", sum);
	return 0;
}
