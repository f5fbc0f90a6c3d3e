/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ticks.c - see ticks.h.
 */
#include "runtime/run/ticks.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define TICKS_LEAST 100		/* of all CPUs: with fewer, /proc/stat is too coarse */

static char stat_before[1 << 16];
static double before;

/*
 * The next line "cpuN ..." of the text: its number, and the sum of user to steal (user includes
 * guest). NULL: no more.
 */
static const char *next_cpu(const char *text, unsigned *cpu, double *sum)
{
	unsigned long long t[8];

	for (; text; text = strchr(text, '\n')) {
		text += *text == '\n';
		if (strncmp(text, "cpu", 3) || text[3] == ' ' || /* the first line is the
									 * sum of all CPUs */
		    sscanf(text, "cpu%u %llu %llu %llu %llu %llu %llu %llu %llu", cpu, &t[0], &t[1],
			   &t[2], &t[3], &t[4], &t[5], &t[6], &t[7]) != 9)
			continue;
		*sum = 0;
		for (unsigned i = 0; i < 8; i++)
			*sum += (double)t[i];
		return strchr(text, '\n');
	}
	return NULL;
}

double ticks_missing(const char *first, const char *second, double seconds, double hz)
{
	double had = 0, has = 0, counted = 0, passed = 0, missing;
	unsigned cpu = 0, same = 0;

	while ((first = next_cpu(first, &cpu, &had))) {
		const char *at = second;

		while ((at = next_cpu(at, &same, &has)) && same != cpu)
			;
		if (!at)
			continue;
		counted += has - had;
		passed += seconds * hz;
	}
	if (passed < TICKS_LEAST)
		return -1;
	missing = 1 - counted / passed;
	return missing > 0 ? missing : 0;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void read_stat(char *text, size_t size)
{
	FILE *f = fopen("/proc/stat", "re");
	size_t n = f ? fread(text, 1, size - 1, f) : 0;

	text[n] = 0;
	if (f)
		fclose(f);
}

void ticks_begin(void)
{
	read_stat(stat_before, sizeof(stat_before));
	before = now();
}

double ticks_missed(void)
{
	static char after[sizeof(stat_before)];

	read_stat(after, sizeof(after));
	return ticks_missing(stat_before, after, now() - before, (double)sysconf(_SC_CLK_TCK));
}
