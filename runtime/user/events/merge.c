/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * merge.c - merges many perf rings and timers in order of time.
 *
 * A round takes a clock value T, reads every ring up to its head, and handles in time order what is
 * older than the T of the previous round: by then no older record can arrive. Timers are inserted
 * at their due times, and fire without records too.
 */
#include "runtime/user/events/merge.h"

#include "perf/queue.h"
#include "perf/records.h"
#include "runtime/core/sampling.h"
#include "runtime/user/base/time.h"
#include "runtime/user/events/hooks.h"
#include "runtime/user/events/loss.h"
#include "runtime/user/events/source.h"
#include "runtime/user/events/spe_source.h"
#include "symbolize/generated.h"
#include "symbolize/process.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct event {
	/* record: of a process event, or of a sample that has variable parts */
	struct queued	queued;
	hit_fn		*hit;
	const void	*row;
	struct hit	what;
};

struct timer {
	const void	*row;
	u64		next;
	u64		(*due)(const void *row, struct hit *hit);
};

static struct queue pending = { .item_bytes = sizeof(struct event) };
static u64 previous;
static struct timer *timers;
static unsigned ntimers;

void merge_begin(void)
{
	if (!previous)
		previous = time_mono();
}

void merge_close(hit_fn *hit)
{
	int left = 0;

	source_close(hit);
	for (const struct event_source *s = source_first(); s; s = s->next)
		left |= s->hit != NULL;
	if (left)
		return;
	source_close(NULL);
	queue_clear(&pending);
	previous = 0;
	loss_clear();
}

/* ---- timers ------------------------------------------------------------------*/

void merge_timer(const void *row, u64 first, u64 (*due)(const void *row, struct hit *hit))
{
	struct timer *more = realloc(timers, (ntimers + 1) * sizeof(*more));

	if (!more)
		return;
	timers = more;
	timers[ntimers++] = (struct timer){ row, first, due };
}

void merge_drop_timers(void)
{
	free(timers);
	timers = NULL;
	ntimers = 0;
}

static struct timer *next_timer(void)
{
	struct timer *first = NULL;

	for (unsigned i = 0; i < ntimers; i++)
		if (!first || timers[i].next < first->next)
			first = &timers[i];
	return first;
}

/* ---- reading -----------------------------------------------------------------*/

/* A cursor over a sample's consecutive parts: start of the next one, and the remaining bytes. */
struct parts {
	const u8	*p;
	u64		left;
};

/* The next n bytes; if there are fewer, NULL, and nothing is left. */
static const void *take(struct parts *at, u64 n)
{
	const u8 *p = at->p;

	if (n > at->left) {
		at->left = 0;
		return NULL;
	}
	at->p += n;
	at->left -= n;
	return p;
}

/*
 * The number of rows, `before` bytes of other fields, then the rows, which are returned. NULL: they
 * are incomplete.
 */
static const void *take_rows(struct parts *at, u64 before, u64 row, u64 *n)
{
	const u64 *number = take(at, sizeof(*number) + before);
	const void *rows;

	*n = 0;
	if (!number || *number > at->left / row)
		return take(at, ~0ULL);
	rows = take(at, *number * row);
	*n = *number;
	return rows;
}

/*
 * Registers: the ABI (0: none), then one word each. Stack: its size in bytes, the bytes, and how
 * many of them are valid.
 */
static void take_regs(struct event *e, const struct event_source *s, struct parts *at)
{
	const u64 *abi = take(at, sizeof(*abi)),
		  *regs = abi && *abi ? take(at, 8 * (u64)__builtin_popcountll(s->regs)) : NULL,
		  *have;
	const u8 *stack;
	u64 n;

	if (regs) {
		e->what.regs = regs;
		e->what.regs_mask = s->regs;
		e->what.is_32bit = *abi == PERF_SAMPLE_REGS_ABI_32;
	}
	if (!(s->sample_type & PERF_SAMPLE_STACK_USER))
		return;
	stack = take_rows(at, 0, 1, &n);
	have = n ? take(at, sizeof(*have)) : NULL;
	if (!have || !regs)
		return;
	e->what.stack = stack;
	e->what.stack_bytes = (u32)(*have < n ? *have : n);
}

static void take_raw(struct event *e, struct parts *at)
{
	const u32 *bytes = take(at, sizeof(*bytes));
	const u8 *raw = bytes ? take(at, *bytes) : NULL;

	if (!raw)
		return;
	e->what.raw = raw;
	e->what.raw_bytes = *bytes;
}

static void take_latencies(struct event *e, const struct event_source *s, struct parts *at)
{
	const union perf_sample_weight *weight = take(at, sizeof(*weight));

	if (!weight)
		return;
	if (s->sample_type & PERF_SAMPLE_WEIGHT) {
		e->what.latency = weight->full;
		return;
	}
	e->what.latency = weight->var1_dw;
	e->what.instruction_latency = weight->var2_w;
	e->what.retire_latency = weight->var3_w;
}

