/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pmu.c - see pmu.h. Records come in order of time, so a thread's count is what its CPUs' counters
 * counted while it was on them.
 *
 * A switch whose record was lost makes a thread's count wrong by a constant from then on. Two
 * readings after the loss are wrong by the same amount, so their difference is right; that of one
 * before and one after it is not, which is why a lost switch is a loss for all calls (loss.h). Some
 * kernels do not record some switches at all: then the thread of a hit is not the one that last
 * came to its CPU. Its count is not only its own, and the other thread's is incomplete: the counts
 * of their pending calls are mixed. The thread that comes is known by the kernel's global thread
 * ID, so this is not detected in another PID namespace.
 */
#include "runtime/user/values/pmu.h"

#include "lib/id_table.h"
#include "runtime/core/ctx.h"
#include "runtime/core/event_kind.h"
#include "runtime/user/context/call.h"
#include "runtime/user/events/loss.h"
#include "runtime/user/events/merge.h"
#include "runtime/user/events/source.h"
#include "runtime/user/events/tracefs.h"
#include "runtime/user/transport/message.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

struct pmu_cpu {
	int		leader;			/* descriptor of the group's leader; -1: none */
	int		fd[RT_MAXEVENTS];	/* of each event that has a place */
	/* of each event in the group; 0: this CPU cannot count it */
	u8		place[RT_MAXEVENTS];
	/* the counts when the current thread was switched in */
	u64		start[RT_MAXEVENTS];
	/* the counts of the groups that it had before it went offline */
	u64		before[RT_MAXEVENTS];
	int		gap;			/* it was online without a group for a while */
	/* the current thread: thread_key(); 0: unknown */
	s32		on;
	u64		wanted, counted;	/* ns enabled and running, as of the last switch */
};

struct pmu_thread {
	struct id_entry	tid;			/* thread_key() */
	u64		sum[RT_MAXEVENTS];	/* counts before it was last switched in */
	/* ns: when time and counts were last mixed with another thread's */
	u64		time_mixed, counts_mixed;
};

static struct pmu_cpu *cpus;
static int ncpus;
static struct id_table threads;
static struct merge_tally switches;
/* offsets of the threads that are switched out and in, in a switch's record */
static u32 left_at, came_at;
static int other_numbers;			/* those are not the thread IDs of hits */
/* switches without a record, around which it is unknown whose the counts are */
static u64 unseen[RT_MAXEVENTS];
static u8 was_partial[RT_MAXEVENTS];	/* when counting ended */

struct perf_event_attr pmu_describe(const struct rt_event *e)
{
	return (struct perf_event_attr){
		.type = e->type,
		.config = e->config[0],
		.config1 = e->config[1],
		.config2 = e->config[2],
		.precise_ip = e->precise & 3,
		.exclude_user = !!(e->exclude & RT_NOT_USER),
		.exclude_kernel = !!(e->exclude & RT_NOT_KERNEL),
		.exclude_hv = !!(e->exclude & RT_NOT_HYPERVISOR),
	};
}

int pmu_group(int cpu) { return cpus && cpu < ncpus ? cpus[cpu].leader : -1; }

/* Each CPU has its own idle thread, and all have thread ID 0. */
static s32 key_of(s32 tid, u32 cpu) { return tid ? tid : -1 - (s32)cpu; }
static s32 thread_key(const struct hit *hit) { return key_of(hit->tid, hit->cpu); }

void pmu_forget(s32 tid)
{
	free(id_remove(&threads, tid));
}

/*
 * Stores the count of an event on the hit's CPU at the hit; 0 if the CPU cannot count it. Returns
 * 0 if the hit has no counts.
 */
static int count_of(const struct hit *hit, s64 event, u64 *count)
{
	u32 place = cpus && hit->cpu < (u32)ncpus ? cpus[hit->cpu].place[event] : 0;

	*count = place && place < hit->ncounts ? cpus[hit->cpu].before[event] + hit->counts[place].value : 0;
	return place < hit->ncounts;
}

static int is_time(const struct rt_event *e)
{
	return event_is_clock(e->type, e->config[0]);
}

/* Idle threads have no faults. */
static int is_counted_idle(const struct rt_event *e)
{
	return e->type != PERF_TYPE_SOFTWARE || is_time(e);
}

