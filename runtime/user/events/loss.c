/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loss.c - see loss.h.
 *
 * A loss is known before any event within it is handled: a loss between rounds r - 1 and r is found
 * in round r + 1 at the latest, and round r handles what is older than round r - 1.
 */
#include "runtime/user/events/loss.h"

#include "runtime/user/base/time.h"
#include "runtime/user/events/hooks.h"

#define LOSSES	64	/* not reached yet; further ones are merged into one, from first to last */

static struct loss {
	u64	from, to;
	int	of_processes;
} losses[LOSSES];
static u32 nlosses;
static u64 reached_to;		/* latest end of the losses that were reached */

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
 * How often a ring's events happened; for process records, how many were lost. ~0: the kernel does
 * not say. Other events that report on threads may share the ring of process records.
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

/* How many of these are accounted for: by a record, or as lost. */
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
 * What had happened when the ring was checked, in the previous round, and is not accounted for now
 * was lost: its record would have arrived.
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
 * Since the previous round no space after tail was returned to the kernel: if there is still room
 * for the largest record, there was room for all.
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
