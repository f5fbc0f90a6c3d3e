/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spin.c - a known profile: work is spent 3:1 in two functions, heavy() and light(), until CPU milliseconds are used.
 * Usage: spin MS. Prints the CPU time it used, in microseconds. Links statically, runs in guests.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

static volatile unsigned long sink;

#define STEPS 20000

__attribute__((noinline)) static void heavy(void)
{
	for (int i = 0; i < 3 * STEPS; i++)
		sink += i;
}

__attribute__((noinline)) static void light(void)
{
	for (int i = 0; i < STEPS; i++)
		sink += i;
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