/* What was counted since c->on came, by it or by the hit's thread: enum rt_mixed, or-ed. */
static u32 mixed_of(const struct hit *hit, const struct pmu_cpu *c, int is_asked)
{
	u32 mixed = 0;
	u64 count;

	for (u32 i = 0; i < rt_script.nevents; i++) {
		const struct rt_event *e = &rt_script.events[i];

		if (!count_of(hit, i, &count) || count == c->start[i] ||
		    (c->on < 0 && !is_counted_idle(e)))
			continue;
		unseen[i] += (u64)is_asked;
		mixed |= is_time(e) ? RT_MIXED_TIME : RT_MIXED_COUNTS;
	}
	return mixed;
}

static void mix_counts(s32 thread, u32 mixed, u64 time)
{
	struct pmu_thread *t = id_find(&threads, thread);

	call_mix_counts(thread, mixed);
	if (t && mixed & RT_MIXED_TIME)
		t->time_mixed = time;
	if (t && mixed & RT_MIXED_COUNTS)
		t->counts_mixed = time;
}

/* A thread that is exiting no longer has a thread ID. */
void pmu_look(const struct hit *hit)
{
	struct pmu_cpu *c = cpus && hit->cpu < (u32)ncpus ? &cpus[hit->cpu] : NULL;
	s32 here = thread_key(hit);
	u32 mixed;

	if (!c || !c->on || hit->tid < 0 || c->on == here)
		return;
	if (!loss_holds(hit->time)) {
		mixed = mixed_of(hit, c, id_find(&threads, here) != NULL);
		mix_counts(here, mixed, hit->time);
		mix_counts(c->on, mixed, hit->time);
	}
	c->on = here;
}

/* A stopwatch reports unseen time itself, and may do without it; other handlers do not. */
static int only_stopwatches_count(void)
{
	for (u32 i = 0; i < rt_script.nprobes; i++)
		if (rt_script.probes[i].capture & RT_CAP_PMU && !rt_script.probes[i].stopwatch)
			return 0;
	return 1;
}

static u64 unseen_most(void)
{
	int with_clocks = !only_stopwatches_count();
	u64 most = 0;

	for (u32 i = 0; i < rt_script.nevents; i++)
		if (unseen[i] > most && (with_clocks || !is_time(&rt_script.events[i])))
			most = unseen[i];
	return most;
}

static s32 number_at(const struct hit *hit, u32 at)
{
	s32 number = -1;

	if (at && hit->raw_bytes >= at + sizeof(number))
		memcpy(&number, hit->raw + at, sizeof(number));
	return number;
}

/* The hit's thread leaves its CPU. perf's own event for switches would do, but misses some. */
static void switched(const void *row, struct hit *hit)
{
	struct pmu_thread *t = id_find(&threads, thread_key(hit));
	struct pmu_cpu *c = &cpus[hit->cpu];
	u64 count;

	c->wanted = hit->wanted;
	c->counted = hit->counted;
	for (u32 i = 0; i < rt_script.nevents; i++) {
		if (!count_of(hit, i, &count))
			continue;
		if (t)
			t->sum[i] += count - c->start[i];
		c->start[i] = count;
	}
	other_numbers |= hit->tid > 0 && number_at(hit, left_at) != hit->tid;
	c->on = other_numbers ? 0 : key_of(number_at(hit, came_at), hit->cpu);
}

/* ---- what handlers read ------------------------------------------------------------*/

/* A thread's counts start at 0 on its first query. */
static struct pmu_thread *thread_of(const struct hit *hit)
{
	struct pmu_thread *t = id_find(&threads, thread_key(hit));
	u64 count;

	if (t)
		return t;
	t = id_get(&threads, thread_key(hit), sizeof(*t));
	for (u32 i = 0; t && i < rt_script.nevents; i++)
		if (count_of(hit, i, &count))
			t->sum[i] = cpus[hit->cpu].start[i] - count;
	return t;
}

static s64 no_counter(struct rt_ctx *c)
{
	ctx_fail(c, RUN_SAMPLE);
	return 0;
}

s64 rt_pmu(struct rt_ctx *c, s64 event)
{
	const struct hit *hit = c->hit;
	struct pmu_thread *t;
	u64 count;

	t = count_of(hit, event, &count) ? thread_of(hit) : NULL;
	if (t)
		return (s64)(t->sum[event] + count - cpus[hit->cpu].start[event]);
	return no_counter(c);
}

