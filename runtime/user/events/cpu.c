/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpu.c - see cpu.h.
 */
#include "runtime/user/events/cpu.h"

#include "perf/cpu_idle.h"

#include <stdlib.h>
#include <unistd.h>

static u64 *idle;		/* by CPU, ns */

int cpu_count(void)
{
	static int n;

	if (!n)
		n = (int)sysconf(_SC_NPROCESSORS_CONF);
	return n;
}

void cpu_idle_refresh(void)
{
	if (!idle)
		idle = calloc((size_t)cpu_count(), sizeof(*idle));
	if (idle)
		idle_read(idle, cpu_count());
}

int cpu_idle_is_known(void) { return idle != NULL; }
u64 cpu_idle_ns(int cpu) { return idle ? idle[cpu] : 0; }
