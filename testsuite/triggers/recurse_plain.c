/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recurse_plain.c - recurse.c without frame pointers; leaf() runs in a handler of SIGUSR1, which
 * deeper() raises: only .eh_frame describes this stack.
 * Usage: recurse_plain DEPTH MS
 */
#pragma GCC optimize("omit-frame-pointer", "no-optimize-sibling-calls")

#include <signal.h>
#include <stdlib.h>
#include <time.h>

static volatile unsigned long work;
static long ms;

static __attribute__((noinline)) void leaf(int sig)
{
	clock_t end = clock() + ms * (CLOCKS_PER_SEC / 1000);

	while (clock() < end)
		for (int i = 0; i < 100000; i++)
			work += (unsigned long)i;
}

static __attribute__((noinline)) unsigned long deeper(int depth)
{
	unsigned long n = depth > 1 ? deeper(depth - 1) : (unsigned long)raise(SIGUSR1);

	return n ^ n >> 3 ^ work;	/* keeps the compiler from making it a loop */
}

int main(int argc, char **argv)
{
	ms = argc > 2 ? atol(argv[2]) : 300;
	signal(SIGUSR1, leaf);
	work = deeper(argc > 1 ? atoi(argv[1]) : 5);
	return 0;
}
