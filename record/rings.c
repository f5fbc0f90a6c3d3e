/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rings.c - the kernel's side of recording: one ring for each CPU, which all events of that CPU
 * write to, read in order of time.
 *
 * A round takes a clock value, reads all rings up to their heads, and handles what is older than
 * the clock value of the previous round: by then nothing older can arrive.
 */
#include "record/rings.h"

#include "lib/clock.h"
#include "lib/failure_error.h"
#include "lib/procstat.h"
#include "lib/verdict.h"
#include "perf/cpu_idle.h"
#include "perf/perf_regs.h"
#include "perf/perf_ring.h"
#include "perf/queue.h"
#include "perf/records.h"
#include "record/record.h"
#include "runtime/core/event_kind.h"
#include "runtime/core/vary.h"
#include "symbolize/chain.h"
#include "symbolize/generated.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define DWARF_STACK	(8192 - 512)	/* bytes of stack with each sample; a multiple of 8 */

struct opened {
	int	fd;
	guint32	event;			/* index in events; PROCESSES: only process records */
	guint64	id;			/* as in samples */
	/* when it was enabled; 0: it counts one thread, in that thread's own time */
	guint64	since;
	int	everywhere;
	int	cpu;
	int	owns;			/* the CPU's ring */
	int	gone;			/* closed, with its CPU */
	guint32	clock;			/* index among those that share the rate */
	guint64	period;			/* 0: each sample has its own */
	/*
	 * exited: count of the exited threads that inherited it; exited_samples: the samples due by
	 * that; taken: samples read; idle: of these, of the idle task; covered: sum of their
	 * periods.
	 */
	guint64	exited, exited_samples, taken, idle, covered;
	/* the CPU's idle time when it was opened; its time enabled at the last check */
	guint64	idle_since, enabled;
};
#define PROCESSES G_MAXUINT32
/* each starts with a whole period: with fewer clocks, more is seen of threads that exit soon */
#define CLOCKS_OF_THREAD 2
#define FOLLOW_NS 1000000000
/* a tick that is due so shortly before a thread exits may be too late */
#define LATE_NS 50000
#define PERIOD_SHORT 8			/* shorter periods are not varied */

static GArray *opened;			/* struct opened */
static GHashTable *opened_by_id;	/* its id, to its index in opened plus one */
static struct { guint64 id; guint at; } near[256];	/* the same of some, by the last bits of their ids */
static struct perf_ring *rings;		/* by CPU; fd < 0: it is offline */
static int nrings;
static struct queue waiting = { .item_bytes = sizeof(struct queued) };
static guint64 previous, lost, throttled;
static const GArray *events;
static const struct rings_reader *reader;
static int has_chain, has_cgroup;
static guint32 stack_bytes;		/* with each sample; 0: none, and no registers */
static guint64 regs_mask;
static struct perf_event_attr processes = { .type = PERF_TYPE_SOFTWARE,
					    .config = PERF_COUNT_SW_DUMMY };
static guint64 ring_bytes;
static struct vary random_periods;
static u64 *idle_now;			/* per CPU */
static struct rings_books settled = { .known = 1 };	/* of closed events */
static guint8 *unopened;		/* per CPU: its events could not be opened again, which was said */
static int is_on;

/* ---- opening -------------------------------------------------------------------*/

static int is_clock(const struct perf_event_attr *a)
{
	return event_is_clock(a->type, a->config);
}

/*
 * If a software event is asked for the period of each sample, the kernel samples every occurrence,
 * whatever the period is.
 */
static int says_period(const struct perf_event_attr *a)
{
	return a->type != PERF_TYPE_SOFTWARE || is_clock(a);
}

