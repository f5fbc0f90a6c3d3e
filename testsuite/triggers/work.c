/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * work.c - work THREADS TIMES: each thread calls work(5) TIMES times; work(n) calls work(n - 1),
 * down to work(1). Every call returns the sum of 1 ... n; struct order, which is passed by address,
 * holds n and a name.
 */
#include <pthread.h>
#include <stdlib.h>

struct order {
	struct { short low, high; } range;
	const char *name;
	int n;
};

static int times;
static char title[8] = "triangl";

int work(int n, const struct order *order);
__attribute__((noinline)) int work(int n, const struct order *order)
{
	struct order below = { { (short)-n, (short)n }, order->name, n - 1 };
	int sum = n;

	if (n > 1)
		sum += work(n - 1, &below);
	__asm__ volatile("" : "+r"(sum) : "m"(title) : "memory");
	return sum;
}

static void *run(void *unused)
{
	struct order order = { { -6, 6 }, "five", 5 };

	for (int i = 0; i < times; i++)
		work(5, &order);
	return unused;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1;
	pthread_t threads[64];

	times = argc > 2 ? atoi(argv[2]) : 1;
	for (int i = 0; i < n; i++)
		pthread_create(&threads[i], NULL, run, NULL);
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
