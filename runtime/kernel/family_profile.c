// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * family_profile.c - timer.profile: a hard hrtimer on every CPU; the handler sees the interrupted registers.
 */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/jiffies.h>
#include <linux/math64.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <asm/irq_regs.h>

#include "runtime/core/core.h"
#include "runtime/core/sampling.h"
#include "runtime/kernel/enter.h"
#include "runtime/kernel/family.h"
#include "runtime/kernel/session.h"

struct profile_timer {
	struct hrtimer		timer;
	const struct rt_probe	*probe;
	u64			period;
	int			armed;
	/*
	 * While hits may run, written by its own CPU: ticks; of an idle CPU; those whose time had passed when the CPU came to them; those
	 * while sampling was off.
	 */
	u64			fired, idle, late, off;
};

static struct wire_summary profile_sums;	/* over all timers; after stop */

static struct profile_timer *profile_timers;	/* [rows][nr_cpu_ids]; constant between start and stop */

static noinline void profile_skip(struct profile_timer *t)
{
	t->off++;
	context_books(context_here(), t->probe)->condition_off++;
}

static enum hrtimer_restart profile_fired(struct hrtimer *timer)
{
	struct profile_timer *t = container_of(timer, struct profile_timer, timer);
	int gate = READ_ONCE(session_gate), off = READ_ONCE(sampling_off) || session_is_paused(gate);
	u64 ticks;

	if (likely(!off))
		enter_interrupt(t->probe, get_irq_regs());
	ticks = hrtimer_forward_now(timer, ns_to_ktime(t->period));
	if (likely(gate >= 0)) {
		t->late += ticks - 1;
		if (unlikely(off)) {
			profile_skip(t);
			return HRTIMER_RESTART;
		}
		t->fired++;
		t->idle += is_idle_task(current);
	}
	return HRTIMER_RESTART;
}

/* On the timer's own CPU. */
static void profile_arm(void *data)
{
	struct profile_timer *t = data;

	hrtimer_init(&t->timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	t->timer.function = profile_fired;
	t->armed = 1;
	hrtimer_start(&t->timer, ns_to_ktime(t->period), HRTIMER_MODE_REL_PINNED_HARD);
}

static int profile_start(const void *rows, u32 nrows)
{
	const struct rt_profile *row = rows;
	u32 i, cpu;

	profile_timers = runtime_alloc((u64)nrows * nr_cpu_ids * sizeof(*profile_timers));
	if (!profile_timers)
		return -ENOMEM;
	cpus_read_lock();
	for (i = 0; i < nrows; i++)
		for_each_online_cpu(cpu) {
			struct profile_timer *t = &profile_timers[i * nr_cpu_ids + cpu];

			t->probe = row[i].probe;
			t->period = row[i].period_ns ? row[i].period_ns : TICK_NSEC;
			smp_call_function_single(cpu, profile_arm, t, 1);
		}
	cpus_read_unlock();
	return 0;
}

static void profile_stop(const void *rows, u32 nrows)
{
	u32 i;

	for (i = 0; i < nrows * nr_cpu_ids; i++) {
		struct profile_timer *t = &profile_timers[i];

		if (!t->armed)
			continue;
		hrtimer_cancel(&t->timer);
		profile_sums.samples += t->fired;
		profile_sums.samples_idle += t->idle;
		profile_sums.samples_off += t->off;
		profile_sums.samples_lost += t->late;
		profile_sums.samples_expected += div64_u64(session_open_ns(), t->period);
		profile_sums.sample_clocks++;
	}
	runtime_free(profile_timers);
	profile_timers = NULL;
}

void profile_account(struct wire_summary *sum)
{
	sum->samples_expected = profile_sums.samples_expected;
	sum->samples = profile_sums.samples;
	sum->samples_idle = profile_sums.samples_idle;
	sum->samples_off = profile_sums.samples_off;
	sum->samples_lost = profile_sums.samples_lost;
	sum->sample_clocks = profile_sums.sample_clocks;
}

const struct rt_family rt_family_profile = {
	.name	= "profile",
	.start	= profile_start,
	.stop	= profile_stop,
};
