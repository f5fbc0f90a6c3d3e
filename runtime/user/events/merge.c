/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * merge.c - converts the records of many perf rings, and timers, to hits in time order
 * (perf/perf_merge.h).
 *
 * Timers are inserted at their due times, and also fire without records.
 */
#include "runtime/user/events/merge.h"

#include "perf/perf_merge.h"
#include "perf/perf_ring.h"
#include "perf/records.h"
#include "runtime/core/sampling.h"
#include "runtime/user/base/run_state.h"
#include "runtime/user/base/time.h"
#include "runtime/user/events/event_hooks.h"
#include "runtime/user/events/hit.h"
#include "runtime/user/events/hotplug.h"
#include "runtime/user/events/loss.h"
#include "runtime/user/events/perf_open.h"
#include "runtime/user/events/perf_source.h"
#include "runtime/user/events/timers.h"
#include "runtime/user/events/tracefs.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct merged {
	/* with the record of a process event; of a sample that has more than when and where */
	struct perf_merge_item item;
	hit_fn		*hit;
	const void	*row;
	struct hit	what;
	struct image	*image;			/* of a mapping */
};

static struct perf_merge merge = PERF_MERGE_OF(struct merged);

void merge_begin(void)
{
	if (!merge.previous)
		perf_merge_begin(&merge, time_mono());
}

void merge_close(hit_fn *hit)
{
	int left = 0;

	perf_close(hit);
	for (const struct perf_source *s = perf_source_first(); s; s = s->next)
		left |= s->hit != NULL;
	if (left)
		return;
	perf_close(NULL);
	perf_merge_clear(&merge);
	loss_clear();
}

/* ---- reading -----------------------------------------------------------------*/

/* A sample's parts are consecutive: start of the next one, and the remaining bytes. */
struct parts {
	const u8	*p;
	u64		left;
};

/* The next n bytes, at most; NULL, with nothing left: there are fewer. */
static const void *next_word(struct parts *at, u64 n)
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

/* A number of rows, then the rows: `before` more bytes precede them. NULL: incomplete. */
static const void *read_rows(struct parts *at, u64 before, u64 row, u64 *n)
{
	const u64 *number = next_word(at, sizeof(*number) + before);
	const void *rows;

	*n = 0;
	if (!number || *number > at->left / row)
		return next_word(at, ~0ULL);
	rows = next_word(at, *number * row);
	*n = *number;
	return rows;
}

/*
 * Registers: the ABI (0: none), one word each. The stack: its size, the bytes, the number of valid
 * ones.
 */
static void read_regs(struct merged *e, const struct perf_source *s, struct parts *at)
{
	const u64 bytes = 8 * (u64)__builtin_popcountll(s->regs), *abi = next_word(at, sizeof(*abi)),
		  *regs = abi && *abi ? next_word(at, bytes) : NULL, *have;
	const u8 *stack;
	u64 n;

	if (regs) {
		e->what.regs = regs;
		e->what.regs_mask = s->regs;
	}
	if (!(s->sample_type & PERF_SAMPLE_STACK_USER))
		return;
	stack = read_rows(at, 0, 1, &n);
	have = n ? next_word(at, sizeof(*have)) : NULL;
	if (!have || !regs)
		return;
	e->what.stack = stack;
	e->what.stack_bytes = (u32)(*have < n ? *have : n);
}

/*
 * Skips what some kernels have before the first field, in records whose layout this runtime knows.
 */
static void read_raw(struct merged *e, const struct perf_source *s, struct parts *at)
{
	const u32 *bytes = next_word(at, sizeof(*bytes));
	const u8 *raw = bytes ? next_word(at, *bytes) : NULL;
	u32 cut = s->tally->described ? 0 : tracefs_head_more();

	if (!raw || *bytes < cut)
		return;
	e->what.raw = raw + cut;
	e->what.raw_bytes = *bytes - cut;
	e->what.cut = cut;
}

