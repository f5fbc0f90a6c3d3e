/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spe_source.c - see spe_source.h. In each round of the merge an event is stopped, which makes the
 * kernel tell all that it has written (PERF_RECORD_AUX), and goes on when that is read: then no older
 * sample can come, as merge.c wants it.
 *
 * A sample tells the time of the generic timer, and no thread. The ring has the CPU's switches, in
 * perf's own clock, which is a function of that timer (struct perf_event_mmap_page): so each sample's
 * thread is known exactly. Only its place among the hits of other events, whose clock is
 * CLOCK_MONOTONIC, is as near as both clocks are known to be: by when the event was stopped.
 */
#include "runtime/user/events/spe_source.h"

#include "perf/perf_ring.h"
#include "perf/spe.h"
#include "runtime/user/base/time.h"
#include "runtime/user/events/merge.h"
#include "runtime/user/events/source.h"
#include "runtime/user/transport/message.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define RING_BYTES	(256 * 1024ULL)
#define AUX_MOST	(1024 * 1024ULL)
#define AUX_LEAST	(64 * 1024ULL)
#define STOP_NS		1000000		/* what stopping an event takes at most, as a rule */
/* attr.config of arm_spe_pmu: each sample has a time; intervals vary at random */
#define TIMES		(1ULL << 0)
#define JITTER		(1ULL << 16)

struct thread { s32 pid, tid; };

/* Who left the CPU then, and who came. */
struct change {
	u64		time;
	struct thread	left, came;
};

struct spe_cpu {
	struct spe_cpu	*next;
	struct perf_ring ring;
	u8		*aux, *linear;		/* linear: room for a part of it that wraps */
	u64		aux_bytes;
	int		cpu;
	u64		midr;			/* 0: unknown */
	hit_fn		*hit;
	const void	*row;
	struct merge_tally *tally;
	struct change	*changes;		/* since the last AUX record, in order of time */
	u32		nchanges, room;
	int		blind;			/* changes were lost since then */
	int		dropped;		/* samples were, in whatever number */
	u64		stopped;		/* when that was, by CLOCK_MONOTONIC, */
	u64		later;			/* and by how much that is more than perf's clock */
};

static struct spe_cpu *cpus;
static long cpus_online;		/* when events were opened */

static u64 midr_of(int cpu)
{
	unsigned long long midr = 0;
	char path[100];
	FILE *f;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/regs/identification/midr_el1",
		 cpu);
	f = fopen(path, "re");
	if (f && fscanf(f, "%llx", &midr) != 1)
		midr = 0;
	if (f)
		fclose(f);
	return midr;
}

/* ---- clocks ----------------------------------------------------------------------------*/

/* perf's clock at a time of the timer; the kernel changes the page as its counter page->lock tells. */
static u64 perf_time(const struct perf_event_mmap_page *page, u64 timer)
{
	u64 cycles, ns;
	u32 lock;

	do {
		lock = __atomic_load_n(&page->lock, __ATOMIC_ACQUIRE);
		cycles = page->cap_user_time_short
				 ? page->time_cycles + ((timer - page->time_cycles) & page->time_mask)
				 : timer;
		ns = page->time_zero + (cycles >> page->time_shift) * page->time_mult +
		     ((cycles & ((1ULL << page->time_shift) - 1)) * page->time_mult >> page->time_shift);
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
	} while (lock != __atomic_load_n(&page->lock, __ATOMIC_RELAXED));
	return ns;
}

/* ---- opening ---------------------------------------------------------------------------*/

static int map_aux(struct spe_cpu *c)
{
	void *aux;

	c->ring.page->aux_offset = c->ring.page->data_offset + c->ring.page->data_size;
	for (c->aux_bytes = AUX_MOST; ; c->aux_bytes /= 2) {
		c->ring.page->aux_size = c->aux_bytes;
		aux = mmap(NULL, c->aux_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, c->ring.fd,
			   (off_t)c->ring.page->aux_offset);
		if (aux != MAP_FAILED)
			break;
		if (c->aux_bytes == AUX_LEAST || (errno != EPERM && errno != ENOMEM))
			return -errno;
	}
	c->aux = aux;
	c->linear = malloc(c->aux_bytes);
	return c->linear ? 0 : -ENOMEM;
}

