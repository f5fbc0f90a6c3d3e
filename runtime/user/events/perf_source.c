/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf_source.c - see perf_source.h. What is read out of the rings is merge.c's.
 */
#include "runtime/user/events/perf_source.h"

#include "perf/cpu_idle.h"
#include "runtime/core/vary.h"
#include "runtime/user/events/cpu.h"
#include "runtime/user/events/hit.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define BUCKETS 1024
#define WORDS	4
#define LATE_NS	50000	/* a tick that is due so shortly before a thread's end may find it over */

static struct perf_source *sources, *by_id[BUCKETS];

struct perf_tally perf_process_tally;

struct perf_source *perf_source_first(void) { return sources; }

struct perf_source *perf_source_of(u64 id)
{
	struct perf_source *s = by_id[id % BUCKETS];

	while (s && s->id != id)
		s = s->next_id;
	return s;
}

void perf_source_add(struct perf_source *s)
{
	s->next = sources;
	sources = s;
	s->next_id = by_id[s->id % BUCKETS];
	by_id[s->id % BUCKETS] = s;
}

/*
 * What an event that is in no group tells of itself: its count, the times asked for, and last,
 * where the kernel has it (since 6.0), how many of its records found no room in a ring. How many
 * words.
 */
static ssize_t read_words(const struct perf_source *s, u64 words[WORDS])
{
	ssize_t got = read(s->ring.fd, words, WORDS * sizeof(words[0]));

	return got < 0 ? 0 : got / (ssize_t)sizeof(words[0]);
}

/* Of a group's member: number, times, then a count and an id of each member. */
int perf_source_count(const struct perf_source *s, u64 *count)
{
	static u64 group[3 + 2 * 1024];
	u64 words[WORDS];
	ssize_t got;

	if (!(s->sample_type & PERF_SAMPLE_READ)) {
		if (!read_words(s, words))
			return -1;
		*count = words[0];
		return 0;
	}
	got = read(s->ring.fd, group, sizeof(group)) / (ssize_t)sizeof(group[0]);
	for (ssize_t i = 3; i + 1 < got; i += 2)
		if (group[i + 1] == s->id) {
			*count = group[i];
			return 0;
		}
	return -1;
}

/* Its count, and the samples that should have come of it. */
static void settle(struct perf_source *s)
{
	u64 count, mean, own;

	if (!s->hit || perf_source_count(s, &count) || count < s->counted)
		return;
	s->tally->counted += count - s->counted;
	s->counted = count;
	own = count > s->exited ? count - s->exited : 0;
	mean = s->taken ? s->covered / s->taken : 0;
	if (s->period && own > s->since)
		s->expected += (own - s->since) / s->period;
	else if (!s->period && mean)
		s->expected = s->taken + (count > s->covered ? (count - s->covered) / mean : 0);
	s->since = own;
}

void perf_source_exited(struct perf_source *s, u64 count)
{
	if (!s->period)
		return;
	s->exited += count;
	if (s->tally->spread)
		count -= count < LATE_NS ? count : LATE_NS;
	s->expected += count / s->period;
}

int perf_source_lost(const struct perf_source *s, u64 *lost)
{
	u64 words[WORDS];
	ssize_t n = s->reports_lost ? read_words(s, words) : 0;

	if (!n)
		return -1;
	*lost = words[n - 1];
	return 0;
}

/*
 * In thousandths of the rate: what came too few of, or too many, in as many events as the last
 * while had.
 */
static s64 behind(const struct perf_source *s, u64 events, u64 period)
{
	s64 due = (s64)(s->since / period) - (s64)s->expected;

	return events ? (s64)((double)due * 1000 * (double)period / (double)events) : 0;
}

u32 perf_source_vary(const void *row, u64 period, struct vary *random)
{
	u32 n = 0;

	for (struct perf_source *s = sources; s; s = s->next) {
		u64 since = s->since, next;

		if (s->row != row)
			continue;
		n++;
		settle(s);
		next = vary_while(random, period, behind(s, s->since - since, period));
		if (!ioctl(s->ring.fd, PERF_EVENT_IOC_PERIOD, &next))
			s->period = next;
		if (!perf_source_count(s, &since))
			s->since = since - s->exited;
	}
	return n;
}

void perf_source_switch(int on)
{
	for (const struct perf_source *s = sources; s; s = s->next)
		if (s->hit && !s->sample_type)
			ioctl(s->ring.fd, on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}

/* Lost records of processes, where the kernel tells how many. */
static void count_lost(const struct perf_source *s)
{
	u64 lost;

	if (!perf_source_lost(s, &lost))
		perf_process_tally.counted += lost;
}

void perf_source_pause(void)
{
	for (struct perf_source *s = sources; s; s = s->next)
		if (s->hit)
			ioctl(s->ring.fd, PERF_EVENT_IOC_DISABLE, 0);
		else
			count_lost(s);
	cpu_idle_refresh();
}

/*
 * It is over, and its ring has been read: what it counted goes to the books. A tick may be on its
 * way when it is stopped.
 */
static void close_books(struct perf_source *s)
{
	u64 found, missing, due, idle, no_room;

	if (!s->hit)
		return;
	settle(s);
	found = s->taken + s->lost;
	missing = s->expected > found ? s->expected - found : 0;
	if (missing == 1 && s->tally->spread) {
		s->expected--;
		missing = 0;
	}
	s->tally->expected += s->expected;
	s->tally->sources++;
	if (!perf_source_lost(s, &no_room))
		s->tally->no_room += no_room;
	else
		s->tally->unreported = 1;
	if (!s->clock || !s->period || !cpu_idle_is_known() || !missing)
		return;
	idle = cpu_idle_ns(s->cpu);
	due = idle > s->idle_since ? (idle - s->idle_since) / s->period : 0;
	s->tally->asleep += idle_asleep(missing, due, s->idle);
}

void perf_source_settle(void)
{
	for (struct perf_source *s = sources; s; s = s->next)
		close_books(s);
}

u64 perf_process_lost(u64 *all)
{
	const struct perf_tally *t = &perf_process_tally;
	u64 lost = t->lost > t->counted ? t->lost : t->counted;

	*all = t->taken + lost;
	return lost;
}

u64 perf_tally_lost(const struct perf_tally *tally)
{
	return tally->counted > tally->taken ? tally->counted - tally->taken : 0;
}

u64 perf_tally_unsampled(const struct perf_tally *tally)
{
	u64 lost = perf_tally_lost(tally);

	return tally->unreported || lost < tally->no_room ? 0 : lost - tally->no_room;
}

static void forget_id(const struct perf_source *s)
{
	struct perf_source **link = &by_id[s->id % BUCKETS];

	while (*link != s)
		link = &(*link)->next_id;
	*link = s->next_id;
}

static void remove_link(struct perf_source **link)
{
	struct perf_source *s = *link;

	*link = s->next;
	forget_id(s);
	perf_ring_close(&s->ring);
	free(s);
}

void perf_source_close(hit_fn *hit)
{
	struct perf_source **link = &sources;

	while (*link)
		if (hit && (*link)->hit != hit)
			link = &(*link)->next;
		else
			remove_link(link);
}

void perf_source_close_cpu(int cpu)
{
	struct perf_source **link = &sources;

	while (*link)
		if ((*link)->cpu == cpu && (*link)->tid < 0) {
			close_books(*link);
			if (!(*link)->hit)
				count_lost(*link);
			remove_link(link);
		} else {
			link = &(*link)->next;
		}
}
