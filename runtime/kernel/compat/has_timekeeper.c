// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * has_timekeeper.c - compiles if the kernel tells modules how it derives time from the x86 cycle
 * counter.
 */
#include <linux/clocksource.h>
#include <linux/pvclock_gtod.h>
#include <linux/timekeeper_internal.h>
#include <asm/msr.h>

u64 has_timekeeper(struct notifier_block *n, const struct timekeeper *t);
u64 has_timekeeper(struct notifier_block *n, const struct timekeeper *t)
{
	if (pvclock_gtod_register_notifier(n) ||
	    t->tkr_mono.clock->vdso_clock_mode != VDSO_CLOCKMODE_TSC)
		return 0;
	return t->tkr_mono.base + t->tkr_mono.xtime_nsec +
	       (rdtsc_ordered() - t->tkr_mono.cycle_last) * t->tkr_mono.mult + t->offs_real;
}