static void drop(struct spe_cpu *c)
{
	if (c->aux)
		munmap(c->aux, c->aux_bytes);
	perf_ring_close(&c->ring);
	free(c->linear);
	free(c->changes);
	free(c);
}

static int open_cpu(struct perf_event_attr attr, int cpu, const struct spe_cpu *like)
{
	struct spe_cpu *c = malloc(sizeof(*c));
	int rc;

	if (!c)
		return -ENOMEM;
	*c = *like;
	c->cpu = cpu;
	c->midr = midr_of(cpu);
	rc = perf_ring_open(&c->ring, &attr, -1, cpu, -1, RING_BYTES);
	if (rc) {
		free(c);
		return rc;
	}
	rc = !c->ring.page->cap_user_time_zero ? -EOPNOTSUPP : map_aux(c);
	if (!rc && ioctl(c->ring.fd, PERF_EVENT_IOC_ENABLE, 0))
		rc = -errno;
	if (rc) {
		drop(c);
		return rc;
	}
	c->next = cpus;
	cpus = c;
	return 0;
}

/* A CPU that is offline, or that the PMU is not of. */
static int is_absent(int rc) { return rc == -ENODEV || rc == -ENOENT; }

int spe_source_open(const struct perf_event_attr *attr, const char *what, hit_fn *hit,
		    const void *row, struct merge_tally *tally)
{
	const struct spe_cpu like = { .hit = hit, .row = row, .tally = tally };
	struct perf_event_attr a = *attr;
	long n = sysconf(_SC_NPROCESSORS_CONF);
	int rc = merge_open(NULL, what, NULL, NULL, tally), opened = 0;	/* records of processes */

	if (rc)
		return rc;
	rc = -ENODEV;
	a.config |= TIMES | JITTER;
	a.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;
	a.sample_id_all = a.context_switch = a.disabled = 1;
	cpus_online = sysconf(_SC_NPROCESSORS_ONLN);
	for (int cpu = 0; cpu < n; cpu++) {
		rc = open_cpu(a, cpu, &like);
		if (rc && !is_absent(rc))
			break;
		opened += !rc;
	}
	if (!rc || (is_absent(rc) && opened))
		return 0;
	message_error(rc == -EACCES || rc == -EPERM ? RUN_PERF_REFUSED : RUN_PERF, "probe %s: %s",
		      what, strerror(-rc));
	return rc;
}

/* ---- reading ---------------------------------------------------------------------------*/

/* What sample_id_all puts at a record's end. */
struct sample_id {
	s32	pid, tid;
	u64	time;
	u32	cpu, zero;
};

static const struct sample_id *id_of(const struct perf_event_header *h)
{
	return (const void *)((const u8 *)h + h->size - sizeof(struct sample_id));
}

static void take_change(struct spe_cpu *c, const struct perf_event_header *h)
{
	const s32 *other = (const s32 *)(h + 1);	/* pid, tid */
	const struct sample_id *id = id_of(h);
	struct change *more;

	if (h->size < sizeof(*h) + 8 + sizeof(*id) || !(h->misc & PERF_RECORD_MISC_SWITCH_OUT))
		return;			/* of each switch there is a record of who leaves */
	if (c->nchanges == c->room) {
		more = realloc(c->changes, (c->room + 64) * sizeof(*more));
		if (!more) {
			c->blind = 1;
			return;
		}
		c->changes = more;
		c->room += 64;
	}
	c->changes[c->nchanges++] = (struct change){ id->time, { id->pid, id->tid },
						     { other[0], other[1] } };
}

/* Who was on the CPU then; last: at the end. Samples come nearly in order: *from is where to look on. */
static struct thread thread_at(const struct spe_cpu *c, u64 time, struct thread last, u32 *from)
{
	if (!c->nchanges)
		return last;
	while (*from && c->changes[*from - 1].time > time)
		--*from;
	while (*from < c->nchanges && c->changes[*from].time <= time)
		++*from;
	return *from ? c->changes[*from - 1].came : c->changes[0].left;
}

static void add_sample(struct spe_cpu *c, const struct spe_record *r, u64 time, struct thread who)
{
	struct hit *hit;

	if (who.pid == getpid()) {
		c->tally->own++;
		c->tally->taken++;
		return;
	}
	hit = merge_add(time, c->hit, c->row, c->tally);
	if (!hit)
		return;
	hit->pid = who.pid;
	hit->tid = who.tid;
	hit->cpu = (u32)c->cpu;
	hit->ip = r->pc;
	hit->user_mode = r->is_user;
	hit->data_addr = r->data_addr;
	hit->latency = r->total;
	hit->instruction_latency = r->total > r->issue ? (u64)(r->total - r->issue) : 0;
	hit->data_source = spe_data_src(r, c->midr);
}