/* True if a sample has more than the fixed part. */
static int has_rest(const struct perf_source *s)
{
	return (s->sample_type &
		(PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW |
		 PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_WEIGHT)) != 0;
}

/*
 * The fixed part is followed by the other requested data, in this order. It is read from the copy,
 * which the event keeps.
 */
static void read_rest(struct merged *e, const struct perf_source *s, u32 from)
{
	const struct perf_event_header *h = e->item.record;
	struct parts at = { (const u8 *)h + from, h->size - from };
	const u64 *word;

	if (s->sample_type & PERF_SAMPLE_READ) {
		word = (const u64 *)at.p;
		e->what.counts = read_rows(&at, 2 * sizeof(*word), sizeof(*e->what.counts),
					   &e->what.ncounts);
		e->what.wanted = e->what.ncounts ? word[1] : 0;
		e->what.counted = e->what.ncounts ? word[2] : 0;
	}
	if (s->sample_type & PERF_SAMPLE_CALLCHAIN)
		e->what.chain = read_rows(&at, 0, sizeof(*e->what.chain), &e->what.nchain);
	if (s->sample_type & PERF_SAMPLE_RAW)
		read_raw(e, s, &at);
	if (s->sample_type & PERF_SAMPLE_BRANCH_STACK)
		e->what.branches = read_rows(&at, 0, sizeof(*e->what.branches), &e->what.nbranches);
	if (s->sample_type & PERF_SAMPLE_REGS_USER)
		read_regs(e, s, &at);
	word = s->sample_type & PERF_SAMPLE_WEIGHT ? next_word(&at, sizeof(*word)) : NULL;
	e->what.latency = word ? *word : 0;
}

/* No memory: what is lost here is lost like what the kernel had no room for. */
static void lose(const struct perf_source *ring, struct perf_tally *tally, u64 time)
{
	tally->lost++;
	tally->no_room++;
	if (ring->joins)
		loss_add(ring, time, time);
}

