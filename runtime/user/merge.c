/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * merge.c - many perf rings and timers, one order of time.
 *
 * A round takes a clock value T, reads every ring up to its head, and handles in time order what is older than the T of the round
 * before: by then no older record can turn up. Timers are put in at their due times, and fire without records too.
 */
#include "runtime/user/user.h"

#include "runtime/elf/records.h"
#include "runtime/user/perf_regs.h"
#include "runtime/user/perf_ring.h"

#include <dirent.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

typedef void hit_fn(const void *row, struct hit *hit);

struct source {
	struct source	*next;
	struct perf_ring ring;
	hit_fn		*hit;		/* NULL: only tells of processes */
	const void	*row;
	struct merge_tally *tally;
	u64		sample_type;
};

struct event {
	u64		time, sequence;
	hit_fn		*hit;
	const void	*row;
	struct hit	what;
	struct perf_event_header *record;	/* a copy: of a process event; of a sample that has more than when and where */
	struct image	*image;			/* of a mapping */
};

struct timer {
	const void	*row;
	u64		next;
	u64		(*due)(const void *row, struct hit *hit);
};

static struct source *sources;
static struct event *pending;
static size_t npending, room;
static u64 sequence, previous;
static struct timer *timers;
static unsigned ntimers;

/* ---- opening -----------------------------------------------------------------*/

/* What this process does itself is no hit, and reading about it would make more of it: the kernel leaves it out. */
static void leave_us_out(const struct perf_ring *r)
{
	char filter[40];

	snprintf(filter, sizeof(filter), "common_pid != %d", getpid());
	ioctl(r->fd, PERF_EVENT_IOC_SET_FILTER, filter);
}

static int open_one(const struct perf_event_attr *attr, s32 tid, int cpu, hit_fn *hit, const void *row, struct merge_tally *tally)
{
	struct perf_event_attr a = *attr;
	struct source *s = calloc(1, sizeof(*s));
	int rc;

	if (!s)
		return -ENOMEM;
	a.sample_type |= PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;
	if (hit && rt_script.capture & (RT_CAP_STACK | RT_CAP_USTACK)) {
		a.sample_type |= PERF_SAMPLE_CALLCHAIN;
		a.exclude_callchain_kernel = !(rt_script.capture & RT_CAP_STACK);
		a.exclude_callchain_user = !(rt_script.capture & RT_CAP_USTACK) || rt_script.limits.user_stack;
	}
	if (hit && rt_script.capture & RT_CAP_USTACK && rt_script.limits.user_stack) {
		a.sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
		a.sample_regs_user = perf_regs_mask();
		a.sample_stack_user = rt_script.limits.user_stack;
	}
	a.sample_id_all = 1;
	a.use_clockid = 1;
	a.clockid = CLOCK_MONOTONIC;
	a.wakeup_events = 1;
	a.watermark = 1;
	a.wakeup_watermark = (u32)(session.how.ring_bytes / 4);
	a.inherit = tid > 0;
	rc = perf_ring_open(&s->ring, &a, tid, cpu, session.how.ring_bytes);
	if (rc == -EACCES && tid > 0) {		/* not root: user code only */
		a.exclude_kernel = 1;
		tally->partly = 1;
		rc = perf_ring_open(&s->ring, &a, tid, cpu, session.how.ring_bytes);
	}
	if (rc) {
		free(s);
		return rc;
	}
	if (a.type == PERF_TYPE_TRACEPOINT)
		leave_us_out(&s->ring);
	s->hit = hit;
	s->row = row;
	s->tally = tally;
	s->sample_type = a.sample_type;
	s->next = sources;
	sources = s;
	return 0;
}

static int open_cpus(const struct perf_event_attr *attr, s32 tid, hit_fn *hit, const void *row, struct merge_tally *tally)
{
	int cpus = (int)sysconf(_SC_NPROCESSORS_CONF), opened = 0, rc = 0;

	for (int cpu = 0; cpu < cpus; cpu++) {
		rc = open_one(attr, tid, cpu, hit, row, tally);
		if (rc == -ENODEV || (rc == -EINVAL && opened))	/* an offline CPU */
			rc = 0;
		else if (rc)
			return rc;
		else
			opened++;
	}
	return opened ? 0 : -ENODEV;
}

/* All threads of the target, or all CPUs. */
static int open_where(const struct perf_event_attr *attr, hit_fn *hit, const void *row, struct merge_tally *tally)
{
	char path[64];
	struct dirent *d;
	int rc = -ESRCH;
	DIR *dir;

	if (!session.target.only)
		return open_cpus(attr, -1, hit, row, tally);
	snprintf(path, sizeof(path), "/proc/%d/task", session.target.pid);
	dir = opendir(path);
	while (dir && (d = readdir(dir)))
		if (d->d_name[0] != '.') {
			rc = open_cpus(attr, atoi(d->d_name), hit, row, tally);
			if (rc)
				break;
		}
	if (dir)
		closedir(dir);
	return rc;
}

