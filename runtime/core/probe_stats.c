// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * probe_stats.c - the books of probes and globals: times of handlers (-t), sums over CPUs, rows
 * that arrays refused. Reads no clock.
 *
 * For the percentile each probe has a histogram per CPU: one bucket per value below 8, then 8 to
 * each power of two.
 */
#include "runtime/core/probe_stats.h"

#include "runtime/core/array.h"
#include "runtime/core/core.h"
#include "runtime/core/global.h"
#include "runtime/core/num.h"
#include "runtime/core/port.h"

#define BOOKS_EXACT	8
#define BOOKS_BITS	40		/* times of 2^40 and more are counted in the last bucket */
#define BOOKS_BUCKETS	(BOOKS_EXACT * (BOOKS_BITS - 2))

int probe_stats_timing;
static u32 *probe_stats_costs;		/* [runtime_parts()][nprobes][BOOKS_BUCKETS] */

int probe_stats_time_begin(void)
{
	probe_stats_costs = runtime_alloc((u64)runtime_parts() * rt_script.nprobes * BOOKS_BUCKETS *
					  sizeof(*probe_stats_costs));
	probe_stats_timing = probe_stats_costs != 0;
	return probe_stats_timing ? 0 : -ENOMEM;
}

void probe_stats_time_end(void)
{
	runtime_free(probe_stats_costs);
	probe_stats_costs = 0;
	probe_stats_timing = 0;
}

static u32 probe_stats_bucket(u64 took)
{
	u32 bits = num_bits(took);

	if (took < BOOKS_EXACT)
		return (u32)took;
	if (bits > BOOKS_BITS)
		return BOOKS_BUCKETS - 1;
	return BOOKS_EXACT * (bits - 3) + (u32)(took >> (bits - 4) & (BOOKS_EXACT - 1));
}

/* The middle of a bucket: no value in it is further off than 6.25 %. */
static u64 probe_stats_middle(u32 bucket)
{
	u32 shift = bucket / BOOKS_EXACT;

	if (shift < 2)
		return bucket;
	shift--;
	return ((u64)(BOOKS_EXACT + bucket % BOOKS_EXACT) << shift) + (1ULL << shift) / 2;
}

static u32 *probe_stats_cost(u32 part, u32 probe)
{
	return probe_stats_costs + ((u64)part * rt_script.nprobes + probe) * BOOKS_BUCKETS;
}

void probe_stats_percentile(u32 probe, struct wire_account *a)
{
	u64 want = a->timed - a->timed / 100, seen = 0;
	u32 bucket, part;

	for (bucket = 0; probe_stats_costs && bucket < BOOKS_BUCKETS && seen < want; bucket++)
		for (part = 0; part < runtime_parts(); part++)
			seen += probe_stats_cost(part, probe)[bucket];
	a->took_p99 = bucket ? probe_stats_middle(bucket - 1) : 0;
	if (a->took_p99 > a->took_max)
		a->took_p99 = a->took_max;
	if (a->took_p99 < a->took_min)
		a->took_p99 = a->took_min;
}

static u64 probe_stats_sum(u64 a, u64 b)
{
	return a + b < a ? ~0ULL : a + b;
}

void probe_stats_time(struct wire_account *a, const struct rt_ctx *c, u64 took)
{
	probe_stats_cost(c->part, (u32)(c->probe - rt_script.probes))[probe_stats_bucket(took)]++;
	if (!a->timed || took < a->took_min)
		a->took_min = took;
	if (took > a->took_max)
		a->took_max = took;
	a->timed++;
	a->took = probe_stats_sum(a->took, took);
	a->took_squares = probe_stats_sum(a->took_squares, took >> 32 ? ~0ULL : took * took);
}

void probe_stats_add(struct wire_account *to, const struct wire_account *from)
{
	u64 squares = probe_stats_sum(to->took_squares, from->took_squares),
	    took = probe_stats_sum(to->took, from->took);
	u64 min = !to->timed || (from->timed && from->took_min < to->took_min) ? from->took_min
									       : to->took_min;
	u64 max = from->took_max > to->took_max ? from->took_max : to->took_max, i;

	for (i = 0; i < sizeof(*to) / sizeof(u64); i++)
		((u64 *)to)[i] += ((const u64 *)from)[i];
	to->took = took;
	to->took_min = min;
	to->took_max = max;
	to->took_squares = squares;
}

void probe_stats_entered(struct wire_account *a)
{
	a->entered = a->completed + a->in_flight + a->condition_off + wire_missed(a);
}

void probe_stats_serve(struct wire_account *a, const struct wire_account *keeper)
{
	a->completed += keeper->errors;
	a->errors += keeper->errors;
	a->condition_off += keeper->condition_off;
	a->unread += keeper->unread;
#define BOOKS_ADD(name, json, words) a->missed_##name += keeper->missed_##name;
	WIRE_MISSED(BOOKS_ADD)
#undef BOOKS_ADD
}

/* ---- globals ----------------------------------------------------------------*/

/* Counts the rows of all parts together, and those that were refused, by a part or in the total. */
static void probe_stats_array(struct rt_map *m, struct wire_global_account *a)
{
	struct array *array = m->impl;
	u32 i;

	a->is_array = 1;
	if (array->nparts > 1)
		array->total->refused = 0;
	a->rows = array_total(m)->count;
	a->refused = array->nparts > 1 ? array->total->refused : 0;
	for (i = 0; i < array->nparts; i++)
		a->refused += array->map[i].refused;
}

/* Copies the text, truncated, and a NUL into n bytes at `to`; returns the length with the NUL. */
static u64 put_text(char *to, u64 n, const char *text)
{
	u64 len = strlen(text);

	len = len < n ? len : n - 1;
	memcpy(to, text, len);
	to[len] = 0;
	return len + 1;
}

void probe_stats_globals(u64 (*lock_timeouts)(const struct rt_global *g))
{
	struct {
		struct wire_global_account	account;
		char				text[224];
	} message;
	u64 n;
	u32 i;

	for (i = 0; i < rt_script.nglobals; i++) {
		const struct rt_global *g = &rt_script.globals[i];

		memset(&message, 0, sizeof(message));
		if (g->storage == RT_G_MAP)
			probe_stats_array(g->obj, &message.account);
		if (lock_timeouts)
			message.account.lock_timeouts = lock_timeouts(g);
		n = put_text(message.text, sizeof(message.text) / 2, g->name);
		put_text(message.text + n, sizeof(message.text) - n, g->table ? g->table : "");
		runtime_message(WIRE_GLOBAL_ACCOUNT, i, &message, sizeof(message));
	}
}
