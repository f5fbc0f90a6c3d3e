// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * works.c - calls work() a known number of times: works THREADS CALLS DEPTH. Each thread calls
 * work(1), work(2) ... work(CALLS), each of which recurses DEPTH deep; work(n) returns n plus the
 * depth below it. Prints the number of calls, the sum of n over all of them and the median time of
 * an outermost call by its own clock, in ns.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static long calls, depth;
static unsigned *taken;		/* ns of each outermost call */

__attribute__((noinline)) long work(long n, const char *text, long below)
{
	long deeper;

	__asm__ volatile("" : : "r"(text) : "memory");
	deeper = below > 1 ? work(n, text, below - 1) + 1 : n;
	__asm__ volatile("" : "+r"(deeper));
	return deeper;
}

static void *run(void *number)
{
	unsigned *mine = taken + (long)number * calls;
	struct timespec before, after;

	for (long n = 1; n <= calls; n++) {
		clock_gettime(CLOCK_MONOTONIC, &before);
		work(n, n & 1 ? "odd" : "even", depth);
		clock_gettime(CLOCK_MONOTONIC, &after);
		mine[n - 1] = (unsigned)((after.tv_sec - before.tv_sec) * 1000000000L +
					 after.tv_nsec - before.tv_nsec);
	}
	return NULL;
}

static int by_size(const void *a, const void *b)
{
	unsigned first = *(const unsigned *)a, second = *(const unsigned *)b;

	return (first > second) - (first < second);
}

int main(int argc, char **argv)
{
	long threads = argc > 3 ? atol(argv[1]) : 0;
	pthread_t thread[64];

	if (threads < 1 || threads > 64)
		return 2;
	calls = atol(argv[2]);
	depth = atol(argv[3]);
	taken = malloc((size_t)(threads * calls) * sizeof(*taken));
	for (long i = 0; i < threads; i++)
		if (!taken || pthread_create(&thread[i], NULL, run, (void *)i))
			return 1;
	for (long i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	qsort(taken, (size_t)(threads * calls), sizeof(*taken), by_size);
	printf("%ld calls, sum %ld, median %u\n", threads * calls * depth,
	       threads * depth * calls * (calls + 1) / 2, taken[threads * calls / 2]);
	return 0;
}