static void report(const char *what, int rc)
{
	char level[16] = "?";
	FILE *f = fopen("/proc/sys/kernel/perf_event_paranoid", "re");

	if (f) {
		if (fscanf(f, "%15s", level) != 1)
			level[0] = '?';
		fclose(f);
	}
	if (rc == -EACCES || rc == -EPERM)
		message_text(WIRE_ERROR, "probe %s: perf_event_open refused (kernel.perf_event_paranoid is %s): run as root or with "
					 "CAP_PERFMON, or sample your own program with --only-target -c CMD", what, level);
	else if (rc == -ESRCH)
		message_text(WIRE_ERROR, "probe %s: process %d is gone", what, session.target.pid);
	else if (rc == -EMFILE)
		message_text(WIRE_ERROR, "probe %s: too many open files: raise ulimit -n", what);
	else
		message_text(WIRE_ERROR, "probe %s: perf_event_open: %s", what, strerror(-rc));
}

int merge_open(struct perf_event_attr *attr, const char *what, hit_fn *hit, const void *row, struct merge_tally *tally)
{
	static struct merge_tally untold;	/* what is lost of processes' names and maps is no hit */
	struct perf_event_attr track = {
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY,
	};
	int rc = 0;

	records_ask(&track);
	if (!sources)
		rc = open_where(&track, NULL, NULL, &untold);
	if (!rc)
		rc = open_where(attr, hit, row, tally);
	if (rc)
		report(what, rc);
	if (!previous)
		previous = time_mono();
	return rc;
}

static void close_if(int (*which)(const struct source *s, hit_fn *hit), hit_fn *hit)
{
	struct source **link = &sources;

	while (*link) {
		struct source *s = *link;

		if (!which(s, hit)) {
			link = &s->next;
			continue;
		}
		*link = s->next;
		perf_ring_close(&s->ring);
		free(s);
	}
}

void merge_pause(void)
{
	for (const struct source *s = sources; s; s = s->next) {
		u64 count;

		if (!s->hit || ioctl(s->ring.fd, PERF_EVENT_IOC_DISABLE, 0) || read(s->ring.fd, &count, sizeof(count)) != sizeof(count))
			continue;
		s->tally->counted += count;
		s->tally->sources++;
	}
}

static int is_of(const struct source *s, hit_fn *hit) { return s->hit == hit; }
static int is_any(const struct source *s, hit_fn *hit) { return 1; }

