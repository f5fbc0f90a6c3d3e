// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * works.c - calls work() a known number of times: works THREADS CALLS DEPTH. Each thread calls work(1), work(2) ... work(CALLS), each of
 * which calls itself until there are DEPTH calls within each other; work(n) gives n plus the depth below it. Prints the number of calls,
 * the sum of n over all of them and the time of the outermost ones together by its own clock, in ns.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static long calls, depth;
static long long taken[64];		/* ns of each thread's outermost calls */

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
	struct timespec before, after;

	for (long n = 1; n <= calls; n++) {
		clock_gettime(CLOCK_MONOTONIC, &before);
		work(n, n & 1 ? "odd" : "even", depth);
		clock_gettime(CLOCK_MONOTONIC, &after);
		taken[(long)number] += (after.tv_sec - before.tv_sec) * 1000000000LL + after.tv_nsec - before.tv_nsec;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	long threads = argc > 3 ? atol(argv[1]) : 0;
	long long all = 0;
	pthread_t thread[64];

	if (threads < 1 || threads > 64)
		return 2;
	calls = atol(argv[2]);
	depth = atol(argv[3]);
	for (long i = 0; i < threads; i++)
		if (pthread_create(&thread[i], NULL, run, (void *)i))
			return 1;
	for (long i = 0; i < threads; i++) {
		pthread_join(thread[i], NULL);
		all += taken[i];
	}
	printf("%ld calls, sum %ld, in %lld\n", threads * calls * depth, threads * depth * calls * (calls + 1) / 2, all);
	return 0;
}
