/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpu_idle.c - see cpu_idle.h. Uses /proc/stat, per CPU: no interface tells whether a single tick
 * was due in idle time.
 */
#include "perf/cpu_idle.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

void idle_read(u64 *ns, int n)
{
	unsigned long long user, nice, system, idle, iowait;
	FILE *f = fopen("/proc/stat", "re");
	char line[256];
	int cpu;

	memset(ns, 0, (size_t)n * sizeof(*ns));
	/* The lines of CPUs come first. */
	while (f && fgets(line, sizeof(line), f) && !strncmp(line, "cpu", 3))
		if (sscanf(line, "cpu%d %llu %llu %llu %llu %llu", &cpu, &user, &nice, &system,
			   &idle, &iowait) == 6 &&
		    cpu >= 0 && cpu < n)
			ns[cpu] = (idle + iowait) *
				  (1000000000ULL / (unsigned long)sysconf(_SC_CLK_TCK));
	if (f)
		fclose(f);
}

/*
 * The number of due ticks is random: the limit is three standard deviations.
 */
u64 idle_asleep(u64 missing, u64 due, u64 came)
{
	u64 spare = 0, most;

	while (spare * spare < 9 * due)
		spare++;
	if (due <= 2 * came)
		return 0;
	most = due - came + spare;
	return missing < most ? missing : most;
}