/*
 * The fixed part is followed by the other requested parts, in this order; a copy of the record is
 * kept with the event. 0: no memory.
 */
static int take_variable_parts(struct event *e, const struct event_source *s,
			       const struct perf_event_header *h, u32 from)
{
	const u64 *word;
	struct parts at;

	if (!(s->sample_type &
	      (PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW |
	       PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_WEIGHT_TYPE)))
		return 1;
	if (queue_keep_record(&pending, &e->queued, h))
		return 0;
	at = (struct parts){ (const u8 *)e->queued.record + from, h->size - from };
	if (s->sample_type & PERF_SAMPLE_READ) {
		word = (const u64 *)at.p;
		e->what.counts = take_rows(&at, 2 * sizeof(*word), sizeof(*e->what.counts),
					   &e->what.ncounts);
		e->what.wanted = e->what.ncounts ? word[1] : 0;
		e->what.counted = e->what.ncounts ? word[2] : 0;
	}
	if (s->sample_type & PERF_SAMPLE_CALLCHAIN)
		e->what.chain = take_rows(&at, 0, sizeof(*e->what.chain), &e->what.nchain);
	if (s->sample_type & PERF_SAMPLE_RAW)
		take_raw(e, &at);
	if (s->sample_type & PERF_SAMPLE_BRANCH_STACK)
		e->what.branches = take_rows(&at, 0, sizeof(*e->what.branches), &e->what.nbranches);
	if (s->sample_type & PERF_SAMPLE_REGS_USER)
		take_regs(e, s, &at);
	if (s->sample_type & PERF_SAMPLE_WEIGHT_TYPE)
		take_latencies(e, s, &at);
	word = s->sample_type & PERF_SAMPLE_DATA_SRC ? take(&at, sizeof(*word)) : NULL;
	e->what.data_source = word ? *word : 0;
	return 1;
}

/*
 * No memory: the record counts as lost, as one that the kernel had no room for. e: the event, which
 * is the last one, or NULL.
 */
static void lose(const struct event_source *ring, struct merge_tally *tally, u64 time,
		 struct event *e)
{
	if (e)
		queue_drop_last(&pending);
	tally->lost++;
	if (ring->joins)
		loss_add(ring, time, time);
}