void rt_count_thread(struct rt_ctx *c, s64 thread)
{
	if (cpus && !id_get(&threads, (s32)thread, sizeof(struct pmu_thread)))
		ctx_fail(c, RUN_THREADS);
}

s64 rt_mixed_since(struct rt_ctx *c, s64 ns)
{
	const struct pmu_thread *t = id_find(&threads, thread_key(c->hit));
	s64 mixed = 0;

	if (!t || t->time_mixed > (u64)ns)
		mixed |= RT_MIXED_TIME;
	if (!t || t->counts_mixed > (u64)ns)
		mixed |= RT_MIXED_COUNTS;
	return mixed;
}

s64 rt_pmu_system(struct rt_ctx *c, s64 event)
{
	u64 count;

	if (count_of(c->hit, event, &count))
		return (s64)count;
	return no_counter(c);
}

/* Offline CPUs have no group. */
static unsigned absent_on(u32 i, int *first)
{
	unsigned n = 0;

	for (int cpu = ncpus; cpu--; )
		if (cpus[cpu].leader >= 0 && !cpus[cpu].place[i]) {
			*first = cpu;
			n++;
		}
	return n;
}

static int is_partial(u32 i)
{
	int first;

	for (int cpu = 0; cpu < ncpus; cpu++)
		if (cpus[cpu].counted < cpus[cpu].wanted || cpus[cpu].gap)
			return 1;
	return absent_on(i, &first) != 0;
}

struct rt_str rt_pmu_quality(s64 event)
{
	return (cpus ? switches.lost || unseen[event] || is_partial((u32)event)
		     : was_partial[event])
		       ? RT_STR("partial")
		       : RT_STR("exact");
}

/* ---- start and stop ----------------------------------------------------------------*/

static int refuse(const struct rt_event *event, int cpu, int rc)
{
	static const struct refusal refusals[] = {
		{ -EBUSY,	RUN_COUNTERS },
		{ -EINVAL,	RUN_COUNTERS },
		{ -ENOENT,	RUN_EVENT_NONE },
		{ -EOPNOTSUPP,	RUN_EVENT_NONE },
		{ -ENODEV,	RUN_EVENT_NONE },
		{ 0,		RUN_EVENT },
	};

	message_error(refusal_row(refusals, rc), "'%s' on CPU %d (rc %d)", event->name, cpu, rc);
	return rc;
}

/* An event of one kind of CPU is counted on CPUs of that kind: elsewhere it is not found. */
static int open_counter(int cpu, u32 i, u8 *members)
{
	const struct rt_event *event = &rt_script.events[i];
	struct perf_event_attr attr = pmu_describe(event);
	struct perf_ring counter = { .fd = -1 };
	int rc;

	attr.use_clockid = 1;			/* a group has one clock */
	attr.clockid = CLOCK_MONOTONIC;
	rc = perf_ring_open(&counter, &attr, -1, cpu, cpus[cpu].leader, 0);
	if (rc)
		return rc == -ENOENT && event->type > PERF_TYPE_BREAKPOINT ? 0
									   : refuse(event, cpu, rc);
	cpus[cpu].fd[i] = counter.fd;
	cpus[cpu].place[i] = ++*members;
	return 0;
}

static int open_group(const struct event_source *leader)
{
	struct pmu_cpu *c = &cpus[leader->cpu];
	u8 members = 0;
	int rc = 0;

	c->leader = leader->ring.fd;
	for (u32 i = 0; i < rt_script.nevents && !rc; i++)
		rc = open_counter(leader->cpu, i, &members);
	return rc;
}

static int counted_somewhere(u32 i)
{
	for (int cpu = 0; cpu < ncpus; cpu++)
		if (cpus[cpu].place[i])
			return 1;
	return 0;
}