void merge_close(hit_fn *hit)
{
	int left = 0;

	close_if(is_of, hit);
	for (const struct source *s = sources; s; s = s->next)
		left |= s->hit != NULL;
	if (left)
		return;
	close_if(is_any, NULL);
	while (npending)
		free(pending[--npending].record);
	free(pending);
	pending = NULL;
	room = 0;
	previous = 0;
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

static struct event *new_event(void)
{
	if (npending == room) {
		size_t want = room ? 2 * room : 4096;
		struct event *more = realloc(pending, want * sizeof(*more));

		if (!more)
			return NULL;
		pending = more;
		room = want;
	}
	memset(&pending[npending], 0, sizeof(*pending));
	return &pending[npending++];
}

/* Registers: u64 which ABI (0: none), one u64 each. The stack: u64 bytes, those, u64 how many of them are there. n: bytes at p. */
static void take_stack(struct event *e, const u8 *p, u64 n)
{
	u64 nregs = (u64)__builtin_popcountll(perf_regs_mask()), room, have;
	const u64 *word = (const u64 *)p;

	if (n < 8 || !word[0] || n < 8 * (nregs + 3))
		return;
	room = word[1 + nregs];
	if (room > n - 8 * (nregs + 3) || room & 7)
		return;
	have = word[2 + nregs + room / 8];
	e->what.regs = word + 1;
	e->what.stack = (const u8 *)(word + 2 + nregs);
	e->what.stack_bytes = (u32)(have < room ? have : room);
}

/* What stands behind the fixed part of a sample, kept with the event: the call chain, then the event's own fields. */
static void take_rest(struct event *e, const struct source *s, const struct perf_event_header *h, u32 at)
{
	const u8 *p;
	u32 bytes;
	u64 n;

	if (!(s->sample_type & (PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW | PERF_SAMPLE_STACK_USER)))
		return;
	e->record = malloc(h->size);
	if (!e->record)
		return;
	memcpy(e->record, h, h->size);
	p = (const u8 *)e->record;
	if (s->sample_type & PERF_SAMPLE_CALLCHAIN) {
		if (h->size < at + sizeof(n))
			return;
		memcpy(&n, p + at, sizeof(n));
		if (n > (h->size - at - sizeof(n)) / sizeof(n))
			return;
		e->what.nchain = n;
		e->what.chain = (const u64 *)(p + at + sizeof(n));
		at += (u32)((n + 1) * sizeof(n));
	}
	if (s->sample_type & PERF_SAMPLE_RAW) {
		if (h->size < at + sizeof(bytes))
			return;
		memcpy(&bytes, p + at, sizeof(bytes));
		if (bytes > h->size - at - sizeof(bytes))
			return;
		e->what.raw = p + at + sizeof(bytes);
		e->what.raw_bytes = bytes;
		at += (u32)sizeof(bytes) + bytes;
	}
	if (s->sample_type & PERF_SAMPLE_STACK_USER)
		take_stack(e, p + at, h->size - at);
}

/* A hit of our own is none for the script. */
static void take_sample(const struct source *s, const struct perf_event_header *h)
{
	const struct { struct perf_event_header h; u64 ip; u32 pid, tid; u64 time; u32 cpu, res; u64 nchain, chain[]; } *r = (const void *)h;
	const u32 fixed = offsetof(typeof(*r), nchain);
	struct event *e;

	if (h->size < fixed)
		return;
	if ((s32)r->pid == getpid()) {
		s->tally->own++;
		return;
	}
	e = new_event();
	if (!e) {
		s->tally->lost++;
		return;
	}
	e->time = r->time;
	e->sequence = sequence++;
	e->hit = s->hit;
	e->row = s->row;
	e->what = (struct hit){ .time = r->time, .pid = (s32)r->pid, .tid = (s32)r->tid, .cpu = r->cpu, .ip = r->ip,
				.user_mode = (h->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_USER };
	take_rest(e, s, h, fixed);
}

static void take_process_event(const struct perf_event_header *h)
{
	struct event *e;

	if (h->size < sizeof(*h) + 40)
		return;
	e = new_event();
	if (!e)
		return;
	e->record = malloc(h->size);
	if (!e->record) {
		npending--;
		return;
	}
	memcpy(e->record, h, h->size);
	e->image = records_image(h);
	/* sample_id at the end: pid, tid; time; cpu, res */
	memcpy(&e->time, (const u8 *)h + h->size - 16, 8);
	e->sequence = sequence++;
}

static void read_ring(struct source *s, u8 *buf)
{
	u64 head = perf_ring_head(&s->ring);
	struct perf_event_header *h;

	while ((h = perf_ring_next(&s->ring, head, buf))) {
		switch (h->type) {
		case PERF_RECORD_SAMPLE:
			take_sample(s, h);
			break;
		case PERF_RECORD_LOST:
			s->tally->lost += ((const u64 *)(h + 1))[1];
			break;
		case PERF_RECORD_LOST_SAMPLES:
			s->tally->lost += ((const u64 *)(h + 1))[0];
			break;
		case PERF_RECORD_MMAP2:
		case PERF_RECORD_COMM:
		case PERF_RECORD_FORK:
		case PERF_RECORD_EXIT:
			take_process_event(h);
			break;
		}
	}
}

static void handle_process_event(const struct perf_event_header *h, struct image *image)
{
	const u32 *w = (const u32 *)(h + 1);

	switch (h->type) {
	case PERF_RECORD_COMM:
		task_comm((s32)w[1], (s32)w[0], (const char *)(w + 2));
		break;
	case PERF_RECORD_FORK:
		task_fork((s32)w[0], (s32)w[1], (s32)w[2]);
		break;
	case PERF_RECORD_EXIT:
		task_exit((s32)w[0], (s32)w[2]);
		break;
	}
	records_apply(h, image);
}

static int by_time(const void *a, const void *b)
{
	const struct event *e = a, *f = b;

	if (e->time != f->time)
		return e->time < f->time ? -1 : 1;
	return (e->sequence > f->sequence) - (e->sequence < f->sequence);
}

static void fire_timers(u64 until)
{
	struct timer *t;

	while ((t = next_timer()) && t->next <= until && session.state == STATE_RUNNING && !session.exit_asked) {
		struct hit hit = { .time = t->next };

		t->next = t->due(t->row, &hit);
	}
}

/* Everything up to a time, timers among it. */
static void handle_until(u64 until)
{
	size_t done = 0;

	qsort(pending, npending, sizeof(*pending), by_time);
	while (done < npending && pending[done].time <= until) {
		struct event e = pending[done++];

		fire_timers(e.time);
		if (e.hit)
			e.hit(e.row, &e.what);
		else if (e.record)
			handle_process_event(e.record, e.image);
		free(e.record);
	}
	memmove(pending, pending + done, (npending - done) * sizeof(*pending));
	npending -= done;
	fire_timers(until);
}

u64 merge_round(int last)
{
	static u8 buf[65536] __attribute__((aligned(8)));
	u64 now = time_mono(), next;
	struct timer *t;

	for (struct source *s = sources; s; s = s->next)
		read_ring(s, buf);
	/* Without rings nothing older can turn up. */
	handle_until(last || !sources ? now : previous);
	previous = now;
	t = next_timer();
	now = time_mono();
	next = sources ? 50000000 : 1000000000;
	if (t && t->next < now + next)
		next = t->next > now ? t->next - now : 0;
	return sources && next < 1000000 ? 1000000 : next;
}

int merge_fds(int *fds, int max)
{
	int n = 0;

	for (const struct source *s = sources; s && n < max; s = s->next)
		if (s->hit)
			fds[n++] = s->ring.fd;
	return n;
}
