/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loss.c - see loss.h.
 *
 * No event of a loss is handled before it is known: a loss between the rounds r - 1 and r is found
 * in the round r + 1 at the latest, and the round r handles what is older than the round r - 1.
 */
#include "runtime/user/events/loss.h"

#include "runtime/user/base/time.h"
#include "runtime/user/events/hooks.h"

#define LOSSES	64	/* that are to come; more become one, from the first to the last */

static struct loss {
	u64	from, to;
	int	of_processes;
} losses[LOSSES];
static u32 nlosses;
static u64 reached_to;		/* the end of those that were reached */

void loss_add(const struct event_source *ring, u64 from, u64 to)
{
	struct loss *l = &losses[nlosses < LOSSES ? nlosses : LOSSES - 1];

	if (nlosses < LOSSES) {
		*l = (struct loss){ from, to, !ring->hit };
		nlosses++;
		return;
	}
	l->of_processes |= !ring->hit;
	l->from = from < l->from ? from : l->from;
	l->to = to > l->to ? to : l->to;
}

void loss_reach(u64 time)
{
	for (u32 i = 0; i < nlosses; ) {
		struct loss l = losses[i];

		if (l.from > time) {
			i++;
			continue;
		}
		losses[i] = losses[--nlosses];
		event_hooks.lost(l.to, l.of_processes);
		reached_to = l.to > reached_to ? l.to : reached_to;
	}
}

int loss_holds(u64 time) { return time <= reached_to; }
int loss_has_been(void) { return reached_to != 0; }

s64 rt_lost_since(s64 ns) { return (u64)ns <= reached_to; }

void loss_clear(void)
{
	nlosses = 0;
	reached_to = 0;
}

/* ---- rings ---------------------------------------------------------------------*/

/*
 * What a ring's events say: how often they happened; of records of processes, how many were lost.
 * ~0: the kernel does not tell. Other events that tell of threads may share the ring of these.
 */
static u64 happened(const struct event_source *ring)
{
	u64 sum = 0, n;

	if (!ring->hit && source_lost(ring, &sum))
		return ~0ULL;
	for (const struct event_source *s = source_first(); s; s = s->next)
		if (s->hit && s->owner == ring && !source_count(s, &n))
			sum += n;
	return sum;
}

/* As many of them are known: by a record, or as lost. */
static u64 known(const struct event_source *ring)
{
	u64 sum = ring->told + ring->admitted;

	for (const struct event_source *s = source_first(); s; s = s->next)
		if (s->hit && s->owner == ring)
			sum += s->taken;
	return sum;
}

void loss_told(struct event_source *ring, u64 n, u64 time)
{
	int is_new = !ring->admitted || ring->asked || ring->last > ring->admitted_at;

	ring->told += n;
	ring->admitted -= n < ring->admitted ? n : ring->admitted;
	if (ring->joins && is_new)
		loss_add(ring, ring->last, time);
}

/*
 * What had happened when the ring was asked, in the round before, and is not known now, was lost: a
 * record of it would have come.
 */
static void admit(struct event_source *ring)
{
	if (ring->asked_count <= known(ring))
		return;
	ring->admitted += ring->asked_count == ~0ULL ? 0 : ring->asked_count - known(ring);
	ring->admitted_at = ring->asked_at;
	loss_add(ring, ring->last, ring->asked_at);
}

/*
 * Since the round before nothing behind tail was given back to the kernel: if there was room for
 * the largest record, there was for all.
 */
void loss_look(struct event_source *ring, u64 tail, int last)
{
	u64 largest = 16384 + rt_script.limits.user_stack;

	if (!ring->joins)
		return;
	if (ring->asked)
		admit(ring);
	ring->asked = 0;
	if (perf_ring_head(&ring->ring) - tail + largest <= ring->ring.bytes)
		return;
	ring->asked_count = happened(ring);
	ring->asked_at = time_mono();
	ring->asked = !last;
	if (last)
		admit(ring);
}
