/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pmu.h - the script's counters: one pinned perf event per event and CPU, and their counts per
 * thread (core/vcount.h).
 */
#ifndef LAPWING_KERNEL_PMU_H
#define LAPWING_KERNEL_PMU_H

#include <linux/percpu.h>
#include <linux/ptrace.h>

#include "runtime/rt.h"

struct perf_event_attr;

/*
 * State saved by an NMI for a handler that runs later: by then the interrupted code has moved on,
 * and its stack and the counters have changed.
 */
struct pmu_copy {
	struct pt_regs	regs;		/* the handler's c->regs */
	/*
	 * addresses in frame; more than limits.maxbacktrace: truncated; 0: the stack was not walked
	 */
	u32		depth;
	u64		*frame;
	u32		counted;	/* bit i: of_cpu[i] is set */
	u32		is_thread;	/* of_thread[i] too */
	u64		of_cpu[RT_MAXEVENTS], of_thread[RT_MAXEVENTS];
};

/* The copy of the current handler, or of one that it interrupted; NULL: none. */
DECLARE_PER_CPU(const struct pmu_copy *, pmu_copied);

static inline const struct pmu_copy *pmu_copy_of(const struct rt_ctx *c)
{
	const struct pmu_copy *copy = this_cpu_read(pmu_copied);

	return unlikely(copy) && c->regs == &copy->regs ? copy : NULL;
}

/*
 * Copies the current counters. NMI. Without clocks, which an NMI must not read, and without threads
 * that are not counted yet: handlers start that.
 */
void pmu_copy_counts(struct pmu_copy *copy);

/* perf's attributes of a script's event; period 0: count only. */
void pmu_describe(const struct rt_event *event, u64 period, struct perf_event_attr *attr);
/* Reports why an event could not be opened: a WIRE_ERROR with its name. */
void pmu_refuse(const struct rt_event *event, int cpu, int rc);
/*
 * Starts all counters of rt_script.events. 0, or -errno, reported, with nothing kept. Process
 * context.
 */
int pmu_start(void);
/* Warns about counters that did not count all the time. After the last reading. */
void pmu_stop(void);

#endif
