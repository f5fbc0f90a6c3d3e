// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * locks.c - reader/writer locks of globals with bounded waiting (locks.h).
 *
 * The lock of a percpu_lock global has a part per CPU: LOCAL takes one, READ and WRITE take all.
 * The lock of any other global, or of an array that is too large for a copy per CPU, has one part.
 */
#include "runtime/kernel/context/locks.h"

#include <linux/delay.h>
#include <linux/errno.h>

#include "runtime/core/core.h"
#include "runtime/kernel/context/oops.h"

static u32 parts_of(const struct rt_global *g)
{
	return g->percpu_lock ? g->parts : 1;
}

/* True if no other CPU uses this part. */
static int is_alone(const struct rt_lockuse *use)
{
	const struct rt_global *g = &rt_script.globals[use->global];

	return use->mode == RT_LOCAL && g->percpu_lock == RT_LOCK_ONLY &&
	       g->parts == runtime_parts();
}

/* of all probes, in order; constant between load and unload */
static struct lock_step *lock_plans;

/*
 * Skips locks that need not be taken. step: has room for all of them; returns where the next
 * probe's steps begin.
 */
static struct lock_step *plan_steps(struct rt_probe *p, struct lock_step *step)
{
	u32 k;

	p->lock_steps = step;
	for (k = 0; k < p->nlocks; k++) {
		const struct rt_lockuse *use = &p->locks[k];
		const struct rt_global *g = &rt_script.globals[use->global];
		u16 own = use->mode == RT_LOCAL && parts_of(g) > 1;

		if (!is_alone(use))
			*step++ = (struct lock_step){ g->lock, own ? 1 : parts_of(g), own, use->mode == RT_READ };
	}
	p->nsteps = (u32)(step - (struct lock_step *)p->lock_steps);
	p->slow = p->condition || p->capture & RT_CAP_HIT_TIME ? RT_SLOW_ODD
		  : p->nsteps ? RT_SLOW_LOCKS
		  : 0;
	return step;
}

int locks_load(void)
{
	struct lock_step *step;
	u64 steps = 0;
	u32 i;

	for (i = 0; i < rt_script.nglobals; i++) {
		struct rt_global *g = &rt_script.globals[i];

		g->lock = runtime_alloc((u64)parts_of(g) * sizeof(struct lock_part));
		if (!g->lock) {
			locks_unload();
			return -ENOMEM;
		}
	}
	for (i = 0; i < rt_script.nprobes; i++)
		steps += rt_script.probes[i].nlocks;
	step = lock_plans = runtime_alloc(steps * sizeof(*step) + 1);
	if (!step) {
		locks_unload();
		return -ENOMEM;
	}
	for (i = 0; i < rt_script.nprobes; i++)
		step = plan_steps(&rt_script.probes[i], step);
	return 0;
}

void locks_unload(void)
{
	u32 i;

	for (i = 0; i < rt_script.nglobals; i++) {
		runtime_free(rt_script.globals[i].lock);
		rt_script.globals[i].lock = NULL;
	}
	runtime_free(lock_plans);
	lock_plans = NULL;
}

/*
 * After a failed try. *tries is what is left for the whole handler. A task that died in a handler
 * never releases its locks.
 */
static noinline int part_wait(struct lock_part *part, int shared, u32 *tries)
{
	do {
		if (!*tries || oops_happened())
			return 0;
		--*tries;
		udelay(rt_script.limits.trylock_us);
	} while (!lock_try(part, shared));
	return 1;
}

static void parts_drop(struct lock_part *part, u32 n, int shared)
{
	while (n)
		lock_part_drop(&part[--n], shared);
}

static int step_take(const struct lock_step *s, u32 cpu, u32 *tries)
{
	struct lock_part *part = lock_parts(s, cpu);
	u32 i;

	for (i = 0; i < s->n; i++) {
		if (lock_try(&part[i], s->shared) || part_wait(&part[i], s->shared, tries))
			continue;
		atomic_inc(&part[i].timeouts);
		parts_drop(part, i, s->shared);
		return 0;
	}
	return 1;
}

u64 locks_timeouts(const struct rt_global *g)
{
	const struct lock_part *parts = g->lock;
	u64 n = 0;
	u32 i;

	for (i = 0; i < parts_of(g); i++)
		n += (u32)atomic_read(&parts[i].timeouts);
	return n;
}

noinline int locks_wait(const struct rt_probe *p, u32 at, u32 cpu)
{
	const struct lock_step *steps = p->lock_steps;
	u32 tries = rt_script.limits.maxtrylock;

	for (; at < p->nsteps; at++) {
		if (step_take(&steps[at], cpu, &tries))
			continue;
		while (at--)
			parts_drop(lock_parts(&steps[at], cpu), steps[at].n, steps[at].shared);
		return 0;
	}
	return 1;
}
