/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vcount.h - per-thread counters from per-CPU counters: counts on a CPU belong to the thread that
 * runs on it.
 *
 * A thread is counted from its first query, or from its start, until it exits; switches between
 * other threads cost one table lookup. A CPU's part is accessed by that CPU only, with interrupts off; threads are added
 * and found by all CPUs concurrently. read(data, i) reads counter i of the current CPU.
 */
#ifndef LAPWING_VCOUNT_H
#define LAPWING_VCOUNT_H

#include "runtime/core/port.h"
#include "runtime/rt.h"

#define VCOUNT_SLOTS	8192	/* a power of two */
#define VCOUNT_NEAR	8	/* slots probed for a thread */

struct vcount_thread {
	const void	*key;		/* NULL: never used; VCOUNT_GONE: its thread has exited */
	u64		sum[];		/* counts before it was last switched in */
};

struct vcount_cpu {
	const void	*task;		/* the task on the CPU, or the one being switched in */
	struct vcount_thread *own;	/* its row; NULL: not counted */
	u64		start[RT_MAXEVENTS];	/* counter values at its switch-in */
};

struct vcount {
	u32		n;		/* counters; constant */
	u32		bytes;		/* of a row; constant */
	u32		threads;	/* rows in use */
	u8		*rows;
};

static inline u32 vcount_row_bytes(u32 n)
{
	return (u32)(sizeof(struct vcount_thread) + n * sizeof(u64) + RT_LINE - 1) &
	       ~(u32)(RT_LINE - 1);
}

#define VCOUNT_GONE	((const void *)1)

static inline struct vcount_thread *vcount_slot(const struct vcount *v, const void *key, u32 i)
{
	u64 hash = (u64)(unsigned long)key * 0x9e3779b97f4a7c15ULL >> 40;

	return (struct vcount_thread *)(v->rows +
					((hash + i) & (VCOUNT_SLOTS - 1)) * (u64)v->bytes);
}

/* The thread's row, or NULL. */
static inline struct vcount_thread *vcount_find(const struct vcount *v, const void *key)
{
	u32 i;

	for (i = 0; i < VCOUNT_NEAR; i++) {
		struct vcount_thread *t = vcount_slot(v, key, i);
		const void *found = __atomic_load_n(&t->key, __ATOMIC_RELAXED);

		if (found == key)
			return t;
		if (!found)
			break;
	}
	return NULL;
}

/*
 * The same; adds a row of zeros for a new thread. Only a thread itself requests its row, or, before
 * it runs, the thread that starts it. NULL: no room.
 */
static inline struct vcount_thread *vcount_enter(struct vcount *v, const void *key)
{
	struct vcount_thread *t = vcount_find(v, key);
	u32 i, k;

	for (i = 0; !t && i < VCOUNT_NEAR; i++) {
		struct vcount_thread *free = vcount_slot(v, key, i);
		const void *was = __atomic_load_n(&free->key, __ATOMIC_RELAXED);

		if (was && was != VCOUNT_GONE)
			continue;
		if (!__atomic_compare_exchange_n(&free->key, &was, key, 0, __ATOMIC_ACQ_REL,
						 __ATOMIC_RELAXED))
			continue;
		t = free;
		for (k = 0; k < v->n; k++)
			t->sum[k] = 0;
		__atomic_fetch_add(&v->threads, 1, __ATOMIC_RELAXED);
	}
	return t;
}

/* The thread has exited and is no longer on any CPU. */
static inline void vcount_leave(struct vcount *v, const void *key)
{
	struct vcount_thread *t = vcount_find(v, key);

	if (!t)
		return;
	__atomic_store_n(&t->key, VCOUNT_GONE, __ATOMIC_RELEASE);
	__atomic_fetch_sub(&v->threads, 1, __ATOMIC_RELAXED);
}

/* next is switched in. */
static inline void vcount_switch(struct vcount *v, struct vcount_cpu *c, const void *next,
				 u64 (*read)(void *data, u32 i), void *data)
{
	struct vcount_thread *to;
	u32 i;

	c->task = next;
	if (!__atomic_load_n(&v->threads, __ATOMIC_RELAXED))
		return;
	to = vcount_find(v, next);
	if (!to && !c->own)
		return;
	for (i = 0; i < v->n; i++) {
		u64 now = read(data, i);

		if (c->own)
			c->own->sum[i] += now - c->start[i];
		c->start[i] = now;
	}
	c->own = to;
}

/*
 * Counter i of the current thread, into *value; it starts at 0. 0: no room. Between the
 * notification and the switch itself the leaving thread is still current: its counting has ended.
 */
static inline int vcount_value(struct vcount *v, struct vcount_cpu *c, const void *current_task,
			       u32 i, u64 (*read)(void *data, u32 i), void *data, u64 *value)
{
	struct vcount_thread *mine = c->own;
	u32 k;

	if (__builtin_expect(c->task != current_task, 0)) {
		mine = vcount_enter(v, current_task);
		*value = mine ? mine->sum[i] : 0;
		return mine != NULL;
	}
	if (!mine) {
		mine = vcount_enter(v, current_task);
		for (k = 0; mine && k < v->n; k++)
			c->start[k] = read(data, k);
		__atomic_store_n(&c->own, mine, __ATOMIC_RELEASE);	/* an NMI may read it */
		*value = 0;
		return mine != NULL;
	}
	*value = mine->sum[i] + read(data, i) - c->start[i];
	return 1;
}

#endif
