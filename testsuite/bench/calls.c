/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calls.c - calls getppid N times, runs N rounds of a loop (spin), or reads 64 KB of /dev/zero N
 * times (zero). Measures the time, on a clock that counts instructions in the benchmark's guest,
 * and appends a number to FILE: nanoseconds per call, or the total for spin and zero.
 *
 *	calls N FILE	calls spin N FILE	calls zero N FILE
 */
#include <fcntl.h>
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

static void spin(long n)
{
	for (volatile long i = 0; i < n; i++)
		;
}

static void zero(long n)
{
	static char bytes[65536];
	int fd = open("/dev/zero", O_RDONLY);

	while (n-- > 0 && read(fd, bytes, sizeof(bytes)) == sizeof(bytes))
		;
}

int main(int argc, char **argv)
{
	int named = argc == 4;
	long n = argc > 2 ? strtol(argv[1 + named], NULL, 10) : 0;
	double began;
	FILE *out;

	if (n < 1) {
		fprintf(stderr, "usage: calls [spin|zero] N FILE\n");
		return 2;
	}
	for (int i = 0; i < 100; i++)
		syscall(SYS_getppid);
	began = now();
	if (named)
		(strcmp(argv[1], "spin") ? zero : spin)(n);
	else
		for (long i = 0; i < n; i++)
			syscall(SYS_getppid);
	began = now() - began;
	out = fopen(argv[2 + named], "a");
	if (!out)
		return 1;
	fprintf(out, "%.1f\n", named ? began : began / (double)n);
	return fclose(out) ? 1 : 0;
}
