/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recurse.c - a known stack: main() calls deeper(), which recurses DEPTH deep; the innermost call
 * calls leaf(), which spins for MS milliseconds of CPU time, and then bottom(), which makes no
 * frame. With frame pointers; recurse_plain.c is the same without.
 * Usage: recurse DEPTH MS
 */
#pragma GCC optimize("no-omit-frame-pointer", "no-optimize-sibling-calls")

#include <stdlib.h>
#include <time.h>

static volatile unsigned long work;

static __attribute__((noinline, optimize("omit-frame-pointer"))) void bottom(void)
{
	work++;
}

static __attribute__((noinline)) unsigned long leaf(long ms)
{
	clock_t end = clock() + ms * (CLOCKS_PER_SEC / 1000);

	while (clock() < end)
		for (int i = 0; i < 100000; i++)
			work += (unsigned long)i;
	bottom();
	return work;
}

static __attribute__((noinline)) unsigned long deeper(int depth, long ms)
{
	unsigned long n = depth > 1 ? deeper(depth - 1, ms) : leaf(ms);

	return n ^ n >> 3;	/* keeps the compiler from making it a loop */
}

int main(int argc, char **argv)
{
	work = deeper(argc > 1 ? atoi(argv[1]) : 5, argc > 2 ? atol(argv[2]) : 300);
	return 0;
}
