// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * locks.c - reader/writer locks of globals with bounded waiting (locks.h).
 *
 * A lock is an array of parts, one word each on a cache line of its own: 0 free,
 * n > 0 readers, -1 a writer.  A percpu_lock global has a part per CPU: LOCAL
 * takes one, READ and WRITE take all; another global, and an array too large to
 * be had once per CPU, has one part.
 */
#include "runtime/kernel/locks.h"

#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/delay.h>
#include <linux/errno.h>
#include <linux/smp.h>

#include "runtime/core/core.h"

struct part {
	atomic_t	state;
	atomic_t	timeouts;	/* hits that gave up here */
} ____cacheline_aligned;

/* One lock of one probe, ready to be taken. */
struct lock_step {
	struct part	*part;		/* the first of n; of a local use CPU 0's */
	u32		n;
	u8		local, shared;
};

static u32 parts_of(const struct rt_global *g)
{
	return g->percpu_lock ? g->parts : 1;
}

/* No other CPU has business with this use's part. */
static int is_alone(const struct rt_lockuse *use)
{
	const struct rt_global *g = &rt_script.globals[use->global];

	return use->mode == RT_LOCAL && g->percpu_lock == RT_LOCK_ONLY && g->parts == runtime_parts();
}

/* Leaves out what need not be taken. */
static int plan_steps(struct rt_probe *p)
{
	struct lock_step *step;
	u32 k;

	step = p->lock_steps = runtime_alloc((u64)p->nlocks * sizeof(*step) + 1);
	if (!step)
		return -ENOMEM;
	for (k = 0; k < p->nlocks; k++) {
		const struct rt_lockuse *use = &p->locks[k];
		const struct rt_global *g = &rt_script.globals[use->global];
		int local = use->mode == RT_LOCAL && parts_of(g) > 1;

		if (!is_alone(use))
			*step++ = (struct lock_step){ g->lock, local ? 1 : parts_of(g), (u8)local, use->mode == RT_READ };
	}
	p->nsteps = (u32)(step - (struct lock_step *)p->lock_steps);
	p->slow = p->nsteps || p->condition;
	return 0;
}

int locks_load(void)
{
	u32 i;

	for (i = 0; i < rt_script.nglobals; i++) {
		struct rt_global *g = &rt_script.globals[i];

		g->lock = runtime_alloc((u64)parts_of(g) * sizeof(struct part));
		if (!g->lock) {
			locks_unload();
			return -ENOMEM;
		}
	}
	for (i = 0; i < rt_script.nprobes; i++)
		if (plan_steps(&rt_script.probes[i])) {
			locks_unload();
			return -ENOMEM;
		}
	return 0;
}

void locks_unload(void)
{
	u32 i;

	for (i = 0; i < rt_script.nglobals; i++) {
		runtime_free(rt_script.globals[i].lock);
		rt_script.globals[i].lock = NULL;
	}
	for (i = 0; i < rt_script.nprobes; i++) {
		runtime_free(rt_script.probes[i].lock_steps);
		rt_script.probes[i].lock_steps = NULL;
	}
}

static inline int part_try(struct part *part, int shared)
{
	int old;

	if (!shared)
		return atomic_cmpxchg_acquire(&part->state, 0, -1) == 0;
	old = atomic_read(&part->state);
	while (old >= 0)	/* another reader's success is no reason to wait */
		if (atomic_try_cmpxchg_acquire(&part->state, &old, old + 1))
			return 1;
	return 0;
}

static inline void part_drop(struct part *part, int shared)
{
	if (shared)
		atomic_dec_return_release(&part->state);
	else
		atomic_set_release(&part->state, 0);
}

/* One try has failed. *tries is what is left for the whole handler. */
static noinline int part_wait(struct part *part, int shared, u32 *tries)
{
	do {
		if (!*tries)
			return 0;
		--*tries;
		udelay(rt_script.limits.trylock_us);
	} while (!part_try(part, shared));
	return 1;
}

static inline struct part *step_parts(const struct lock_step *s)
{
	return s->part + (s->local ? raw_smp_processor_id() : 0);
}

static inline void step_drop(const struct lock_step *s)
{
	struct part *parts = step_parts(s);
	u32 i = s->n;

	while (i)
		part_drop(&parts[--i], s->shared);
}

static inline int step_take(const struct lock_step *s, u32 *tries)
{
	struct part *parts = step_parts(s);
	u32 i;

	for (i = 0; i < s->n; i++) {
		if (likely(part_try(&parts[i], s->shared)) || part_wait(&parts[i], s->shared, tries))
			continue;
		atomic_inc(&parts[i].timeouts);
		while (i)
			part_drop(&parts[--i], s->shared);
		return 0;
	}
	return 1;
}

u64 locks_timeouts(const struct rt_global *g)
{
	const struct part *parts = g->lock;
	u64 n = 0;
	u32 i;

	for (i = 0; i < parts_of(g); i++)
		n += (u32)atomic_read(&parts[i].timeouts);
	return n;
}

int locks_take(const struct rt_probe *p)
{
	const struct lock_step *steps = p->lock_steps;
	u32 tries = rt_script.limits.maxtrylock, i;

	for (i = 0; i < p->nsteps; i++) {
		if (likely(step_take(&steps[i], &tries)))
			continue;
		while (i)
			step_drop(&steps[--i]);
		return 0;
	}
	return 1;
}

void locks_drop(const struct rt_probe *p)
{
	const struct lock_step *steps = p->lock_steps;
	u32 i = p->nsteps;

	while (i)
		step_drop(&steps[--i]);
}
