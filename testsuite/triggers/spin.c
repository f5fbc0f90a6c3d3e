/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spin.c - a known profile: work is spent 3:1 in two functions, heavy() and light(), until CPU milliseconds are used.
 * Usage: spin MS. Prints the CPU time it used, in microseconds. Links statically, runs in guests.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

static unsigned long state = 1;

#define STEPS 20000

/* A chain of multiplications, each waiting for the one before: its time does not depend on where the code lies. */
#define CHAIN(n) \
	do { \
		unsigned long x = state; \
		for (int i = 0; i < (n); i++) { \
			x = x * 6364136223846793005UL + 1442695040888963407UL; \
			__asm__ volatile("" : "+r"(x)); \
		} \
		state = x; \
	} while (0)

__attribute__((noinline)) static void heavy(void)
{
	CHAIN(3 * STEPS);
}

__attribute__((noinline)) static void light(void)
{
	CHAIN(STEPS);
}

static long cpu_us(void)
{
	struct rusage r;

	getrusage(RUSAGE_SELF, &r);
	return (r.ru_utime.tv_sec + r.ru_stime.tv_sec) * 1000000L + r.ru_utime.tv_usec + r.ru_stime.tv_usec;
}

int main(int argc, char **argv)
{
	long until = (argc > 1 ? atol(argv[1]) : 1000) * 1000;

	while (cpu_us() < until)
		for (int i = 0; i < 20; i++) {
			heavy();
			light();
		}
	printf("%ld\n", cpu_us());
	return 0;
}