static void complete(struct perf_event_attr *a, const struct record_options *opt, int on_exec)
{
	a->size = sizeof(*a);
	a->sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			 PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;
	if (says_period(a))
		a->sample_type |= PERF_SAMPLE_PERIOD;
	if (has_chain) {
		a->sample_type |= PERF_SAMPLE_CALLCHAIN;
		a->exclude_callchain_user = opt->stacks == STACKS_DWARF;
	}
	if (has_cgroup)
		a->sample_type |= PERF_SAMPLE_CGROUP;
	if (stack_bytes) {
		a->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
		a->sample_regs_user = regs_mask;
		a->sample_stack_user = stack_bytes;
	}
	a->sample_id_all = 1;
	a->use_clockid = 1;
	a->clockid = CLOCK_MONOTONIC;
	a->watermark = 1;
	a->wakeup_watermark = (guint32)(opt->ring_bytes / 4);
	a->inherit = !opt->all;
	/* the count of each thread, from which the expected samples are computed */
	a->inherit_stat = a->inherit && a->sample_period > 1;
	a->disabled = 1;
	a->enable_on_exec = (unsigned)on_exec & 1;
}

static void add_opened(const struct opened *o)
{
	g_array_append_vals(opened, o, 1);
	g_hash_table_insert(opened_by_id, g_memdup2(&o->id, sizeof(o->id)), GUINT_TO_POINTER(opened->len));
}

/* The first event of a CPU owns the ring; the others write to it. */
static int open_one(const struct perf_event_attr *attr, pid_t tid, int cpu, guint32 event,
		    guint64 period, guint32 clock)
{
	struct perf_event_attr a = *attr;
	struct opened o = { .event = event,
			    .everywhere = tid < 0,
			    .cpu = cpu,
			    .clock = clock,
			    .period = a.freq ? 0 : period };
	struct perf_ring *ring = &rings[cpu];
	int rc = 0;

	if (!a.freq)
		a.sample_period = period;
	o.idle_since = idle_now[cpu];
	if (!ring->page) {
		rc = perf_ring_open(ring, &a, tid, cpu, -1, ring_bytes);
		o.fd = ring->fd;
		o.owns = 1;
	} else {
		o.fd = perf_ring_join(ring, &a, tid, cpu);
		rc = o.fd < 0 ? o.fd : 0;
	}
	if (rc)
		return rc;
	ioctl(o.fd, PERF_EVENT_IOC_ID, &o.id);
	add_opened(&o);
	return 0;
}

/*
 * Periods are random: several clocks share the rate of one; the period of any other event is up
 * to an eighth longer or shorter.
 */
static int open_clocks(const struct perf_event_attr *attr, pid_t tid, int cpu, guint32 event)
{
	u64 periods[RECORD_CLOCKS] = { attr->sample_period };
	guint32 n = event == PROCESSES || attr->freq || !is_clock(attr) ? 1
		    : tid < 0 ? RECORD_CLOCKS
		    : CLOCKS_OF_THREAD;
	int rc = 0;

	if (n > 1)
		vary_periods(&random_periods, attr->sample_period, n, periods);
	else if (!attr->freq && attr->sample_period >= PERIOD_SHORT)
		periods[0] = vary_run(&random_periods, attr->sample_period);
	for (guint32 i = 0; i < n && !rc; i++)
		rc = open_one(attr, tid, cpu, event, periods[i], i);
	return rc;
}

/* What opening says of a CPU that is offline, where the same has been opened on another. */
static int is_offline(int rc)
{
	return rc == -ENODEV || rc == -EINVAL;
}

static int open_cpus(const struct perf_event_attr *attr, pid_t tid, guint32 event)
{
	int done = 0;

	for (int cpu = 0; cpu < nrings; cpu++) {
		int rc = open_clocks(attr, tid, cpu, event);

		if (rc && rc != -ENODEV && !(done && is_offline(rc)))
			return rc;
		done += !rc;
	}
	return done ? 0 : -ENODEV;
}

static int open_event(struct perf_event_attr *attr, const GArray *tids, guint32 event)
{
	int rc = 0, alive = 0;

	if (!tids)
		return open_cpus(attr, -1, event);
	for (guint i = 0; i < tids->len; i++) {
		rc = open_cpus(attr, g_array_index(tids, pid_t, i), event);
		/* not root: user mode only */
		if (rc == -EACCES && !attr->exclude_kernel && !attr->exclude_user) {
			attr->exclude_kernel = 1;
			rc = open_cpus(attr, g_array_index(tids, pid_t, i), event);
		}
		if (rc && rc != -ESRCH)		/* a thread may exit meanwhile */
			return rc;
		alive += !rc;
	}
	return alive ? 0 : rc;
}

