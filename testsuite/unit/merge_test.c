/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * merge_test.c - records of several rings in order of time (perf/perf_merge.h), read from rings in
 * memory (perf/perf_ring.h).
 *
 * Rings are filled as the kernel fills them: records wrap, the head is written last. Each record is
 * a COMM record; its pid is the number by which the test identifies it, and it ends with the
 * trailer of sample_id_all.
 */
#include "perf/perf_merge.h"
#include "perf/perf_ring.h"
#include "perf/records.h"
#include "testsuite/unit/check.h"

#include <stdlib.h>
#include <string.h>

#define PAGE	4096
#define BYTES	4096		/* of data */
#define MOST	64

struct made {
	struct perf_event_header h;
	u32	pid, tid;
	u64	words[2];
	struct records_trailer trailer;
};

struct waiting {
	struct perf_merge_item item;
	u32	number;			/* the caller's own member */
};

static struct perf_merge merge = PERF_MERGE_OF(struct waiting);
static struct perf_ring rings[3];
static u32 seen[MOST], nseen;
static u64 lost, seen_time;
static u32 add_late;			/* the handler of this record adds another */

/* ---- rings ---------------------------------------------------------------------*/

static void ring_make(struct perf_ring *r)
{
	r->page = aligned_alloc(PAGE, PAGE + BYTES);
	memset(r->page, 0, PAGE + BYTES);
	r->bytes = BYTES;
}

static void ring_put(struct perf_ring *r, const void *record, u32 size)
{
	u8 *data = (u8 *)r->page + PAGE;

	for (u32 i = 0; i < size; i++)
		data[(r->page->data_head + i) % BYTES] = ((const u8 *)record)[i];
	r->page->data_head += size;
}

static void put(struct perf_ring *r, u32 number, u64 time)
{
	struct made m = { .h = { PERF_RECORD_COMM, 0, sizeof(m) },
			  .pid = number,
			  .trailer = { .time = time } };

	ring_put(r, &m, sizeof(m));
}

static void put_lost(struct perf_ring *r, u32 type, u64 first, u64 second)
{
	struct made m = { .h = { type, 0, sizeof(m) }, .trailer = { .time = 1 } };
	u64 *word = (u64 *)(&m.h + 1);

	word[0] = first;
	word[1] = second;
	ring_put(r, &m, sizeof(m));
}

/* ---- what a consumer does ------------------------------------------------------*/

static void take(void *data, const struct perf_event_header *h)
{
	const struct records_trailer *t = records_trailer(h);
	struct waiting *w;

	lost += records_lost(h);
	if (h->type != PERF_RECORD_COMM)
		return;
	CHECK(t);
	w = perf_merge_add(&merge, t->time, h);
	w->number = ((const struct made *)h)->pid;
}

static void handle(struct perf_merge_item *item)
{
	const struct waiting *w = (const struct waiting *)item;
	const struct made *m = (const struct made *)item->record;

	CHECK(nseen < MOST && item->time >= seen_time);
	CHECK(!m || (m->pid == w->number && m->trailer.time == item->time));
	seen_time = item->time;
	seen[nseen++] = w->number;
	if (add_late && w->number == add_late)
		for (u32 i = 0; i < 4096; i++) {	/* enough to make the array move */
			struct waiting *more = perf_merge_add(&merge, 1000000 + i, NULL);

			more->number = 9999;
		}
}

static void read_all(void)
{
	for (u32 i = 0; i < 3; i++)
		perf_ring_read(&rings[i], take, NULL);
}

static void round_at(u64 now)
{
	read_all();
	perf_merge_handle(&merge, perf_merge_round(&merge, now), handle);
}

/* True if exactly these were handled since the last call; numbers end with 0. */
static int handled(const u32 *numbers)
{
	u32 n = 0;
	int same;

	while (numbers[n])
		n++;
	same = n == nseen && !memcmp(seen, numbers, n * sizeof(*numbers));
	if (!same)
		for (u32 i = 0; i < nseen; i++)
			printf("handled: %u\n", seen[i]);
	nseen = 0;
	return same;
}
#define HANDLED(...) handled((const u32[]){ __VA_ARGS__ __VA_OPT__(,) 0 })

/* ---- tests ---------------------------------------------------------------------*/