int pmu_start(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT, .sample_period = 1, .pinned = 1,
		.disabled = 1,		/* members added while it counts would not count */
	};
	long id;
	int rc;

	if (!user_wants_counts())
		return 0;
	if (!tracefs_root())		/* which it reported */
		return -EACCES;
	id = tracefs_event("sched", "sched_switch");
	if (id < 0) {
		message_error(RUN_SWITCHES, "%s/events", tracefs_root());
		return -ENOENT;
	}
	attr.config = (u64)id;
	attr.sample_type = PERF_SAMPLE_RAW;
	left_at = tracefs_field("sched", "sched_switch", "prev_pid");
	came_at = tracefs_field("sched", "sched_switch", "next_pid");
	other_numbers = !left_at || !came_at;
	memset(unseen, 0, sizeof(unseen));
	ncpus = (int)sysconf(_SC_NPROCESSORS_CONF);
	switches = (struct merge_tally){ .with_own_hits = 1, .joins = 1 };
	rc = merge_open_process(0, &attr, "startwatch", switched, NULL, &switches);
	cpus = calloc((size_t)ncpus, sizeof(*cpus));
	if (!rc && !cpus)
		rc = -ENOMEM;
	for (int i = 0; cpus && i < ncpus; i++)
		cpus[i].leader = -1;
	for (const struct event_source *s = source_first(); s && !rc; s = s->next)
		if (s->hit == switched)
			rc = open_group(s);
	for (u32 i = 0; i < rt_script.nevents && !rc; i++)
		if (!counted_somewhere(i))
			rc = refuse(&rt_script.events[i], 0, -ENOENT);
	return rc;
}

/* A pinned group for which there is no room can be enabled, and reads as end of file. */
int pmu_begin(void)
{
	int rc = 0;
	u64 count;

	for (const struct event_source *s = source_first(); s && !rc; s = s->next)
		if (s->hit == switched &&
		    (ioctl(s->ring.fd, PERF_EVENT_IOC_ENABLE, 0) || source_count(s, &count)))
			rc = refuse(&rt_script.events[rt_script.nevents - 1], s->cpu, -EBUSY);
	return rc;
}

static void close_members(const struct pmu_cpu *c)
{
	for (u32 i = 0; i < rt_script.nevents; i++)
		if (c->place[i])
			close(c->fd[i]);
}

void pmu_gone(int cpu)
{
	struct pmu_cpu *c = cpus ? &cpus[cpu] : NULL;
	u64 count;

	if (!c || c->leader < 0)
		return;
	for (u32 i = 0; i < rt_script.nevents; i++)
		if (c->place[i] && read(c->fd[i], &count, sizeof(count)) == sizeof(count))
			c->before[i] += count;
	close_members(c);
	memset(c->place, 0, sizeof(c->place));
	c->leader = -1;
}

int pmu_came(const struct event_source *s)
{
	if (s->hit != switched || !cpus)
		return 0;
	cpus[s->cpu].gap = 1;
	return open_group(s);
}

int pmu_go_on(const struct event_source *s)
{
	return s->hit == switched && cpus && ioctl(s->ring.fd, PERF_EVENT_IOC_ENABLE, 0) ? -errno
											 : 0;
}

static void close_group(const struct pmu_cpu *c)
{
	close_members(c);
	if (c->gap)
		message_text(
			WIRE_WARNING,
			"the script's events were not counted on CPU %d right after it came "
			"online: their counts are partial",
			(int)(c - cpus));
	if (c->counted < c->wanted)
		message_text(
			WIRE_WARNING,
			"the script's events were counted for only %llu %% of the time on CPU %d: their counts are partial",
			100 * c->counted / c->wanted, (int)(c - cpus));
}

void pmu_account(struct wire_summary *sum)
{
	sum->switches_lost = merge_lost(&switches) + unseen_most();
	sum->switches = switches.taken + sum->switches_lost;
}

void pmu_stop(void)
{
	u64 lost = merge_lost(&switches), missing = lost + unseen_most();
	const struct pmu_thread *t;
	unsigned absent;
	int first = 0;

	merge_close(switched);
	for (u32 i = 0; cpus && i < rt_script.nevents; i++) {
		was_partial[i] = lost || unseen[i] || is_partial(i);
		absent = absent_on(i, &first);
		if (absent)
			message_text(
				WIRE_WARNING,
				"event '%s' was not counted on %u of %d CPUs (the first is %d): its counts are partial",
				rt_script.events[i].name, absent, ncpus, first);
	}
	for (int i = 0; cpus && i < ncpus; i++)
		close_group(&cpus[i]);
	if (missing)
		message_text(WIRE_WARNING,
			     "%llu context switches were not seen: counts of threads are partial%s",
			     missing,
			     lost ? " (-s makes the buffers larger)"
				  : ": the kernel did not tell of them");
	ID_EACH (t, &threads)
		pmu_forget(t->tid.id);
	free(cpus);
	cpus = NULL;
}
