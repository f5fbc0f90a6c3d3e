/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * atomic.h - for locks_test.c: atomic operations of which each is a point where another thread may
 * run first, and says what it read or wrote.
 */
#ifndef TEST_LINUX_ATOMIC_H
#define TEST_LINUX_ATOMIC_H

struct atomic_word { int v; };
#define atomic_t struct atomic_word

void scheduling_point(void);
void shared_read(const void *object);
void shared_write(const void *object);
/* A write of a lock: whoever waits may look again. */
void lock_write(const atomic_t *a);

static inline int atomic_read(const atomic_t *a)
{
	scheduling_point();
	shared_read(a);
	return a->v;
}

static inline int atomic_cmpxchg_acquire(atomic_t *a, int from, int to)
{
	int old;

	scheduling_point();
	shared_read(a);
	old = a->v;
	if (old == from) {
		lock_write(a);
		a->v = to;
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
	lock_write(a);
	return --a->v;
}

static inline void atomic_inc(atomic_t *a)
{
	scheduling_point();
	shared_write(a);
	a->v++;
}

static inline void atomic_set_release(atomic_t *a, int v)
{
	scheduling_point();
	lock_write(a);
	a->v = v;
}

#endif
