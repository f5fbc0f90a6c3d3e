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
} ____cacheline_aligned;

static u32 parts_of(const struct rt_global *g)
{
	return g->percpu_lock ? g->parts : 1;
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
	return 0;
}

void locks_unload(void)
{
	u32 i;

	for (i = 0; i < rt_script.nglobals; i++) {
		runtime_free(rt_script.globals[i].lock);
		rt_script.globals[i].lock = NULL;
	}
}

static int part_try(struct part *part, int shared)
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

static void part_drop(struct part *part, int shared)
{
	if (shared)
		atomic_dec_return_release(&part->state);
	else
		atomic_set_release(&part->state, 0);
}

/* *tries is what is left for the whole handler. */
static int part_take(struct part *part, int shared, u32 *tries)
{
	while (!part_try(part, shared)) {
		if (!*tries)
			return 0;
		--*tries;
		udelay(rt_script.limits.trylock_us);
	}
	return 1;
}

/* The parts [*first, *end) that this use covers. */
static struct part *use_parts(const struct rt_lockuse *use, u32 *first, u32 *end)
{
	const struct rt_global *g = &rt_script.globals[use->global];
	int local = parts_of(g) > 1 && use->mode == RT_LOCAL;

	*first = local ? raw_smp_processor_id() : 0;
	*end = local ? *first + 1 : parts_of(g);
	return g->lock;
}

static void use_drop(const struct rt_lockuse *use)
{
	u32 first, end;
	struct part *parts = use_parts(use, &first, &end);

	while (end > first)
		part_drop(&parts[--end], use->mode == RT_READ);
}

static int use_take(const struct rt_lockuse *use, u32 *tries)
{
	u32 first, end, i;
	struct part *parts = use_parts(use, &first, &end);

	for (i = first; i < end; i++) {
		if (part_take(&parts[i], use->mode == RT_READ, tries))
			continue;
		while (i > first)
			part_drop(&parts[--i], use->mode == RT_READ);
		return 0;
	}
	return 1;
}

int locks_take(const struct rt_probe *p)
{
	u32 tries = rt_script.limits.maxtrylock, i;

	for (i = 0; i < p->nlocks; i++) {
		if (use_take(&p->locks[i], &tries))
			continue;
		while (i)
			use_drop(&p->locks[--i]);
		return 0;
	}
	return 1;
}

void locks_drop(const struct rt_probe *p)
{
	u32 i = p->nlocks;

	while (i)
		use_drop(&p->locks[--i]);
}