static void explain(int rc, const char *what, const char *instead, GError **error)
{
	char *level = NULL;

	if (rc == -EACCES || rc == -EPERM) {
		if (!g_file_get_contents("/proc/sys/kernel/perf_event_paranoid", &level, NULL,
					 NULL))
			level = g_strdup("unknown");
		g_set_error(
			error, FAILURE_ERROR, FAILURE_PERF_REFUSED,
			"%s: perf_event_open is refused (kernel.perf_event_paranoid is %s): run as root or "
			"with CAP_PERFMON, or %s",
			what, g_strchomp(level), instead);
		g_free(level);
	} else if (rc == -ESRCH) {
		g_set_error(error, FAILURE_ERROR, FAILURE_PROCESS_NONE, "%s: there is no such process",
			    what);
	} else if (rc == -EMFILE) {
		g_set_error(error, FAILURE_ERROR, FAILURE_RESOURCES,
			    "%s: too many open files: raise 'ulimit -n'", what);
	} else {
		g_set_error(error, FAILURE_ERROR, FAILURE_EVENT_NOT_HERE, "%s: perf_event_open: %s",
			    what, g_strerror(-rc));
	}
}

/* What only root may see is not sampled: the event is renamed, as if :u had been requested. */
static void name_own_code(struct record_event *e, int quiet)
{
	char *name = g_strconcat(e->name, ":u", NULL);

	if (!quiet)
		g_printerr(
			"lapwing record: '%s' is sampled as '%s': " VERDICT_KERNEL_NEEDS "\n",
			e->name, name);
	g_free(e->name);
	e->name = name;
}

int rings_open(const struct record_options *opt, const struct rings_reader *to,
	       const GArray *list, const GArray *tids, int on_exec, GError **error)
{
	int rc;

	reader = to;
	events = list;
	ring_bytes = opt->ring_bytes;
	random_periods = vary_seeded(clock_ns() ^ (guint64)getpid() << 32);
	has_chain = opt->stacks != STACKS_NONE || opt->off_cpu;
	stack_bytes = opt->stacks == STACKS_DWARF ? DWARF_STACK
		      : opt->stacks == STACKS_POINTERS ? CHAIN_STACK
		      : 0;
	regs_mask = opt->stacks == STACKS_DWARF ? perf_regs_mask() : perf_regs_frame_mask();
	nrings = (int)sysconf(_SC_NPROCESSORS_CONF);
	rings = g_new0(struct perf_ring, (gsize)nrings);
	idle_now = g_new0(u64, (gsize)nrings);
	unopened = g_new0(guint8, (gsize)nrings);
	idle_read(idle_now, nrings);
	opened = g_array_new(FALSE, TRUE, sizeof(struct opened));
	opened_by_id = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	has_cgroup = opt->cgroups;
	records_ask(&processes);
	/* the time enabled advances while its CPU is online */
	processes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED;
	do {
		processes.cgroup = (unsigned)has_cgroup & 1;
		complete(&processes, opt, on_exec);
		rc = open_event(&processes, tids, PROCESSES);
	} while (rc == -EINVAL && has_cgroup--);	/* Linux before 5.7, or without CGROUP_PERF */
	if (rc)
		explain(rc, tids ? "the processes' records" : "all processes' records",
			"profile a program of your own", error);
	for (guint i = 0; !rc && i < events->len; i++) {
		struct record_event *e = &g_array_index(events, struct record_event, i);
		int own_code = e->attr.exclude_kernel || e->blocked;

		complete(&e->attr, opt, on_exec);
		rc = open_event(&e->attr, tids, i);
		if (rc)
			explain(rc, e->name, "sample programs' own code (:u)", error);
		else if (e->attr.exclude_kernel && !own_code)
			name_own_code(e, opt->quiet);
	}
	previous = clock_ns();
	return rc;
}

