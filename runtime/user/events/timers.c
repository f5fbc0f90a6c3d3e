/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timers.c - see timers.h.
 */
#include "runtime/user/events/timers.h"

#include "runtime/user/base/run_state.h"
#include "runtime/user/events/hit.h"

#include <stdlib.h>

struct timer {
	const void	*row;
	u64		next;
	u64		(*due)(const void *row, struct hit *hit);
};

static struct timer *timers;
static unsigned ntimers;

void timers_add(const void *row, u64 first, u64 (*due)(const void *row, struct hit *hit))
{
	struct timer *more = realloc(timers, (ntimers + 1) * sizeof(*more));

	if (!more)
		return;
	timers = more;
	timers[ntimers++] = (struct timer){ row, first, due };
}

void timers_drop(void)
{
	free(timers);
	timers = NULL;
	ntimers = 0;
}

static struct timer *first_timer(void)
{
	struct timer *first = NULL;

	for (unsigned i = 0; i < ntimers; i++)
		if (!first || timers[i].next < first->next)
			first = &timers[i];
	return first;
}

void timers_fire(u64 until)
{
	struct timer *t;

	while ((t = first_timer()) && t->next <= until && run_state.state == STATE_RUNNING &&
	       !run_state.exit_requested) {
		struct hit hit = { .time = t->next };

		t->next = t->due(t->row, &hit);
	}
}

u64 timers_next(void)
{
	const struct timer *t = first_timer();

	return t ? t->next : ~0ULL;
}