/* Our own hits do not count for the script, except for calibration. */
static void handle_sample(struct perf_source *ring, const struct perf_event_header *h)
{
	const struct {
		struct perf_event_header h;
		u64 id, ip;
		u32 pid, tid;
		u64 time, rest[3];
	} *r = (const void *)h;
	struct perf_source *s = h->size < offsetof(typeof(*r), rest[1]) ? NULL
				: ring->alone                           ? ring
									: perf_source_of(r->id);
	int has_addr = s && s->sample_type & PERF_SAMPLE_ADDR;		/* before the CPU */
	int has_period = s && s->sample_type & PERF_SAMPLE_PERIOD;	/* after it */
	u32 fixed = offsetof(typeof(*r), rest) + 8 * (has_addr + 1 + has_period);
	struct merged *e;

	if (!s || h->size < fixed)
		return;
	s->taken++;
	s->idle += !r->pid;
	s->covered += has_period ? r->rest[has_addr + 1] : 0;
	ring->last = r->time;
	if ((s32)r->pid == getpid() && !s->tally->includes_own) {
		s->tally->own++;
		s->tally->taken++;
		return;
	}
	e = perf_merge_add(&merge, r->time, has_rest(s) ? h : NULL);
	if (!e) {
		lose(ring, s->tally, r->time);
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
	if (e->item.record)
		read_rest(e, s, fixed);
}

static void accept_process_event(struct perf_source *ring, const struct perf_event_header *h)
{
	const struct records_trailer *trailer = records_trailer(h);
	struct merged *e;

	if (!trailer || h->size < sizeof(*h) + sizeof(*trailer) + 2 * sizeof(u64))
		return;
	ring->last = trailer->time;
	e = perf_merge_add(&merge, trailer->time, h);
	if (!e) {
		lose(ring, ring->tally, trailer->time);
		return;
	}
	ring->tally->taken++;
	e->image = records_image(h);
	e->what.cpu = trailer->cpu;
}

int merge_note(const struct wire_note *note, u64 len)
{
	struct perf_event_header *record = records_note(note, len);
	int rc;

	if (!record)
		return -EINVAL;
	rc = perf_merge_add(&merge, note->time, record) ? 0 : -ENOMEM;
	free(record);
	return rc;
}

static void handle_switch(const void *on, struct hit *hit)
{
	run_state.paused = !on;
	if (on)
		sampling_off = 0;
}

int merge_switch(int on)
{
	struct merged *e = perf_merge_add(&merge, time_mono(), NULL);

	if (!e)
		return -ENOMEM;
	e->hit = handle_switch;
	e->row = on ? &run_state : NULL;
	perf_source_switch(on);
	return 0;
}

/* Samples that did not fit, in a ring that several sources may share. */
static void count_lost(struct perf_source *ring, u64 n)
{
	ring->lost += n;
	ring->tally->lost += n;
}

/* Who, the count, and the trailer. */
static void read_exit_count(const struct perf_event_header *h)
{
	const struct records_trailer *trailer = records_trailer(h);
	struct perf_source *s =
		trailer && h->size >= sizeof(*h) + 2 * sizeof(u64) + sizeof(*trailer)
			? perf_source_of(trailer->id)
			: NULL;

	if (s)
		perf_source_exited(s, ((const u64 *)(h + 1))[1]);
}

static void handle_lost(struct perf_source *ring, const struct perf_event_header *h)
{
	const struct records_trailer *trailer = records_trailer(h);
	u64 n = records_lost(h);

	count_lost(ring, n);
	if (trailer && h->type == PERF_RECORD_LOST)
		loss_reported(ring, n, trailer->time);
}

static void handle_record(void *data, const struct perf_event_header *h)
{
	struct perf_source *s = data;

	switch (h->type) {
	case PERF_RECORD_SAMPLE:
		handle_sample(s, h);
		break;
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		handle_lost(s, h);
		break;
	case PERF_RECORD_READ:
		read_exit_count(h);
		break;
	case PERF_RECORD_MMAP2:
	case PERF_RECORD_COMM:
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		accept_process_event(s, h);
		break;
	}
}

static void read_ring(struct perf_source *s, int last)
{
	u64 tail = s->ring.page->data_tail;

	perf_ring_read(&s->ring, handle_record, s);
	loss_check(s, tail, last);
}

static void handle_process_event(const struct merged *e)
{
	struct hit hit = { .time = e->item.time, .cpu = e->what.cpu, .user_mode = 1 };

	event_hooks.process_record(e->item.record, e->image, &hit);
}

static void handle(struct perf_merge_item *item)
{
	struct merged *e = (struct merged *)item;

	timers_fire(item->time);
	loss_reach(item->time);
	if (e->hit)
		e->hit(e->row, &e->what);
	else if (item->record)
		handle_process_event(e);
}

/* Handles everything up to a time, including timers. */
static void handle_until(u64 until)
{
	perf_merge_handle(&merge, until, handle);
	timers_fire(until);
	loss_reach(until);
}

u64 merge_round(int last)
{
	u64 now = time_mono(), next, until, due;

	for (struct perf_source *s = perf_source_first(); s; s = s->next)
		if (s->ring.page)
			read_ring(s, last);
	/* Without rings no older records can appear. */
	until = perf_merge_round(&merge, now);
	handle_until(last || !perf_source_first() ? now : until);
	if (last)
		perf_source_settle();
	else
		hotplug_follow(now);
	process_tidy();
	due = timers_next();
	now = time_mono();
	next = perf_source_first() ? 50000000 : 1000000000;
	if (due < now + next)
		next = due > now ? due - now : 0;
	return perf_source_first() && next < 1000000 ? 1000000 : next;
}

int merge_fds(int *fds, int max)
{
	int n = 0;

	for (const struct perf_source *s = perf_source_first(); s && n < max; s = s->next)
		if (s->hit && s->ring.page)
			fds[n++] = s->ring.fd;
	return n;
}