/* A hit of this process is not one for the script, unless the tally is with_own_hits. */
static void take_sample(struct event_source *ring, const struct perf_event_header *h)
{
	const struct {
		struct perf_event_header h;
		u64 id, ip;
		u32 pid, tid;
		u64 time, rest[3];
	} *r = (const void *)h;
	struct event_source *s = h->size < offsetof(typeof(*r), rest[1]) ? NULL
				 : ring->alone ? ring
				 : source_of(r->id);
	int has_addr = s && s->sample_type & PERF_SAMPLE_ADDR;		/* before the CPU */
	int has_period = s && s->sample_type & PERF_SAMPLE_PERIOD;	/* after it */
	u32 fixed = offsetof(typeof(*r), rest) + 8 * (has_addr + 1 + has_period);
	struct event *e;

	if (!s || h->size < fixed)
		return;
	s->taken++;
	s->idle += !r->pid;
	s->covered += has_period ? r->rest[has_addr + 1] : 0;
	ring->last = r->time;
	if ((s32)r->pid == getpid() && !s->tally->with_own_hits) {
		s->tally->own++;
		s->tally->taken++;
		return;
	}
	e = queue_add(&pending, r->time);
	if (!e || !take_variable_parts(e, s, h, fixed)) {
		lose(ring, s->tally, r->time, e);
		return;
	}
	s->tally->taken++;
	e->hit = s->hit;
	e->row = s->row;
	e->what.time = r->time;
	e->what.pid = (s32)r->pid;
	e->what.tid = (s32)r->tid;
	e->what.cpu = (u32)r->rest[has_addr];
	e->what.ip = r->ip;
	e->what.data_addr = has_addr ? r->rest[0] : 0;
	e->what.user_mode = (h->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_USER;
	e->what.inherited = s->tid > 0;
}

struct hit *merge_add(u64 time, hit_fn *hit, const void *row, struct merge_tally *tally)
{
	struct event *e = queue_add(&pending, time);

	if (!e) {
		tally->lost++;
		return NULL;
	}
	tally->taken++;
	e->hit = hit;
	e->row = row;
	e->what.time = time;
	return &e->what;
}

/* The time of any record but a sample. */
static u64 record_time(const struct perf_event_header *h)
{
	u64 time;

	memcpy(&time, (const u8 *)h + h->size - SOURCE_TIME, sizeof(time));
	return time;
}

static void take_process_event(struct event_source *ring, const struct perf_event_header *h)
{
	struct event *e;

	if (h->size < sizeof(*h) + 48)
		return;
	ring->last = record_time(h);
	e = queue_add_record(&pending, ring->last, h);
	if (!e) {
		lose(ring, ring->tally, ring->last, NULL);
		return;
	}
	ring->tally->taken++;
	memcpy(&e->what.cpu, (const u8 *)h + h->size - SOURCE_CPU, 4);
}

int merge_note(const struct wire_note *note, u64 len)
{
	return queue_add_note(&pending, note, len);
}

static void handle_switch(const void *on, struct hit *hit)
{
	session.paused = !on;
	if (on)
		sampling_off = 0;
}

int merge_switch(int on)
{
	struct event *e = queue_add(&pending, time_mono());

	if (!e)
		return -ENOMEM;
	e->hit = handle_switch;
	e->row = on ? &session : NULL;
	source_switch(on);
	return 0;
}

/* Counts samples for which there was no room, in a ring that several sources may share. */
static void count_lost(struct event_source *ring, u64 n)
{
	ring->lost += n;
	ring->tally->lost += n;
}

/* PERF_RECORD_READ: pid and tid, the count, then the sample ID, which ends with the event's ID. */
static void take_exit_count(const struct perf_event_header *h)
{
	struct event_source *s = NULL;
	u64 id;

	if (h->size >= sizeof(*h) + 3 * sizeof(u64)) {
		memcpy(&id, (const u8 *)h + h->size - sizeof(id), sizeof(id));
		s = source_of(id);
	}
	if (s)
		source_exited(s, ((const u64 *)(h + 1))[1]);
}

static void take_lost(struct event_source *ring, const struct perf_event_header *h)
{
	u64 n = ((const u64 *)(h + 1))[1];

	count_lost(ring, n);
	loss_told(ring, n, record_time(h));
}

static void read_ring(struct event_source *s, u8 *buf, int last)
{
	u64 head = perf_ring_head(&s->ring), tail = s->ring.page->data_tail;
	struct perf_event_header *h;

	while ((h = perf_ring_next(&s->ring, head, buf))) {
		switch (h->type) {
		case PERF_RECORD_SAMPLE:
			take_sample(s, h);
			break;
		case PERF_RECORD_LOST:
			take_lost(s, h);
			break;
		case PERF_RECORD_LOST_SAMPLES:
			count_lost(s, ((const u64 *)(h + 1))[0]);
			break;
		case PERF_RECORD_READ:
			take_exit_count(h);
			break;
		case PERF_RECORD_MMAP2:
		case PERF_RECORD_COMM:
		case PERF_RECORD_FORK:
		case PERF_RECORD_EXIT:
			take_process_event(s, h);
			break;
		}
	}
	loss_look(s, tail, last);
}

static void fire_timers(u64 until)
{
	struct timer *t;

	while ((t = next_timer()) && t->next <= until && session.state == STATE_RUNNING &&
	       !session.exit_asked) {
		struct hit hit = { .time = t->next };

		t->next = t->due(t->row, &hit);
	}
}

static void handle(void *item)
{
	struct event *e = item;

	fire_timers(e->queued.time);
	loss_reach(e->queued.time);
	if (e->what.ncounts)
		event_hooks.counts(&e->what);
	if (e->hit)
		e->hit(e->row, &e->what);
	else if (e->queued.record)
		event_hooks.record(e->queued.record, e->queued.image, e->queued.time, e->what.cpu);
}

/* Handles everything up to a time, timers included. */
static void handle_until(u64 until)
{
	queue_handle(&pending, until, handle);
	fire_timers(until);
	loss_reach(until);
}

u64 merge_round(int last)
{
	static u8 buf[65536] __attribute__((aligned(8)));
	u64 now = time_mono(), next;
	struct timer *t;

	spe_source_read(last);
	for (struct event_source *s = source_first(); s; s = s->next)
		if (s->ring.page)
			read_ring(s, buf, last);
	/* Without rings nothing older can arrive. */
	handle_until(last || !source_first() ? now : previous);
	if (last)
		source_settle();
	else
		source_follow(now);
	generated_free_replaced();
	previous = now;
	t = next_timer();
	now = time_mono();
	next = source_first() ? 50000000 : 1000000000;
	if (t && t->next < now + next)
		next = t->next > now ? t->next - now : 0;
	return source_first() && next < 1000000 ? 1000000 : next;
}

int merge_fds(int *fds, int max)
{
	int n = 0;

	for (const struct event_source *s = source_first(); s && n < max; s = s->next)
		if (s->hit && s->ring.page)
			fds[n++] = s->ring.fd;
	return n;
}
