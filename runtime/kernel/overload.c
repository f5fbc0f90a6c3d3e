// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * overload.c - the guard against handlers that take a processor away from its work: SystemTap's STP_OVERLOAD_THRESHOLD cycles in every
 * STP_OVERLOAD_INTERVAL of them.
 *
 * A hit costs nothing for it. For 10 ms in 200 the time of hits is taken; if handlers had too large a share of some CPU in that time it
 * goes on being taken, and the run ends when the share of a whole interval was too large.
 *
 * What handlers take in a task is the task's own: the scheduler sees that others have their part. So hits in tasks count only where the
 * script's user gave limits, as they all do in SystemTap.
 *
 * Input: context_used(). It does not take the time: enter.c does.
 */
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/hrtimer.h>
#include <linux/timex.h>

#include "runtime/core/core.h"
#include "runtime/kernel/context.h"
#include "runtime/kernel/session.h"

#define OVERLOAD_LOOK	(10 * NSEC_PER_MSEC)
#define OVERLOAD_REST	(190 * NSEC_PER_MSEC)

static struct hrtimer overload_timer;
static int overload_armed;		/* work only */
/* The timer's only, from here on. */
static u64 *overload_before;		/* [nr_cpu_ids]: what overload_of() was when looking began */
static u64 overload_since;		/* cycles: when that was; 0: not looking */

static u64 overload_of(u32 cpu)
{
	return context_used(cpu, rt_script.limits.overload_tasks ? 0 : 1);
}

/* The most that hits took of one CPU since looking began. */
static u64 overload_used(void)
{
	u64 most = 0;
	u32 cpu;

	for_each_possible_cpu(cpu)
		most = max(most, overload_of(cpu) - overload_before[cpu]);
	return most;
}

static void overload_begin(void)
{
	u32 cpu;

	session_time_hits(1);
	overload_since = get_cycles();
	for_each_possible_cpu(cpu)
		overload_before[cpu] = overload_of(cpu);
}

static enum hrtimer_restart overload_look(struct hrtimer *timer)
{
	const struct rt_limits *limit = &rt_script.limits;
	u64 elapsed = get_cycles() - overload_since, used, next = OVERLOAD_LOOK;

	if (!overload_since) {
		overload_begin();
	} else if ((used = overload_used()) <= mult_frac(elapsed, limit->overload_threshold, limit->overload_interval)) {
		session_time_hits(0);
		overload_since = 0;
		next = OVERLOAD_REST;
	} else if (elapsed >= limit->overload_interval) {
		session_overload(used, elapsed);
		return HRTIMER_NORESTART;
	}
	/* from now on, not from when it was due: it may have waited for the very handlers that it looks at */
	hrtimer_set_expires(timer, ktime_add_ns(hrtimer_cb_get_time(timer), next));
	return HRTIMER_RESTART;
}

void overload_start(void)
{
	overload_armed = rt_script.limits.overload_interval > 0;
	if (!overload_armed)
		return;
	hrtimer_init(&overload_timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
	overload_timer.function = overload_look;
	hrtimer_start(&overload_timer, ns_to_ktime(OVERLOAD_LOOK), HRTIMER_MODE_REL_HARD);
}

void overload_stop(void)
{
	if (overload_armed)
		hrtimer_cancel(&overload_timer);
	overload_armed = 0;
}

int overload_load(void)
{
	overload_before = runtime_alloc((u64)nr_cpu_ids * sizeof(*overload_before));
	return overload_before ? 0 : -ENOMEM;
}

void overload_unload(void)
{
	runtime_free(overload_before);
	overload_before = NULL;
}
