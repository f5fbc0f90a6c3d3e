/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpu.h - the CPUs of the machine: how many there may be, and how long each has been idle.
 */
#ifndef LAPWING_USER_CPU_H
#define LAPWING_USER_CPU_H

#include "runtime/rt.h"

/* CPUs that are configured, offline ones among them. */
int cpu_count(void);
/* Reads the idle times. */
void cpu_idle_refresh(void);
/* Have they been read? */
int cpu_idle_is_known(void);
/* A CPU's idle time since boot, ns, as of the last cpu_idle_refresh(); 0: not known. */
u64 cpu_idle_ns(int cpu);

#endif
