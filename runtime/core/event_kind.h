/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event_kind.h - what differs between kinds of perf events.
 */
#ifndef LAPWING_CORE_EVENT_KIND_H
#define LAPWING_CORE_EVENT_KIND_H

#include "runtime/rt.h"

#include <linux/perf_event.h>

/*
 * True for the kernel's clocks, by type and config of perf_event_attr. They count nanoseconds,
 * whichever part of the time they sample; the other software events count occurrences.
 */
static inline int event_is_clock(u32 type, u64 config)
{
	return type == PERF_TYPE_SOFTWARE &&
	       (config == PERF_COUNT_SW_CPU_CLOCK || config == PERF_COUNT_SW_TASK_CLOCK);
}

#endif
