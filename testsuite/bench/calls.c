/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calls.c - calls getppid N times, or spins through N rounds of arithmetic, and says how long one took on a clock that counts
 * instructions in the benchmark's guest: nanoseconds a call to the file FILE (appended, one number a line).
 *
 *	calls N FILE	calls spin N FILE
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
	int spin = argc == 4 && !strcmp(argv[1], "spin");
	long n = argc > 2 ? strtol(argv[1 + spin], NULL, 10) : 0;
	double began;
	FILE *out;

	if (n < 1) {
		fprintf(stderr, "usage: calls [spin] N FILE\n");
		return 2;
	}
	for (int i = 0; i < 100; i++)
		syscall(SYS_getppid);
	began = now();
	if (spin)
		for (volatile long i = 0; i < n; i++)
			;
	else
		for (long i = 0; i < n; i++)
			syscall(SYS_getppid);
	began = now() - began;
	out = fopen(argv[2 + spin], "a");
	if (!out)
		return 1;
	fprintf(out, "%.1f\n", spin ? began : began / (double)n);
	return fclose(out) ? 1 : 0;
}
