/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sysctl.c - writes 1, 2 ... COUNT to /proc/sys/kernel/panic, the kernel variable panic_timeout,
 * and reads panic_on_oops as often; writes 0 at the end. Usage: sysctl COUNT
 */
#include <stdio.h>
#include <stdlib.h>

static int set(long value)
{
	FILE *f = fopen("/proc/sys/kernel/panic", "w");

	return !f || fprintf(f, "%ld\n", value) < 0 || fclose(f);
}

static int get(void)
{
	FILE *f = fopen("/proc/sys/kernel/panic_on_oops", "r");
	char line[16];

	return !f || !fgets(line, sizeof(line), f) || fclose(f);
}

int main(int argc, char **argv)
{
	long count = argc > 1 ? atol(argv[1]) : 10;

	for (long i = 1; i <= count; i++)
		if (set(i) || get())
			return 1;
	return set(0);
}
