// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * overload.c - the overload guard: ends the run if handlers use more than SystemTap's
 * STP_OVERLOAD_THRESHOLD cycles in STP_OVERLOAD_INTERVAL.
 *
 * Its cost per hit is negligible. For 10 ms in every 200 hits are timed: a check. If handlers used
 * too large a share of a CPU in that time, the check continues, and the run ends if the share of a
 * whole interval was too large. The final decision uses the robust sum of many hits (hit_times.h),
 * never a single one: its time may be that of a hypervisor. If hits were long but few, the check
 * continues until there are enough, or the share has dropped.
 *
 * Time that a hypervisor reports as stolen (Linux's steal time) is subtracted: the interval is the
 * CPU's own time. Not every hypervisor reports it, and none does for a paused machine.
 *
 * Handlers in a task use the task's own time: the scheduler gives others their share. So hits in
 * tasks count only if the user gave limits, as they always do in SystemTap.
 *
 * Input: context_used(). enter.c takes the times.
 */
#include <linux/cpumask.h>
#include "runtime/kernel/session/overload.h"

#include <linux/errno.h>
#include <linux/hrtimer.h>
#include <linux/kernel_stat.h>
#include <linux/timekeeping.h>
#include <linux/timex.h>

#include "runtime/core/core.h"
#include "runtime/kernel/base/gate.h"
#include "runtime/kernel/base/run_state.h"
#include "runtime/kernel/compat/compat.h"
#include "runtime/kernel/context/context.h"

#define OVERLOAD_LOOK	(10 * NSEC_PER_MSEC)
#define OVERLOAD_REST	(190 * NSEC_PER_MSEC)

enum overload_state { OVERLOAD_NONE, OVERLOAD_MAYBE, OVERLOAD_CERTAIN };

static struct hrtimer overload_timer;
static int overload_armed;		/* used by the work only */
/* Used by the timer only, from here on. */
static u64 *overload_stolen;		/* [nr_cpu_ids], ns: stolen time at the start of the
					 * check */
static u64 overload_since;		/* cycles: start of the check; 0: none running */
static u64 overload_since_ns;		/* the same */
static u32 overload_checks;		/* number of the check, from 1 */

static u64 overload_stolen_of(u32 cpu)
{
	return kcpustat_cpu(cpu).cpustat[CPUTIME_STEAL];
}

static void overload_begin(void)
{
	u32 cpu;

	overload_checks = overload_checks < INT_MAX ? overload_checks + 1 : 1;
	overload_since = get_cycles();
	overload_since_ns = ktime_get_mono_fast_ns();
	for_each_possible_cpu(cpu)
		overload_stolen[cpu] = overload_stolen_of(cpu);
	gate_time_hits((int)overload_checks);
}

/* Cycles since the start of the check, without stolen ones. */
static u64 overload_own(u32 cpu, u64 elapsed)
{
	u64 ns = ktime_get_mono_fast_ns() - overload_since_ns,
	    stolen = overload_stolen_of(cpu) - overload_stolen[cpu];

	return stolen < ns ? elapsed - mult_frac(elapsed, stolen, ns) : 0;
}

/* For the CPU with the highest share. used: cycles of handlers, if certain. */
static enum overload_state overload_judge(u64 elapsed, u64 *used)
{
	const struct rt_limits *limit = &rt_script.limits;
	u64 allowed = mult_frac(elapsed, limit->overload_threshold, limit->overload_interval);
	enum overload_state state = OVERLOAD_NONE;
	u32 cpu;

	*used = 0;
	for_each_possible_cpu(cpu) {
		struct context_use use =
			context_used(cpu, limit->overload_tasks ? 0 : 1, overload_checks);

		if (use.used <= allowed)
			continue;
		if (state == OVERLOAD_NONE)
			state = OVERLOAD_MAYBE;
		if (use.robust <= max(allowed, *used) ||
		    overload_own(cpu, elapsed) < limit->overload_interval)
			continue;
		state = OVERLOAD_CERTAIN;
		*used = use.robust;
	}
	return state;
}

/* Ends the run: handlers used `used` of `elapsed` cycles of one CPU. */
static void overload_end(u64 used, u64 elapsed)
{
	char text[120];
	int n;

	gate_close(GATE_OVERLOADED);
	n = scnprintf(
		text, sizeof(text),
		"probe overhead (%llu cycles) exceeded threshold (%u cycles) in last %llu cycles",
		used, rt_script.limits.overload_threshold, elapsed);
	runtime_message(WIRE_ERROR, 0, text, (u32)n + 1);
	run_fail();
}

static enum hrtimer_restart overload_check(struct hrtimer *timer)
{
	u64 elapsed = get_cycles() - overload_since, used = 0, next = OVERLOAD_LOOK;
	enum overload_state state =
		overload_since ? overload_judge(elapsed, &used) : OVERLOAD_MAYBE;

	if (state == OVERLOAD_CERTAIN) {
		overload_end(used, elapsed);
		return HRTIMER_NORESTART;
	}
	if (!overload_since) {
		overload_begin();
	} else if (state == OVERLOAD_NONE) {
		gate_time_hits(0);
		overload_since = 0;
		next = OVERLOAD_REST;
	}
	/*
	 * relative to now, not to the due time: it may have been delayed by the handlers it checks
	 */
	hrtimer_set_expires(timer, ktime_add_ns(hrtimer_cb_get_time(timer), next));
	return HRTIMER_RESTART;
}

void overload_start(void)
{
	overload_armed = rt_script.limits.overload_interval > 0;
	if (!overload_armed)
		return;
	hrtimer_setup(&overload_timer, overload_check, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
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
