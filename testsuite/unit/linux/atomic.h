/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * atomic.h - for locks_test.c: atomic operations of which each is a point where another thread may
 * run first.
 */
#ifndef TEST_LINUX_ATOMIC_H
#define TEST_LINUX_ATOMIC_H

struct atomic_word { int v; };
#define atomic_t struct atomic_word

void scheduling_point(void);
/* since the scheduler looked last: who waits may look again */
extern int lock_changed;

static inline int atomic_read(const atomic_t *a)
{
	scheduling_point();
	return a->v;
}

static inline int atomic_cmpxchg_acquire(atomic_t *a, int from, int to)
{
	int old;

	scheduling_point();
	old = a->v;
	if (old == from) {
		a->v = to;
		lock_changed = 1;
	}
	return old;
}

static inline int atomic_try_cmpxchg_acquire(atomic_t *a, int *from, int to)
{
	int old = atomic_cmpxchg_acquire(a, *from, to), done = old == *from;

	*from = old;
	return done;
}

static inline int atomic_dec_return_release(atomic_t *a)
{
	scheduling_point();
	lock_changed = 1;
	return --a->v;
}

static inline void atomic_inc(atomic_t *a)
{
	scheduling_point();
	a->v++;
}

static inline void atomic_set_release(atomic_t *a, int v)
{
	scheduling_point();
	lock_changed = 1;
	a->v = v;
}

#endif
