/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * locks.h - the locks of globals, taken around a whole handler.
 *
 * Interrupts must be off from locks_take() to locks_drop(), and neither may be called in an NMI.
 * Waiting for a lock is bounded: a handler that does not get it in time is missed, never stuck.
 */
#ifndef LAPWING_KERNEL_LOCKS_H
#define LAPWING_KERNEL_LOCKS_H

#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/compiler.h>

#include "runtime/rt.h"

/*
 * Allocates every global's lock and each probe's plan for taking them (nsteps, lock_steps): no step
 * for a probe that only adds to its own CPU's parts of variables that nothing else uses while
 * probes run. 0 or -ENOMEM (nothing kept). Process context.
 */
int locks_load(void);
void locks_unload(void);
/* Number of hits missed because this global's lock was not acquired in time. */
u64 locks_timeouts(const struct rt_global *g);

/* A lock is an array of parts, each on its own cache line: 0 free, n > 0 readers, -1 a writer. */
struct lock_part {
	atomic_t	state;
	atomic_t	timeouts;	/* hits that gave up waiting for it */
} ____cacheline_aligned;

/* One lock of one probe, prepared for taking. */
struct lock_step {
	struct lock_part	*part;		/* the first of n parts; CPU 0's if per CPU */
	u32			n;
	u16			own;		/* 1: this CPU's part, else 0 */
	u16			shared;
};

/* The rest of locks_take(), from step `at` on: several parts, or a contended one. */
int locks_wait(const struct rt_probe *p, u32 at, u32 cpu);

static __always_inline int lock_try(struct lock_part *part, int shared)
{
	int old;

	if (!shared)
		return atomic_cmpxchg_acquire(&part->state, 0, -1) == 0;
	old = atomic_read(&part->state);
	while (old >= 0)	/* retry if another reader changed it */
		if (atomic_try_cmpxchg_acquire(&part->state, &old, old + 1))
			return 1;
	return 0;
}

static __always_inline struct lock_part *lock_parts(const struct lock_step *s, u32 cpu)
{
	return s->part + s->own * cpu;
}

static __always_inline void lock_part_drop(struct lock_part *part, int shared)
{
	if (shared)
		atomic_dec_return_release(&part->state);
	else
		atomic_set_release(&part->state, 0);
}

/* Takes all locks of p in order, on this CPU. 1: held; 0: timed out, none is held. */
static __always_inline int locks_take(const struct rt_probe *p, u32 cpu)
{
	const struct lock_step *s = p->lock_steps, *end = s + p->nsteps;

	for (; s < end; s++)
		if (unlikely(s->n != 1 || !lock_try(lock_parts(s, cpu), s->shared)))
			return locks_wait(p, (u32)(s - (const struct lock_step *)p->lock_steps),
					  cpu);
	return 1;
}

static __always_inline void locks_drop(const struct rt_probe *p, u32 cpu)
{
	const struct lock_step *first = p->lock_steps, *s = first + p->nsteps;
	u32 i;

	while (s-- > first)
		for (i = s->n; i; i--)
			lock_part_drop(lock_parts(s, cpu) + i - 1, s->shared);
}

#endif
