// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * family_profile.c - timer.profile: a hard hrtimer on every online CPU; the handler sees the
 * interrupted registers.
 */
#include "runtime/kernel/probes/family_profile.h"

#include <linux/cpuhotplug.h>
#include <linux/hrtimer.h>
#include <linux/jiffies.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <asm/irq_regs.h>

#include "runtime/core/core.h"
#include "runtime/core/sampling.h"
#include "runtime/core/vary.h"
#include "runtime/kernel/base/fault_inject.h"
#include "runtime/kernel/compat/compat_names.h"
#include "runtime/kernel/context/enter.h"
#include "runtime/kernel/probes/family.h"
#include "runtime/kernel/base/run_state.h"

struct profile_timer {
	struct hrtimer		timer;
	const struct rt_probe	*probe;
	u64			period;
	int			armed;		/* its CPU is online */
	u64			since;		/* when it was armed; ns */
	/* start of the period that the next tick falls in; used by its own CPU */
	u64			turn;
	struct vary		vary;
	/*
	 * Counted by its own CPU while hits may run: ticks; ticks of an idle CPU; periods that
	 * passed without a tick, on an idle CPU and on a busy one; ticks while sampling was off.
	 */
	u64			fired, idle, asleep, late, off;
};

/* sums of all timers; written with hotplug locked */
static struct wire_summary profile_sums;

/* [rows][nr_cpu_ids]; constant between start and stop */
static struct profile_timer *profile_timers;
static u32 profile_rows;
static int profile_state;		/* of cpuhp_setup_state() */

static noinline void profile_skip(struct profile_timer *t, u64 ticks)
{
	t->off += ticks;
	context_books(context_here(), t->probe)->condition_off += ticks;
}

/*
 * Computes the next period, and the time within it. Periods that have passed without a tick are
 * counted. A tick pending while interrupts are off is delivered as soon as they are on, so it finds
 * the idle task only if the CPU was idle throughout.
 */
static void profile_forward(struct profile_timer *t, int open, int off)
{
	u64 now = ktime_to_ns(ktime_get()), missed, due;

	t->turn += t->period;
	if (unlikely(now >= t->turn + t->period)) {
		missed = div64_u64(now - t->turn, t->period);
		t->turn += missed * t->period;
		if (open && off)
			profile_skip(t, missed);
		else if (open && is_idle_task(current))
			t->asleep += missed;
		else if (open)
			t->late += missed;
	}
	due = t->turn + vary_draw(&t->vary, t->period);
	/* the CPU must make progress in between */
	hrtimer_set_expires(&t->timer, ns_to_ktime(max(due, now + (t->period >> 6))));
}

static enum hrtimer_restart profile_fired(struct hrtimer *timer)
{
	struct profile_timer *t = container_of(timer, struct profile_timer, timer);
	int gate = READ_ONCE(run_gate), off = READ_ONCE(sampling_off) || run_is_paused(gate);

	if (likely(!off))
		enter_interrupt(t->probe, get_irq_regs(), gate);
	if (likely(gate >= 0)) {
		if (unlikely(off)) {
			profile_skip(t, 1);
		} else {
			t->fired++;
			t->idle += is_idle_task(current);
		}
	}
	profile_forward(t, gate >= 0, off);
	return HRTIMER_RESTART;
}

/* On the timer's own CPU. */
static void profile_arm(struct profile_timer *t)
{
	t->since = t->turn = ktime_to_ns(ktime_get());
	t->vary = vary_seeded(get_random_u64());
	hrtimer_setup(&t->timer, profile_fired, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_PINNED_HARD);
	t->armed = 1;
	hrtimer_start(&t->timer, ns_to_ktime(t->turn + vary_draw(&t->vary, t->period)),
		      HRTIMER_MODE_ABS_PINNED_HARD);
}

/* Adds the timer's counts to the books, and the ticks due while it was armed and hits could run. */
static void profile_disarm(struct profile_timer *t)
{
	u64 now, from, until;

	if (!t->armed)
		return;
	now = ktime_to_ns(ktime_get());
	hrtimer_cancel(&t->timer);
	t->armed = 0;
	run_span(&from, &until);
	from = max(from, t->since);
	until = max(min(until, now), from);
	/* the tick that was pending, and those after it */
	if (until > max(from, t->turn) + t->period)
		t->late += div64_u64(until - max(from, t->turn), t->period);
	profile_sums.samples += t->fired;
	profile_sums.samples_idle += t->idle;
	profile_sums.samples_off += t->off;
	profile_sums.samples_asleep += t->asleep;
	profile_sums.samples_lost += t->late;
	profile_sums.samples_expected += div64_u64(until - from, t->period);
	profile_sums.sample_clocks++;
	t->fired = t->idle = t->off = t->asleep = t->late = 0;
}

/* Arms the timer of an online CPU: that of an offline one would fire on another CPU. */
static int profile_online(unsigned int cpu)
{
	u32 i;

	for (i = 0; i < profile_rows; i++)
		profile_arm(&profile_timers[i * nr_cpu_ids + cpu]);
	return 0;
}

static int profile_offline(unsigned int cpu)
{
	u32 i;

	for (i = 0; i < profile_rows; i++)
		profile_disarm(&profile_timers[i * nr_cpu_ids + cpu]);
	return 0;
}

static int profile_start(const void *rows, u32 nrows)
{
	const struct rt_profile *row = rows;
	u32 i;

	profile_timers = runtime_alloc((u64)nrows * nr_cpu_ids * sizeof(*profile_timers));
	if (!profile_timers)
		return -ENOMEM;
	profile_rows = nrows;
	for (i = 0; i < nrows * nr_cpu_ids; i++) {
		profile_timers[i].probe = row[i / nr_cpu_ids].probe;
		profile_timers[i].period =
			row[i / nr_cpu_ids].period_ns ? row[i / nr_cpu_ids].period_ns : TICK_NSEC;
	}
	profile_state = fault_inject_error()
				?: cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "lapwing:profile",
						     profile_online, profile_offline);
	if (profile_state >= 0)
		return 0;
	runtime_free(profile_timers);
	profile_timers = NULL;
	return profile_state;
}

static void profile_stop(const void *rows, u32 nrows)
{
	struct wire_summary *s = &profile_sums;
	u64 found;

	cpuhp_remove_state(profile_state);
	runtime_free(profile_timers);
	profile_timers = NULL;
	/*
	 * The first and the last tick of a clock fall at random points of their periods: one of
	 * each may or may not be expected.
	 */
	found = s->samples + s->samples_off + s->samples_asleep + s->samples_lost;
	if (s->samples_expected > found + 2 * s->sample_clocks)
		s->samples_lost += s->samples_expected - found;
	else
		s->samples_expected = found;
}

void profile_account(struct wire_summary *sum)
{
	sum->samples_expected = profile_sums.samples_expected;
	sum->samples = profile_sums.samples;
	sum->samples_idle = profile_sums.samples_idle;
	sum->samples_off = profile_sums.samples_off;
	sum->samples_asleep = profile_sums.samples_asleep;
	sum->samples_lost = profile_sums.samples_lost;
	sum->sample_clocks = profile_sums.sample_clocks;
}

const struct rt_family rt_family_profile = {
	.name	= "profile",
	.start	= profile_start,
	.stop	= profile_stop,
};
