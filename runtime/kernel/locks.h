/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * locks.h - the locks of globals, taken around a whole handler.
 *
 * Interrupts must be off from locks_take() to locks_drop(), and neither may be
 * called in an NMI.  A lock that does not come in time is given up: a handler
 * is then missed, never stuck.
 */
#ifndef LAPWING_KERNEL_LOCKS_H
#define LAPWING_KERNEL_LOCKS_H

#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/compiler.h>
#include <linux/smp.h>

#include "runtime/rt.h"

/*
 * Makes every global's lock, and each probe's plan of taking them (nsteps, lock_steps): none for a probe that only adds to its own CPU's
 * parts of variables that nobody else uses while probes run. 0 or -ENOMEM (nothing kept). Process context.
 */
int locks_load(void);
void locks_unload(void);
/* How many hits were missed because this global's lock did not come in time. */
u64 locks_timeouts(const struct rt_global *g);

/* A lock is an array of parts, on a cache line each: 0 free, n > 0 readers, -1 a writer. */
struct lock_part {
	atomic_t	state;
	atomic_t	timeouts;	/* hits that gave up here */
} ____cacheline_aligned;

/* One lock of one probe, ready to be taken. */
struct lock_step {
	struct lock_part	*part;		/* the first of n; of an own one CPU 0's */
	u32			n;
	u8			own, shared;
};

/* The rest of locks_take(), from step `at` on: several parts, or somebody holds one. */
int locks_wait(const struct rt_probe *p, u32 at);

static __always_inline int lock_try(struct lock_part *part, int shared)
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

static __always_inline struct lock_part *lock_parts(const struct lock_step *s)
{
	return s->part + (s->own ? raw_smp_processor_id() : 0);
}

static __always_inline void lock_drop(const struct lock_step *s)
{
	struct lock_part *part = lock_parts(s), *last = part + s->n - 1;

	do
		if (s->shared)
			atomic_dec_return_release(&last->state);
		else
			atomic_set_release(&last->state, 0);
	while (last-- > part);
}

/* Takes all locks of p in its order. 1: held; 0: timed out, none is held. */
static __always_inline int locks_take(const struct rt_probe *p)
{
	const struct lock_step *steps = p->lock_steps;
	u32 i;

	for (i = 0; i < p->nsteps; i++)
		if (unlikely(steps[i].n != 1 || !lock_try(lock_parts(&steps[i]), steps[i].shared)))
			return locks_wait(p, i);
	return 1;
}

static __always_inline void locks_drop(const struct rt_probe *p)
{
	const struct lock_step *steps = p->lock_steps;
	u32 i = p->nsteps;

	while (i)
		lock_drop(&steps[--i]);
}

#endif
