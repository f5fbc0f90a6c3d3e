// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * family_profile.c - timer.profile: a hard hrtimer on every CPU; the handler sees the interrupted registers.
 */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/jiffies.h>
#include <linux/smp.h>
#include <asm/irq_regs.h>

#include "runtime/core/core.h"
#include "runtime/kernel/enter.h"
#include "runtime/kernel/family.h"
#include "runtime/kernel/session.h"

struct profile_timer {
	struct hrtimer		timer;
	const struct rt_probe	*probe;
	u64			period;
	int			armed;
	u64			fired, late;	/* ticks; those whose time had passed when the CPU came to them. Its own CPU writes */
};

/* Sums over all timers, since the module was loaded; after stop. */
static u64 profile_samples, profile_lost;

static struct profile_timer *profile_timers;	/* [rows][nr_cpu_ids]; constant between start and stop */

static enum hrtimer_restart profile_fired(struct hrtimer *timer)
{
	struct profile_timer *t = container_of(timer, struct profile_timer, timer);

	enter_probe(t->probe, get_irq_regs());
	t->fired++;
	t->late += hrtimer_forward_now(timer, ns_to_ktime(t->period)) - 1;
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
		if (profile_timers[i].armed)
			hrtimer_cancel(&profile_timers[i].timer);
		profile_samples += profile_timers[i].fired;
		profile_lost += profile_timers[i].late;
	}
	runtime_free(profile_timers);
	profile_timers = NULL;
}

void profile_account(struct wire_summary *sum)
{
	sum->samples = profile_samples;
	sum->samples_lost = profile_lost;
	sum->samples_expected = profile_samples + profile_lost;
}

const struct rt_family rt_family_profile = {
	.name	= "profile",
	.start	= profile_start,
	.stop	= profile_stop,
};
