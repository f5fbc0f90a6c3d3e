// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * overload.c - the overload guard, against handlers that use too much of a CPU: more than
 * SystemTap's STP_OVERLOAD_THRESHOLD cycles in every STP_OVERLOAD_INTERVAL cycles.
 *
 * The guard adds no cost to hits, except during a look: for 10 ms in every 200 hits are timed. If
 * handlers had too large a share of some CPU in that time, the look goes on, and the run ends if
 * their share of a whole interval was too large. That share is estimated from many hits
 * (hit_times.h), never from one, whose time may contain a hypervisor's. If hits were long but few,
 * the look goes on until there are many, or until the share has dropped.
 *
 * Time that a hypervisor reports as stolen (steal, in Linux) belongs neither to handlers nor to
 * other work: the interval is counted in the CPU's own time. Not every hypervisor reports it, and
 * none does for a machine that was stopped.
 *
 * Time of handlers in a task is the task's own: the scheduler gives the others their share. So hits
 * in tasks count only if the user set limits; in SystemTap all of them count.
 *
 * Input: context_used(). Hits are timed in enter.c.
 */
#include "runtime/kernel/session/overload.h"

#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/hrtimer.h>
#include <linux/kernel_stat.h>
#include <linux/timekeeping.h>
#include <linux/timex.h>

#include "runtime/core/core.h"
#include "runtime/core/refuse.h"
#include "runtime/kernel/base/run_state.h"
#include "runtime/kernel/compat/compat_names.h"
#include "runtime/kernel/context/context.h"

#define OVERLOAD_LOOK	(10 * NSEC_PER_MSEC)
#define OVERLOAD_REST	(190 * NSEC_PER_MSEC)

enum overload_state { OVERLOAD_NONE, OVERLOAD_MAYBE, OVERLOAD_CERTAIN };

static struct hrtimer overload_timer;
static int overload_armed;		/* work only */
/* Used by the timer only, from here on. */
static u64 *overload_stolen;		/* [nr_cpu_ids], ns: stolen time at the start of the look */
static u64 overload_since;		/* start of the look, cycles; 0: not looking */
static u64 overload_since_ns;		/* the same, ns */
static u32 overload_looks;		/* number of the look, from 1 */

static u64 overload_stolen_of(u32 cpu)
{
	return kcpustat_cpu(cpu).cpustat[CPUTIME_STEAL];
}

static void overload_begin(void)
{
	u32 cpu;

	overload_looks = overload_looks < INT_MAX ? overload_looks + 1 : 1;
	overload_since = get_cycles();
	overload_since_ns = ktime_get_mono_fast_ns();
	for_each_possible_cpu(cpu)
		overload_stolen[cpu] = overload_stolen_of(cpu);
	run_time_hits((int)overload_looks);
}

/* Cycles since the start of the look, without stolen ones. */
static u64 overload_own(u32 cpu, u64 elapsed)
{
	u64 ns = ktime_get_mono_fast_ns() - overload_since_ns,
	    stolen = overload_stolen_of(cpu) - overload_stolen[cpu];

	return stolen < ns ? elapsed - mult_frac(elapsed, stolen, ns) : 0;
}

/* The state of the CPU whose handlers used most. *used: their cycles if it is certain, else 0. */
static enum overload_state overload_judge(u64 elapsed, u64 *used)
{
	const struct rt_limits *limit = &rt_script.limits;
	u64 allowed = mult_frac(elapsed, limit->overload_threshold, limit->overload_interval);
	enum overload_state state = OVERLOAD_NONE;
	u32 cpu;

	*used = 0;
	for_each_possible_cpu(cpu) {
		struct context_use use =
			context_used(cpu, limit->overload_tasks ? 0 : 1, overload_looks);

		if (use.used <= allowed)
			continue;
		state = max(state, OVERLOAD_MAYBE);
		if (use.robust <= max(allowed, *used) ||
		    overload_own(cpu, elapsed) < limit->overload_interval)
			continue;
		state = OVERLOAD_CERTAIN;
		*used = use.robust;
	}
	return state;
}

/* Handlers took `used` of `elapsed` cycles of one CPU: ends the run with an error. */
static void overload_fail(u64 used, u64 elapsed)
{
	char text[120];

	run_close(RUN_OVERLOADED);
	scnprintf(text, sizeof(text),
		  "(%llu cycles) exceeded threshold (%u cycles) in last %llu cycles", used,
		  rt_script.limits.overload_threshold, elapsed);
	core_error(RUN_OVERHEAD, text);
	run_fail();
}

static enum hrtimer_restart overload_look(struct hrtimer *timer)
{
	u64 elapsed = get_cycles() - overload_since, used = 0, next = OVERLOAD_LOOK;
	enum overload_state state =
		overload_since ? overload_judge(elapsed, &used) : OVERLOAD_MAYBE;

	if (state == OVERLOAD_CERTAIN) {
		overload_fail(used, elapsed);
		return HRTIMER_NORESTART;
	}
	if (!overload_since) {
		overload_begin();
	} else if (state == OVERLOAD_NONE) {
		run_time_hits(0);
		overload_since = 0;
		next = OVERLOAD_REST;
	}
	/*
	 * relative to now, not to when it was due: the very handlers that it checks may have
	 * delayed it
	 */
	hrtimer_set_expires(timer, ktime_add_ns(hrtimer_cb_get_time(timer), next));
	return HRTIMER_RESTART;
}

void overload_start(void)
{
	overload_armed = rt_script.limits.overload_interval > 0;
	if (!overload_armed)
		return;
	hrtimer_setup(&overload_timer, overload_look, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
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
	overload_stolen = runtime_alloc((u64)nr_cpu_ids * sizeof(*overload_stolen));
	return overload_stolen ? 0 : -ENOMEM;
}

void overload_unload(void)
{
	runtime_free(overload_stolen);
	overload_stolen = NULL;
}
