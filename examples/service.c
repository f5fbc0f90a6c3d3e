/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * service.c - a service that is slow in two ways, for doc/tutorial.md: of each ten requests seven
 * are short, two (find) need the processor, and one (save) waits, as for a disk. Usage: service
 * [REQUESTS]: so many, 200 without. Prints how many it has answered.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static unsigned long hash(unsigned long sum, long n)
{
	while (n--) {
		sum = sum * 31 + (unsigned long)n;
		__asm__ volatile("" : "+r"(sum));
	}
	return sum;
}

__attribute__((noinline)) unsigned long find(unsigned long sum)
{
	return hash(sum, 2000000);
}

__attribute__((noinline)) unsigned long load(unsigned long sum)
{
	return hash(sum, 20000);
}

__attribute__((noinline)) unsigned long save(unsigned long sum)
{
	usleep(10000);
	return sum + 1;
}

__attribute__((noinline)) void note(const char *kind)
{
	__asm__ volatile("" : : "r"(kind) : "memory");
}

__attribute__((noinline)) unsigned long serve(const char *kind, unsigned long sum)
{
	note(kind);
	switch (*kind) {
	case 'l':
		return load(sum) + 1;
	case 'f':
		return find(sum) + 1;
	default:
		return save(sum) + 1;
	}
}

int main(int argc, char **argv)
{
	static const char *kinds[] = { "load", "load", "find", "load", "load",
				       "load", "save", "find", "load", "load" };
	long n = argc > 1 ? atol(argv[1]) : 200;
	unsigned long sum = 0;

	for (long i = 0; i < n; i++)
		sum = serve(kinds[i % 10], sum);
	printf("%ld requests answered\n", sum ? n : 0);
	return 0;
}
