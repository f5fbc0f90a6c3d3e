/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpu_idle.h - which of a CPU's clock ticks did not come because it was idle: some kernels, guests of some hypervisors among them, take no
 * samples of the idle CPUs' clocks, though their time is counted.
 */
#ifndef LAPWING_CPU_IDLE_H
#define LAPWING_CPU_IDLE_H

#include "runtime/rt.h"

/* For how long each of n CPUs has been idle, ns, to 10 ms; 0 where that is not known. */
void idle_read(u64 *ns, int n);
/*
 * Of so many missing ticks of a CPU, those of its idle time, in which `due` ticks fell and `came` came. Where most came, the CPU's idle
 * ticks are delivered here, and the missing ones are of busy times: 0.
 */
u64 idle_asleep(u64 missing, u64 due, u64 came);

#endif
