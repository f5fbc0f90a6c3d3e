/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spin.c - a known profile: work is spent 3:1 in two functions, heavy() and light(), until CPU milliseconds are used.
 * Usage: spin MS [split]. Prints the CPU time it used, in microseconds; with `split` a line "truth" too, with what each of the two took of
 * it by the thread's own clock, in nanoseconds, where the machine did not stand still, and a line "wall": microseconds. Links statically,
 * runs in guests.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

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

#define FIRST	20		/* turns by which is known how long one takes */
#define ODD	3		/* times as long as the shortest */

/*
 * What the two take by the clock, without what reading it takes, which is read each time too. The clock goes on while a hypervisor runs
 * somebody else, in which no tick comes but one: a turn in which that happened is of no use.
 */
static void split(long long *in_heavy, long long *in_light)
{
	static long long shortest = -1;
	static int turns;
	long long at[4], turn;

	at[0] = thread_ns();
	heavy();
	at[1] = thread_ns();
	light();
	at[2] = thread_ns();
	at[3] = thread_ns();
	turn = at[3] - at[0];
	if (shortest < 0 || turn < shortest)
		shortest = turn;
	if (++turns <= FIRST || turn > ODD * shortest)
		return;
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
		printf("truth %lld %lld\nwall %lld\n", in_heavy, in_light, (ns_by(CLOCK_MONOTONIC) - began) / 1000);
	return 0;
}
