/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpu_idle.h - clock ticks missing on idle CPUs: some kernels (for example guests of some
 * hypervisors) take no clock samples on idle CPUs, although the event counts the time.
 */
#ifndef LAPWING_CPU_IDLE_H
#define LAPWING_CPU_IDLE_H

#include "runtime/rt.h"

/* Idle time of each of n CPUs since boot, ns (resolution 10 ms); 0 if unknown. */
void idle_read(u64 *ns, int n);
/*
 * How many of a CPU's missing ticks belong to its idle time, in which `due` ticks were expected
 * and `came` arrived. 0 if most arrived: this kernel samples idle CPUs, so the missing ticks are
 * of busy time.
 */
u64 idle_asleep(u64 missing, u64 due, u64 came);

#endif
