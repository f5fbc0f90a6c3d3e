/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * arcs.c - known calls: main calls first() N times and second() once; first() calls leaf() twice, second() leaf() once and itself to a
 * depth of 4; ping() and pong() call each other, 3 times each. With -t, "leaf NS" says what the fastest of leaf()'s loops takes by our own
 * clock, where it is in no function that is called. Usage: arcs N [-t]
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static volatile int sink;

static inline __attribute__((always_inline)) void loop(void)
{
	for (int i = 0; i < 1000; i++)
		sink++;
}

__attribute__((noinline)) void leaf(void)
{
	loop();
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

static inline __attribute__((always_inline)) long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000L + t.tv_nsec;
}

static inline __attribute__((always_inline)) void time_loop(void)
{
	long least = -1;

	for (int i = 0; i < 100; i++) {
		long since = now(), took;

		loop();
		took = now() - since;
		if (least < 0 || took < least)
			least = took;
	}
	printf("leaf %ld\n", least);
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1;

	for (int i = 0; i < n; i++)
		first();
	second(4);
	ping(3);
	if (argc > 2)
		time_loop();
	return 0;
}