void rings_switch(int on)
{
	is_on = on;
	for (guint i = 0; i < opened->len; i++) {
		struct opened *o = &g_array_index(opened, struct opened, i);

		if (o->gone)
			continue;
		if (o->everywhere)
			o->since = clock_ns();
		if (o->event != PROCESSES || on)
			ioctl(o->fd, on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
	}
}

/* ---- the books ------------------------------------------------------------------*/

/*
 * True if the count gives the expected number of samples. Clocks also count in modes that they
 * do not sample.
 */
static int is_countable(const struct perf_event_attr *a)
{
	return !is_clock(a) || (!a->exclude_user && !a->exclude_kernel);
}

/*
 * When an event is stopped, one sample of each remaining thread may be pending: it is not counted
 * as missing.
 */
static void settle(const struct opened *o, struct rings_books *books)
{
	const struct record_event *e =
		o->event == PROCESSES ? NULL
				      : &g_array_index(events, struct record_event, o->event);
	guint64 count, expected, missing, due;

	if (!e || e->blocked || o->gone)
		return;
	if (!is_countable(&e->attr) || read(o->fd, &count, sizeof(count)) != sizeof(count)) {
		books->known = 0;
		return;
	}
	if (o->period)
		expected = o->exited_samples +
			   (count > o->exited ? (count - o->exited) / o->period : 0);
	else
		expected =
			o->taken + (o->taken && count > o->covered
					    ? (count - o->covered) / MAX(o->covered / o->taken, 1)
					    : 0);
	missing = expected > o->taken + 1 ? expected - o->taken : 0;
	books->missing += missing;
	if (!o->everywhere || !is_clock(&e->attr) || !missing)
		return;
	due = idle_now[o->cpu] > o->idle_since ? (idle_now[o->cpu] - o->idle_since) / o->period : 0;
	books->asleep += idle_asleep(missing, due, o->idle);
}

/* ---- CPUs that go and come --------------------------------------------------------*/

/* perf removes events from a CPU that goes offline: their time enabled stops. */
static int is_alive(struct opened *o)
{
	guint64 now[2] = { 0 }, was = o->enabled;

	if (read(o->fd, now, sizeof(now)) == sizeof(now))
		o->enabled = now[1];
	return o->enabled > was;
}

/* The CPU's ring has been read to its end. */
static void close_cpu(int cpu)
{
	for (guint i = 0; i < opened->len; i++) {
		struct opened *o = &g_array_index(opened, struct opened, i);

		if (o->cpu != cpu || o->gone)
			continue;
		settle(o, &settled);
		o->gone = 1;
		if (!o->owns)
			close(o->fd);
	}
	if (rings[cpu].page)
		perf_ring_close(&rings[cpu]);
	rings[cpu].page = NULL;
}

static void keep(const struct perf_event_header *h, guint64 time);

static guint64 look_began;

/* What was recorded since it began is newer than what is read. */
static void keep_looked(gint32 pid, gint32 tid, const char *name)
{
	struct {
		struct perf_event_header h;
		guint32	pid, tid;
		char	name[16];
	} looked = { .h = { .type = RECORD_LOOKED, .size = sizeof(looked) },
		     .pid = (guint32)pid,
		     .tid = (guint32)tid };

	g_strlcpy(looked.name, name, sizeof(looked.name));
	keep(&looked.h, look_began);
}

/* The CPU is not sampled until its events can be opened: follow_cpus() tries it. */
static void reopen_failed(int cpu, int rc)
{
	settled.refused++;
	if (!unopened[cpu])
		g_printerr("lapwing: CPU %d is not sampled until its events can be opened again: %s\n", cpu,
			   g_strerror(-rc));
	unopened[cpu] = 1;
}

static int open_events(int cpu)
{
	int rc = 0;

	for (guint i = 0; !rc && i < events->len; i++)
		rc = open_clocks(&g_array_index(events, struct record_event, i).attr, -1, cpu, i);
	return rc;
}

/* Forgets events that were opened and not enabled, from the first on: those of a CPU. */
static void take_back(guint first, int cpu)
{
	for (guint i = first; i < opened->len; i++) {
		const struct opened *o = &g_array_index(opened, struct opened, i);

		if (!o->owns)
			close(o->fd);
		g_hash_table_remove(opened_by_id, &o->id);
	}
	g_array_set_size(opened, first);
	if (rings[cpu].page)
		perf_ring_close(&rings[cpu]);
	rings[cpu].page = NULL;
}

/* Whether its events are open now. */
static int open_cpu(int cpu)
{
	guint first = opened->len;
	int rc = open_clocks(&processes, -1, cpu, PROCESSES);

	if (is_offline(rc))
		return 0;
	rc = rc ? rc : open_events(cpu);
	if (rc) {
		take_back(first, cpu);
		reopen_failed(cpu, rc);
		return 0;
	}
	if (unopened[cpu])
		g_printerr("lapwing: CPU %d is sampled again\n", cpu);
	unopened[cpu] = 0;
	for (guint i = first; i < opened->len; i++) {
		struct opened *o = &g_array_index(opened, struct opened, i);

		o->since = clock_ns();
		if (is_on || o->event == PROCESSES)
			ioctl(o->fd, PERF_EVENT_IOC_ENABLE, 0);
	}
	return 1;
}

/* Those that the processes' records belong to stay open: nothing of those is missed. */
static void close_events(void)
{
	GArray *all = opened;

	opened = g_array_new(FALSE, TRUE, sizeof(struct opened));
	g_hash_table_remove_all(opened_by_id);
	memset(near, 0, sizeof(near));
	for (guint i = 0; i < all->len; i++) {
		struct opened *o = &g_array_index(all, struct opened, i);

		if (o->event == PROCESSES) {
			add_opened(o);
		} else if (!o->gone) {
			settle(o, &settled);
			close(o->fd);
		}
	}
	g_array_unref(all);
}

void rings_reopen(void)
{
	guint first;

	close_events();
	first = opened->len;
	for (int cpu = 0; cpu < nrings; cpu++) {
		int rc = rings[cpu].page ? open_events(cpu) : 0;

		if (!rc)
			continue;
		close_cpu(cpu);
		if (!is_offline(rc))
			reopen_failed(cpu, rc);
	}
	for (guint i = first; i < opened->len; i++)
		g_array_index(opened, struct opened, i).since = clock_ns();
}

/* Once a second, with -a: closes events of offline CPUs, opens those of new CPUs, where programs may have begun. */
static void follow_cpus(guint64 now)
{
	static guint64 looked;
	int came = 0;

	if (now - looked < FOLLOW_NS || !opened->len ||
	    !g_array_index(opened, struct opened, 0).everywhere)
		return;
	looked = now;
	for (int cpu = 0; cpu < nrings; cpu++) {
		struct opened *told = NULL;

		for (guint i = 0; i < opened->len && !told; i++) {
			struct opened *o = &g_array_index(opened, struct opened, i);

			told = o->event == PROCESSES && o->cpu == cpu && !o->gone ? o : NULL;
		}
		if (told && is_alive(told))
			continue;
		idle_read(idle_now, nrings);
		if (told)
			close_cpu(cpu);
		came += open_cpu(cpu);
	}
	look_began = clock_ns();
	if (came)
		procstat_each_thread(keep_looked);
}

/* ---- reading -------------------------------------------------------------------*/

/* All records end with: u32 pid, tid; u64 time; u32 cpu, unused; u64 id. */
#define TRAILER 32

static void keep(const struct perf_event_header *h, guint64 time)
{
	if (!queue_add_record(&waiting, time, h))
		lost++;
}

/* Its number plus one; 0: none. The kernel numbers events one after the other: most are near. */
static guint number_of(guint64 id)
{
	guint slot = id % G_N_ELEMENTS(near);

	if (!near[slot].at || near[slot].id != id) {
		near[slot].id = id;
		near[slot].at = GPOINTER_TO_UINT(g_hash_table_lookup(opened_by_id, &id));
	}
	return near[slot].at;
}

static struct opened *opened_of(guint64 id)
{
	guint at = number_of(id);

	return at ? &g_array_index(opened, struct opened, at - 1) : NULL;
}

/* Id, ip, pid and tid, time, cpu; if present, the period. */
static void take_sample(const struct perf_event_header *h, const guint64 *word)
{
	struct opened *o = opened_of(word[0]);

	if (o) {
		o->taken++;
		o->idle += !(guint32)word[2];
		o->covered += o->period || h->size < sizeof(*h) + 48 ? 0 : word[5];
	}
	keep(h, word[3]);
}

/* PERF_RECORD_READ: pid and tid, the count, and the trailer. */
static void take_exit_count(const struct perf_event_header *h, const guint64 *word)
{
	struct opened *o =
		opened_of(*(const guint64 *)(const void *)((const guint8 *)h + h->size - 8));
	guint64 late;

	if (!o || !o->period || o->event == PROCESSES)
		return;
	late = is_clock(&g_array_index(events, struct record_event, o->event).attr) ? LATE_NS : 0;
	o->exited += word[1];
	o->exited_samples += (word[1] - MIN(word[1], late)) / o->period;
}

static void take_record(const struct perf_event_header *h)
{
	const guint64 *word = (const guint64 *)(h + 1);

	switch (h->type) {
	case PERF_RECORD_LOST:
		lost += h->size >= sizeof(*h) + 16 ? word[1] : 0;
		break;
	case PERF_RECORD_LOST_SAMPLES:
		lost += h->size >= sizeof(*h) + 8 ? word[0] : 0;
		break;
	case PERF_RECORD_THROTTLE:
		throttled++;
		break;
	case PERF_RECORD_SAMPLE:
		if (h->size >= sizeof(*h) + 40)
			take_sample(h, word);
		break;
	case PERF_RECORD_READ:
		if (h->size >= sizeof(*h) + 16 + TRAILER)
			take_exit_count(h, word);
		break;
	case PERF_RECORD_MMAP2:
	case PERF_RECORD_COMM:
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
	case PERF_RECORD_CGROUP:
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		if (h->size >= sizeof(*h) + TRAILER)
			keep(h, *(const guint64 *)((const guint8 *)h + h->size - TRAILER + 8));
		break;
	}
}

void rings_note(const struct wire_note *note, guint32 len)
{
	queue_add_note(&waiting, note, len);
}

/*
 * ABI (0: none; only the 64-bit one is used), registers; size of the stack, its bytes, how many of
 * them are valid. left: words at w.
 */
static void take_stack(struct record_sample *s, const guint64 *w, gsize left)
{
	gsize nregs = (gsize)__builtin_popcountll(regs_mask);
	guint64 room, have;

	if (left < nregs + 2 || w[0] != PERF_SAMPLE_REGS_ABI_64)
		return;
	s->regs_mask = regs_mask;
	room = w[1 + nregs];
	if (room & 7 || (room && (left == nregs + 2 || room / 8 > left - nregs - 3)))
		return;
	/* for a thread without user memory the size is 0, and no number of valid bytes follows */
	have = room ? w[2 + nregs + room / 8] : 0;
	s->regs = w + 1;
	s->stack = (const guint8 *)(w + 2 + nregs);
	s->stack_bytes = (guint32)MIN(have, room);
}

static void handle_sample(const struct perf_event_header *h)
{
	const guint64 *w = (const guint64 *)(h + 1);
	const struct opened *o = opened_of(w[0]);
	const struct record_event *e =
		o && o->event != PROCESSES ? &g_array_index(events, struct record_event, o->event)
					   : NULL;
	gsize fixed = 5 + (!e || says_period(&e->attr)), left = (h->size - sizeof(*h)) / 8 - fixed;
	struct record_sample s = {
		.event = o ? o->event : PROCESSES,
		.since = o ? o->since : 0,
		.ip = w[1],
		.pid = (gint32)w[2],
		.tid = (gint32)(w[2] >> 32),
		.time = w[3],
		.cpu = (guint32)w[4],
		.period = e && fixed > 5 && h->size >= sizeof(*h) + 48 ? w[5]
			  : o ? o->period
			  : 0,
		.kernel = (h->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL,
	};

	if (has_cgroup && left) {
		left--;
		s.cgroup = w[(h->size - sizeof(*h)) / 8 - 1];
	}
	if (o && o->everywhere && o->period)
		s.due = o->period;
	if (e && is_clock(&e->attr)) {
		s.period = e->period;		/* what it stands for: clocks share the rate */
		s.clock = o->clock;
	}
	w += fixed;
	if (has_chain && left && *w < left) {
		s.nchain = *w;
		s.chain = w + 1;
		left -= s.nchain + 1;
		w += s.nchain + 1;
	}
	if (stack_bytes)
		take_stack(&s, w, left);
	if (s.event != PROCESSES)
		reader->sample(&s);
}

static void handle(void *item)
{
	const struct queued *w = item;
	const struct perf_event_header *h = w->record;
	const guint32 *who = (const guint32 *)((const guint8 *)h + h->size - TRAILER);

	if (h->type == PERF_RECORD_SAMPLE)
		handle_sample(h);
	else if (h->type == PERF_RECORD_SWITCH || h->type == PERF_RECORD_SWITCH_CPU_WIDE)
		reader->switched(w->time, (gint32)who[0], (gint32)who[1],
				 !(h->misc & PERF_RECORD_MISC_SWITCH_OUT), who[4]);
	else
		reader->process(h, w->time, w->image);
}

void rings_round(int last)
{
	static guint8 buf[65536] __attribute__((aligned(8)));
	guint64 now = clock_ns();
	struct perf_event_header *h;

	for (int cpu = 0; cpu < nrings; cpu++)
		if (rings[cpu].page)
			for (guint64 head = perf_ring_head(&rings[cpu]);
			     (h = perf_ring_next(&rings[cpu], head, buf));)
				take_record(h);
	reader->lost(lost);
	queue_handle(&waiting, last ? G_MAXUINT64 : previous, handle);
	generated_free_replaced();
	previous = now;
	if (!last)
		follow_cpus(now);
}

int rings_wait(int fd, int ms)
{
	struct pollfd *fds = g_new0(struct pollfd, (gsize)nrings + 1);
	int n = 0, has;

	fds[n++] = (struct pollfd){ .fd = fd, .events = POLLIN };
	for (int cpu = 0; cpu < nrings; cpu++)
		if (rings[cpu].page)
			fds[n++] = (struct pollfd){ .fd = rings[cpu].fd, .events = POLLIN };
	has = poll(fds, (nfds_t)n, ms) > 0 && fds[0].revents;
	g_free(fds);
	return has;
}

/* ---- the end -------------------------------------------------------------------*/

void rings_stop(void)
{
	rings_switch(0);
	idle_read(idle_now, nrings);
}

void rings_settle(struct rings_books *books)
{
	*books = settled;
	for (guint i = 0; i < opened->len; i++)
		settle(&g_array_index(opened, struct opened, i), books);
	books->throttled = throttled;
}

void rings_sofar(struct rings_books *books)
{
	idle_read(idle_now, nrings);
	rings_settle(books);
}

guint64 rings_lost(void)
{
	return lost;
}

void rings_close(void)
{
	for (guint i = 0; i < opened->len; i++)
		if (!g_array_index(opened, struct opened, i).owns &&
		    !g_array_index(opened, struct opened, i).gone)
			close(g_array_index(opened, struct opened, i).fd);
	for (int cpu = 0; cpu < nrings; cpu++)
		if (rings[cpu].page)
			perf_ring_close(&rings[cpu]);
	g_hash_table_destroy(opened_by_id);
	g_array_free(opened, TRUE);
	queue_clear(&waiting);
	g_free(rings);
}
