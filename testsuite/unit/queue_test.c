/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue_test.c - records of several rings, each nearly in order of time, are handled in order, whole
 * and once; those of one time in the order in which they were added.
 */
#include "perf/queue.h"

#include "perf/records.h"
#include "testsuite/unit/check.h"

#include <stdlib.h>
#include <string.h>

struct image *records_image(const struct perf_event_header *h) { (void)h; return NULL; }
int records_is_note(const struct wire_note *note, u64 len) { (void)note; (void)len; return 0; }

struct record {
	struct perf_event_header h;
	u64	time, number;
	u8	bytes[4000];
};

#define RINGS	5
static u64 last_time, last_number, handled, until, added, sum;

static void handle(void *item)
{
	const struct queued *q = item;
	const struct record *r = (const struct record *)q->record;

	CHECK(r->time == q->time && r->time <= until);
	CHECK(r->time > last_time || (r->time == last_time && r->number > last_number));
	for (size_t i = sizeof(*r) - sizeof(r->bytes); i < r->h.size; i++)
		if (((const u8 *)r)[i] != (u8)r->number) {
			CHECK(!"a record's bytes");
			break;
		}
	last_time = r->time;
	last_number = r->number;
	sum -= r->number;
	handled++;
}

static void add(struct queue *q, u64 time)
{
	static struct record r;

	r.time = time;
	r.number = ++added;
	r.h.size = (u16)(sizeof(r) - sizeof(r.bytes) + (unsigned)random() % sizeof(r.bytes));
	memset(r.bytes, (u8)r.number, sizeof(r.bytes));
	CHECK(queue_add_record(q, time, &r.h) != NULL);
	sum += r.number;
}

/* late: how far a record may be behind the one before it. */
static void test(unsigned late)
{
	struct queue q = { .item_bytes = sizeof(struct queued) };
	u64 now = 1000;

	handled = added = sum = last_time = last_number = 0;
	for (int round = 0; round < 200; round++, now += 1000) {
		for (int ring = 0; ring < RINGS; ring++) {
			u64 time = now;

			for (int n = (int)random() % 100; n--; time += (u64)random() % 20)
				add(&q, time - (late ? (u64)random() % late : 0));
		}
		until = now - late;		/* nothing older can arrive */
		queue_handle(&q, until, handle);
	}
	until = ~0ULL;
	queue_handle(&q, until, handle);
	CHECK(handled == added && !sum && !q.n);
	add(&q, now);
	queue_clear(&q);
	CHECK(!q.items && !q.block && !q.order);
}

int main(void)
{
	test(0);
	test(10);
	test(1000);
	return failures != 0;
}
