// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * family_timer.c - timer.s ... timer.hz, timer.jiffies: one hard hrtimer per row, on the CPU that
 * started it.
 *
 * Hard, so that the interrupted registers are available. Randomised periods are drawn anew for
 * every firing. Ticks that were due before a late tick ran are booked as late. timer.profile is in
 * family_profile.c.
 */
#include <linux/hrtimer.h>
#include <linux/jiffies.h>
#include <linux/prandom.h>
#include <linux/random.h>
#include <asm/irq_regs.h>

#include "runtime/core/core.h"
#include "runtime/kernel/compat/compat_names.h"
#include "runtime/kernel/context/enter.h"
#include "runtime/kernel/probes/family.h"

struct armed_timer {
	struct hrtimer		timer;
	const struct rt_timer	*row;
	struct rnd_state	random;		/* used by the timer's own handler only */
};

static struct armed_timer *armed;	/* constant between start and stop */

static u64 next_period(struct armed_timer *t)
{
	u64 period = t->row->period_ns, spread = t->row->random_ns, draw;

	if (t->row->jiffies) {
		period = (u64)t->row->jiffies * TICK_NSEC;
		spread = (u64)t->row->random_jiffies * TICK_NSEC;
	}
	if (spread) {
		draw = (u64)prandom_u32_state(&t->random) << 32 | prandom_u32_state(&t->random);
		period = period - spread + draw % (2 * spread + 1);
	}
	return period ? period : 1;
}

static enum hrtimer_restart timer_fired(struct hrtimer *timer)
{
	struct armed_timer *t = container_of(timer, struct armed_timer, timer);
	u64 ticks;

	enter_probe(t->row->probe, get_irq_regs());
	ticks = hrtimer_forward_now(timer, ns_to_ktime(next_period(t)));
	if (unlikely(ticks > 1))
		enter_missed_late(t->row->probe, ticks - 1);
	return HRTIMER_RESTART;
}

static int timer_start(const void *rows, u32 nrows)
{
	const struct rt_timer *row = rows;
	u32 i;

	armed = runtime_alloc((u64)nrows * sizeof(*armed));
	if (!armed)
		return -ENOMEM;
	for (i = 0; i < nrows; i++) {
		struct armed_timer *t = &armed[i];

		t->row = &row[i];
		prandom_seed_state(&t->random, get_random_u64());
		hrtimer_setup(&t->timer, timer_fired, CLOCK_MONOTONIC,
			      HRTIMER_MODE_REL_PINNED_HARD);
		hrtimer_start(&t->timer, ns_to_ktime(next_period(t)), HRTIMER_MODE_REL_PINNED_HARD);
	}
	return 0;
}

static void timer_stop(const void *rows, u32 nrows)
{
	u32 i;

	for (i = 0; i < nrows; i++)
		hrtimer_cancel(&armed[i].timer);
	runtime_free(armed);
	armed = NULL;
}

const struct rt_family rt_family_timer = {
	.name	= "timer",
	.start	= timer_start,
	.stop	= timer_stop,
};
