/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * load.c - a program with a known profile, which measures its CPU time in heavy() and light().
 * Usage: load MS [SLEEPS]; prints "NAME ns" for heavy, light, and all (the wall clock).
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static volatile unsigned sink;

static long long clock_ns(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static inline __attribute__((always_inline)) unsigned stir(unsigned x)
{
	return x * 2654435761u ^ x >> 13;
}

__attribute__((noinline)) void heavy(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		sink = stir(sink);
}

__attribute__((noinline)) void light(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		sink = sink * 5 + i;
}

__attribute__((noinline)) void across(int depth, void (*f)(unsigned n), unsigned n);

/* These two call each other. */
__attribute__((noinline)) void through(int depth, void (*f)(unsigned n), unsigned n)
{
	if (depth)
		across(depth - 1, f, n);
	else
		f(n);
	sink++;
}

__attribute__((noinline)) void across(int depth, void (*f)(unsigned n), unsigned n)
{
	through(depth - 1, f, n);
	sink++;
}

static long long timed(void (*f)(unsigned n), unsigned n)
{
	long long begin = clock_ns(CLOCK_THREAD_CPUTIME_ID);

	through(4, f, n);
	return clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin;
}

int main(int argc, char **argv)
{
	long long begin = clock_ns(CLOCK_MONOTONIC), want = atoll(argv[1]) * 1000000;
	long long in_heavy = 0, in_light = 0;
	int sleeps = argc > 2 ? atoi(argv[2]) : 0;

	while (in_heavy + in_light < want) {
		in_heavy += timed(heavy, 300000);
		in_light += timed(light, 100000);
	}
	while (sleeps--)
		nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
	printf("heavy %lld\nlight %lld\nall %lld\n", in_heavy, in_light,
	       clock_ns(CLOCK_MONOTONIC) - begin);
	return 0;
}
