/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spin.c - a known profile: work is split 3:1 between two functions, heavy() and light(), until MS
 * milliseconds of CPU time are used.
 * Usage: spin MS [split]. Prints the CPU time it used, in microseconds; with `split` also a line
 * "truth", the part of each of the two functions by the thread's own clock, in nanoseconds, and a
 * line "wall": microseconds. Links statically, runs in guests.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static unsigned long state = 1;

#define STEPS 20000

/* A chain of dependent multiplications: its time does not depend on the code's alignment. */
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
	return (r.ru_utime.tv_sec + r.ru_stime.tv_sec) * 1000000L +
	       r.ru_utime.tv_usec + r.ru_stime.tv_usec;
}

static long long ns_by(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static long long thread_ns(void)
{
	return ns_by(CLOCK_THREAD_CPUTIME_ID);
}

/*
 * Adds the time of the two functions by the clock, minus the time of reading the clock, which is
 * measured in each round too.
 */
static void split(long long *in_heavy, long long *in_light)
{
	long long at[4];

	at[0] = thread_ns();
	heavy();
	at[1] = thread_ns();
	light();
	at[2] = thread_ns();
	at[3] = thread_ns();
	*in_heavy += at[1] - at[0] - (at[3] - at[2]);
	*in_light += at[2] - at[1] - (at[3] - at[2]);
}

int main(int argc, char **argv)
{
	long until = (argc > 1 ? atol(argv[1]) : 1000) * 1000;
	long long in_heavy = 0, in_light = 0, began = ns_by(CLOCK_MONOTONIC);

	while (cpu_us() < until)
		for (int i = 0; i < 20; i++) {
			if (argc > 2) {
				split(&in_heavy, &in_light);
				continue;
			}
			heavy();
			light();
		}
	printf("%ld\n", cpu_us());
	if (argc > 2)
		printf("truth %lld %lld\nwall %lld\n", in_heavy, in_light,
		       (ns_by(CLOCK_MONOTONIC) - began) / 1000);
	return 0;
}