/* The bytes of the AUX area from `from` on, in a row. */
static const u8 *linear(struct spe_cpu *c, u64 from, u64 n)
{
	u64 at = from % c->aux_bytes, first = n < c->aux_bytes - at ? n : c->aux_bytes - at;

	if (first == n)
		return c->aux + at;
	memcpy(c->linear, c->aux + at, first);
	memcpy(c->linear + first, c->aux, n - first);
	return c->linear;
}

/*
 * The record is written when the event is stopped, or before, when the area is full: then it says too
 * much, and what was known stays.
 */
static void compare_clocks(struct spe_cpu *c, u64 perf_clock)
{
	u64 later = c->stopped - perf_clock;

	if (!c->later || (s64)(later - c->later) < STOP_NS)
		c->later = later;
}

static void take_samples(struct spe_cpu *c, const struct perf_event_header *h)
{
	const struct { u64 offset, size, flags; } *aux = (const void *)(h + 1);
	const struct sample_id *id = id_of(h);
	const u8 *p, *end;
	struct spe_record r;
	u32 from = 0;
	int rc;

	if (h->size < sizeof(*h) + sizeof(*aux) + sizeof(*id) || aux->size > c->aux_bytes)
		return;
	compare_clocks(c, id->time);
	c->dropped |= (aux->flags & (PERF_AUX_FLAG_TRUNCATED | PERF_AUX_FLAG_COLLISION)) != 0;
	p = linear(c, aux->offset, aux->size);
	end = p + aux->size;
	while ((rc = spe_next(&p, end, aux->offset + aux->size, &r))) {
		u64 time = r.timestamp == SPE_UNTIMED ? id->time
						      : perf_time(c->ring.page, r.timestamp);

		time = time < id->time ? time : id->time;	/* rounding; none is of the future */
		if (rc < 0 || c->blind || (r.timestamp == SPE_UNTIMED && c->nchanges))
			c->tally->lost++;
		else
			add_sample(c, &r, time + c->later,
				   thread_at(c, time, (struct thread){ id->pid, id->tid }, &from));
	}
	while (p < end && !*p)
		p++;
	c->tally->lost += p < end;		/* one that is not whole */
	c->nchanges = 0;
	c->blind = 0;
}

static void read_cpu(struct spe_cpu *c)
{
	static u8 buf[65536] __attribute__((aligned(8)));
	struct perf_event_header *h;
	u64 head = perf_ring_head(&c->ring),
	    aux_head = __atomic_load_n(&c->ring.page->aux_head, __ATOMIC_ACQUIRE);

	while ((h = perf_ring_next(&c->ring, head, buf)))
		switch (h->type) {
		case PERF_RECORD_SWITCH_CPU_WIDE:
			take_change(c, h);
			break;
		case PERF_RECORD_AUX:
			take_samples(c, h);
			break;
		case PERF_RECORD_LOST:		/* AUX records among them, perhaps */
			c->blind = c->dropped = 1;
			break;
		}
	/* of what comes next, the event tells anew who is there */
	c->nchanges = 0;
	c->blind = 0;
	__atomic_store_n(&c->ring.page->aux_tail, aux_head, __ATOMIC_RELEASE);
}

void spe_source_read(int last)
{
	for (struct spe_cpu *c = cpus; c; c = c->next) {
		ioctl(c->ring.fd, PERF_EVENT_IOC_DISABLE, 0);
		c->stopped = time_mono();
		read_cpu(c);
		if (!last)
			ioctl(c->ring.fd, PERF_EVENT_IOC_ENABLE, 0);
	}
}

int spe_source_close(const void *row)
{
	struct spe_cpu **link = &cpus, *c;
	int dropped = 0;

	while ((c = *link)) {
		if (c->row != row) {
			link = &c->next;
			continue;
		}
		/* a CPU that came or went was not sampled all the time */
		dropped |= c->dropped || sysconf(_SC_NPROCESSORS_ONLN) != cpus_online;
		*link = c->next;
		drop(c);
	}
	return dropped;
}