static void order(void)
{
	perf_merge_begin(&merge, 100);
	put(&rings[0], 1, 110);
	put(&rings[0], 4, 140);
	put(&rings[1], 2, 120);
	put(&rings[1], 5, 150);
	put(&rings[2], 3, 130);
	round_at(200);
	CHECK(HANDLED());			/* older ones may still arrive */
	round_at(300);
	CHECK(HANDLED(1, 2, 3, 4, 5));
}

/* Records of the same time: in the order in which they are read, however many there are. */
static void ties(void)
{
	u32 expected[MOST] = { 0 };

	for (u32 i = 0; i < 20; i++) {
		put(&rings[0], 10 + i, 310);
		put(&rings[1], 30 + i, 310);
		expected[i] = 10 + i;
		expected[20 + i] = 30 + i;
	}
	round_at(400);
	round_at(500);
	CHECK(handled(expected));
}

/*
 * Ring 1's record of time 510 is read a round later than ring 0's of 520, and is handled before it.
 * Records beyond the limit wait.
 */
static void behind(void)
{
	put(&rings[0], 2, 520);
	put(&rings[0], 4, 640);
	round_at(600);
	CHECK(HANDLED());
	put(&rings[1], 1, 510);
	put(&rings[1], 3, 600);
	round_at(700);
	CHECK(HANDLED(1, 2, 3));		/* the limit itself is reached */
	round_at(800);
	CHECK(HANDLED(4));
}

static void losses(void)
{
	const struct perf_event_header small = { PERF_RECORD_LOST, 0, sizeof(small) };

	lost = 0;
	put(&rings[0], 1, 810);
	/* the event's id, then the number */
	put_lost(&rings[0], PERF_RECORD_LOST, 77, 5);
	put(&rings[0], 2, 820);
	put_lost(&rings[1], PERF_RECORD_LOST_SAMPLES, 3, 99);
	CHECK(!records_lost(&small) && !records_trailer(&small));
	round_at(900);
	round_at(1000);
	CHECK(lost == 8);
	CHECK(HANDLED(1, 2));
}

/* A record of size 0: the records behind it are dropped, and reading goes on with new ones. */
static void damaged(void)
{
	const struct perf_event_header none = { PERF_RECORD_COMM, 0, 0 };

	put(&rings[2], 1, 1010);
	ring_put(&rings[2], &none, sizeof(none));
	put(&rings[2], 7, 1020);
	read_all();
	put(&rings[2], 2, 1030);
	round_at(1100);
	round_at(1200);
	CHECK(HANDLED(1, 2));
	CHECK(rings[2].page->data_tail == rings[2].page->data_head);
}

/* Records of 64 bytes, a ring of 4096: many laps, with records that wrap. */
static void wraps(void)
{
	const struct {
		struct perf_event_header h;
		u64 words[4];
	} filler = { { PERF_RECORD_THROTTLE, 0, sizeof(filler) }, { 0 } };

	ring_put(&rings[0], &filler, sizeof(filler));
	for (u32 i = 0; i < 300; i++) {
		put(&rings[0], 1, 2000 + i);
		read_all();
	}
	for (u32 lap = 0; lap < 300; lap += 50) {
		perf_merge_handle(&merge, 2000 + lap + 49, handle);
		CHECK(nseen == 50);
		nseen = 0;
	}
}

static void adding(void)
{
	put(&rings[0], 1, 5000);
	put(&rings[0], 2, 5001);
	read_all();
	add_late = 1;
	perf_merge_handle(&merge, 6000, handle);
	add_late = 0;
	CHECK(HANDLED(1, 2));
	CHECK(merge.n == 4096);
	perf_merge_handle(&merge, 1000001, handle);
	CHECK(HANDLED(9999, 9999));
	perf_merge_clear(&merge);
	CHECK(!merge.n && !merge.previous && merge.size == sizeof(struct waiting));
	perf_merge_handle(&merge, ~0ULL, handle);
	CHECK(HANDLED());
}

int main(void)
{
	for (u32 i = 0; i < 3; i++)
		ring_make(&rings[i]);
	order();
	ties();
	behind();
	losses();
	damaged();
	wraps();
	adding();
	for (u32 i = 0; i < 3; i++)
		free(rings[i].page);
	return failures != 0;
}
