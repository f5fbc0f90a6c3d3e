/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture_samples.c - turns records into frames of the capture: processes and threads, samples, and
 * how long threads ran and waited.
 */
#include "record/capture_samples.h"

#include "lib/clock.h"
#include "lib/procstat.h"
#include "perf/records.h"
#include "record/record.h"
#include "record/stacks.h"
#include "symbolize/process.h"

#include <string.h>
#include <unistd.h>

#define BATCH	4096			/* samples in a frame */

struct thread {
	guint32	id;			/* in the capture */
	gint32	pid;
	char	name[16];
	guint64	since;			/* since when it runs, or waits */
	/* known: since is known; runs below 0: its next record decides */
	int	runs, known;
	int	gone;			/* it exited, but may still run for a while */
	guint32	node;			/* where it stopped; as in Samples.stack */
	enum stack_flaws flaws;
	guint64	on, off;
};

static struct capture_writer *writer;
static const struct record_options *opt;
static const GArray *events;
static GHashTable *threads;		/* tid to struct thread */
static GHashTable *processes;		/* pid to number plus one */
/* tid to name, of threads older than the recording; NULL: without -a */
static GHashTable *earlier;
static guint32 nthreads, nprocesses, blocked_event;
/* by CPU, event and clock: the smallest delay after a due time, plus one */
static guint64 *earliest;
static guint cpus;
static struct samples_books books;
static GArray *elapsed, *late, *weight, *thread_of, *cpu_of, *stack_of, *event_of, *cut_of,
	*uncertain_of;
static guint64 first_time, last_time;
static guint64 lost_by_rings;
static guint64 over = G_MAXUINT64;	/* end of the recording: later time is not counted */

/* ---- processes and threads -----------------------------------------------------*/

static void put(Cap__Frame__WhatCase what, void *message)
{
	Cap__Frame frame = CAP__FRAME__INIT;

	frame.what_case = what;
	frame.header = message;		/* members of the union are pointers */
	capture_put(writer, &frame);
}

/* 0: no such thread. */
static int read_name(gint32 pid, gint32 tid, char *name)
{
	char text[PROCSTAT_SIZE], *found;

	if (!procstat_read(pid, tid, text, &found))
		return 0;
	g_strlcpy(name, found, 16);
	return 1;
}

static void name_of(gint32 pid, gint32 tid, char *name)
{
	const char *known = earlier ? g_hash_table_lookup(earlier, GINT_TO_POINTER(tid)) : NULL;

	if (!tid)
		strcpy(name, "idle");
	else if (!read_name(pid, tid, name))
		g_strlcpy(name, known ? known : "?", 16);
}

static void note_name(gint32 pid, gint32 tid, const char *name)
{
	g_hash_table_insert(earlier, GINT_TO_POINTER(tid), g_strndup(name, 15));
}

/* Notes the names of all existing threads: one that exits soon is gone when its record is read. */
static void note_names(void)
{
	earlier = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	procstat_each_thread(note_name);
}

static guint32 process_new(gint32 pid, const char *name, guint64 time)
{
	Cap__Process m = CAP__PROCESS__INIT;

	m.pid = pid;
	m.name = (char *)name;
	m.start_ns = time;
	put(CAP__FRAME__WHAT_PROCESS, &m);
	g_hash_table_insert(processes, GINT_TO_POINTER(pid), GUINT_TO_POINTER(++nprocesses));
	return nprocesses - 1;
}

static guint32 process_id(gint32 pid, const char *name)
{
	gpointer id = g_hash_table_lookup(processes, GINT_TO_POINTER(pid));
	char leader[16];

	if (id)
		return GPOINTER_TO_UINT(id) - 1;
	name_of(pid, pid, leader);
	return process_new(pid, *leader == '?' ? name : leader, 0);
}

/* Each program and name that a thread has had gets its own thread frame. */
static void thread_show(struct thread *t, gint32 tid)
{
	Cap__Thread m = CAP__THREAD__INIT;

	t->id = nthreads++;
	m.process = process_id(t->pid, t->name);
	m.tid = tid;
	m.name = t->name;
	put(CAP__FRAME__WHAT_THREAD, &m);
}

static struct thread *thread_new(gint32 pid, gint32 tid, const char *name)
{
	struct thread *t = g_new0(struct thread, 1);

	t->pid = pid;
	g_strlcpy(t->name, name, sizeof(t->name));
	thread_show(t, tid);
	g_hash_table_replace(threads, GINT_TO_POINTER(tid), t);
	return t;
}

static struct thread *thread_get(gint32 pid, gint32 tid)
{
	struct thread *t = g_hash_table_lookup(threads, GINT_TO_POINTER(tid));
	char name[16];

	if (t && (!tid || t->pid == pid))
		return t;
	name_of(pid, tid, name);
	return thread_new(pid, tid, name);
}

static void wall_put(const struct thread *t)
{
	Cap__Wall m = CAP__WALL__INIT;

	m.thread = t->id;
	m.on_ns = t->on;
	m.off_ns = t->off;
	if (t->on || t->off)
		put(CAP__FRAME__WHAT_WALL, &m);
}

/* ---- samples -------------------------------------------------------------------*/

static void set_lost(guint64 lost)
{
	lost_by_rings = lost;
}

/* Reports losses early, for a reader of the growing capture. */
static void lost_put(void)
{
	static guint64 said;
	Cap__Lost m = CAP__LOST__INIT;

	m.lost = lost_by_rings;
	if (m.lost != said)
		put(CAP__FRAME__WHAT_LOST, &m);
	said = m.lost;
}

void samples_flush(void)
{
	Cap__Samples m = CAP__SAMPLES__INIT;
	gsize n = elapsed->len;

	stacks_flush();
	if (n) {
		m.time_ns = first_time;
		m.n_elapsed = m.n_thread = m.n_cpu = m.n_stack = m.n_event = m.n_weight = m.n_late =
			m.n_cut = m.n_uncertain = n;
		m.elapsed = (int64_t *)(void *)elapsed->data;
		m.thread = (uint32_t *)(void *)thread_of->data;
		m.cpu = (uint32_t *)(void *)cpu_of->data;
		m.stack = (uint32_t *)(void *)stack_of->data;
		m.event = (uint32_t *)(void *)event_of->data;
		m.weight = (uint64_t *)(void *)weight->data;
		m.late = (uint64_t *)(void *)late->data;
		m.cut = (protobuf_c_boolean *)(void *)cut_of->data;
		m.uncertain = (protobuf_c_boolean *)(void *)uncertain_of->data;
		put(CAP__FRAME__WHAT_SAMPLES, &m);
	}
	for (GArray **a = (GArray *[]){ elapsed, thread_of, cpu_of, stack_of, event_of, weight,
					late, cut_of, uncertain_of, NULL };
	     *a; a++)
		g_array_set_size(*a, 0);
	lost_put();
	capture_flush(writer);
}

static void sample_add(const struct record_sample *s, guint32 thread, guint32 node, guint64 amount,
		       guint64 lateness, enum stack_flaws flaws)
{
	protobuf_c_boolean is_cut = !!(flaws & STACK_CUT),
			   is_uncertain = !!(flaws & STACK_UNCERTAIN);
	gint64 step;

	if (!elapsed->len)
		first_time = last_time = s->time;
	step = (gint64)(s->time - last_time);
	last_time = s->time;
	g_array_append_val(elapsed, step);
	g_array_append_val(thread_of, thread);
	g_array_append_val(cpu_of, s->cpu);
	g_array_append_val(stack_of, node);
	g_array_append_val(event_of, s->event);
	g_array_append_val(weight, amount);
	g_array_append_val(late, lateness);
	g_array_append_val(cut_of, is_cut);
	g_array_append_val(uncertain_of, is_uncertain);
	books.samples++;
	if (elapsed->len == BATCH)
		samples_flush();
}

/*
 * A per-CPU clock ticks on a grid that starts when it is enabled, a little after s->since: the
 * smallest delay seen is the offset of the grid. A larger delay means that interrupts were off.
 * Returns 1 + delay in ns, or 0: not known.
 */
static guint64 lateness(const struct record_sample *s, const struct record_event *e)
{
	guint64 *best, at;

	if (!s->since || !e->nanoseconds || s->cpu >= cpus || s->time < s->since)
		return 0;
	best = &earliest[(s->cpu * events->len + s->event) * RECORD_CLOCKS + s->clock];
	at = (s->time - s->since) % s->due;
	if (!*best || at + 1 < *best)
		*best = at + 1;
	return at + 1 - *best + 1;
}

/*
 * The first record of a thread decides whether it ran or waited until then. A thread without
 * records waited.
 */
static void shown(struct thread *t, int runs)
{
	if (t->runs < 0)
		t->runs = runs;
}

static void take_sample(const struct record_sample *s)
{
	const struct record_event *e = &g_array_index(events, struct record_event, s->event);
	struct thread *t = thread_get(s->pid, s->tid);
	guint32 node;
	enum stack_flaws flaws;

	if (!e->blocked) {
		books.received++;
		books.idle += !s->tid;
		books.own += s->pid == getpid();
	}
	if (s->pid == getpid())
		return;
	node = stacks_take(s, &flaws);
	shown(t, 1);
	if (e->blocked) {
		t->node = node;
		t->flaws = flaws;
	} else {
		sample_add(s, t->id, node, s->period, lateness(s, e), flaws);
	}
}

/* ---- running and waiting ----------------------------------------------------------*/

static void settle(struct thread *t, guint64 time, guint32 cpu, gint32 tid)
{
	struct record_sample s = {
		.time = MIN(time, over), .tid = tid, .cpu = cpu, .event = blocked_event
	};
	guint64 span = s.time - t->since;

	if (!t->known || s.time <= t->since)
		return;
	if (t->runs > 0) {
		t->on += span;
	} else {
		t->off += span;
		sample_add(&s, t->id, t->node, span, 0, t->flaws);
	}
	t->since = s.time;
}

void samples_pause(guint64 time)
{
	GHashTableIter iter;
	gpointer tid, value;

	g_hash_table_iter_init(&iter, threads);
	while (g_hash_table_iter_next(&iter, &tid, &value)) {
		settle(value, time, 0, GPOINTER_TO_INT(tid));
		((struct thread *)value)->known = 0;
	}
	/* the grids restart */
	memset(earliest, 0, cpus * events->len * RECORD_CLOCKS * sizeof(*earliest));
}

void samples_end(guint64 time)
{
	over = time;
}

struct samples_books samples_sofar(void)
{
	return books;
}

static void becomes(struct thread *t, guint64 time, int runs)
{
	t->since = MIN(time, over);
	t->known = 1;
	t->runs = runs;
}

static void take_switch(guint64 time, gint32 pid, gint32 tid, int in, guint32 cpu)
{
	struct thread *t;

	if (tid <= 0 || pid == getpid())
		return;
	t = thread_get(pid, tid);
	if (t->gone)
		return;
	shown(t, !in);
	settle(t, time, cpu, tid);
	becomes(t, time, in);
}

/* ---- processes -----------------------------------------------------------------*/

static void comm(const guint32 *w, guint64 time, int exec)
{
	gint32 pid = (gint32)w[0], tid = (gint32)w[1];
	struct thread *t = thread_get(pid, tid);

	shown(t, 1);
	settle(t, time, 0, tid);
	wall_put(t);
	if (exec) {
		process_new(pid, (const char *)(w + 2), time);
		t->gone = 0;		/* exec by another thread: it has the leader's tid now */
	}
	g_strlcpy(t->name, (const char *)(w + 2), sizeof(t->name));
	t->on = t->off = 0;
	thread_show(t, tid);
	if (opt->off_cpu && exec)	/* it runs now */
		becomes(t, time, 1);
}

/* A new thread waits until it is first scheduled in. */
static void fork_of(const guint32 *w, guint64 time)
{
	gint32 pid = (gint32)w[0], ppid = (gint32)w[1], tid = (gint32)w[2], ptid = (gint32)w[3];
	const struct thread *parent = thread_get(ppid, ptid);
	char name[16];
	struct thread *t;

	memcpy(name, parent->name, sizeof(name));
	if (pid != ppid)
		process_new(pid, name, time);
	t = thread_new(pid, tid, name);
	books.threads++;
	if (opt->off_cpu)
		becomes(t, time, 0);
}

static void exit_of(const guint32 *w, guint64 time)
{
	gint32 tid = (gint32)w[2];
	struct thread *t = g_hash_table_lookup(threads, GINT_TO_POINTER(tid));

	if (!t)
		return;
	shown(t, 1);
	settle(t, time, 0, tid);
	wall_put(t);
	t->on = t->off = 0;
	t->known = 0;
	t->gone = 1;
}

static void phase_put(guint64 time, guint32 process, const char *name)
{
	Cap__Phase m = CAP__PHASE__INIT;

	samples_flush();
	m.time_ns = time;
	m.process = process;
	m.name = (char *)name;
	put(CAP__FRAME__WHAT_PHASE, &m);
}

/* A program's note: its phase, or the name of generated code or memory. */
static void note_of(const struct perf_event_header *h, guint64 time)
{
	const struct wire_note *note = (const struct wire_note *)(h + 1);

	if (note->kind == WIRE_NOTE_PHASE)
		phase_put(time, process_id(note->pid, "?"), (const char *)(note + 1));
	else
		records_apply(h, NULL);
	stacks_forget(note->pid);
}

/*
 * A thread's name in /proc. If it differs from the records', an exec or rename was not recorded.
 */
static void looked(const guint32 *w, guint64 time)
{
	const struct thread *t = g_hash_table_lookup(threads, GUINT_TO_POINTER(w[1]));
	int is_first = w[0] == w[1], is_other = t && strcmp(t->name, (const char *)(w + 2)) != 0;

	if (is_other)
		comm(w, time, is_first);
	if (is_first)
		process_look_again((gint32)w[0], is_other);
	stacks_forget((gint32)w[0]);
}

static void take_process(const struct perf_event_header *h, guint64 time, struct image *image)
{
	const guint32 *w = (const guint32 *)(h + 1);

	if (h->type == RECORDS_NOTE) {
		note_of(h, time);
		return;
	}
	if ((gint32)w[0] == getpid())
		return;
	if (h->type == RECORD_LOOKED) {
		looked(w, time);
		return;
	}
	if (h->type == PERF_RECORD_COMM)
		comm(w, time, !!(h->misc & PERF_RECORD_MISC_COMM_EXEC));
	else if (h->type == PERF_RECORD_FORK)
		fork_of(w, time);
	else if (h->type == PERF_RECORD_EXIT)
		exit_of(w, time);
	records_apply(h, image);
	stacks_forget((gint32)w[0]);
}

/* ---- whole ---------------------------------------------------------------------*/

const struct rings_reader samples_reader = { .sample = take_sample,
					     .process = take_process,
					     .switched = take_switch,
					     .lost = set_lost };

/* Threads that exist already: their first record decides whether they ran or waited until then. */
static void begin_threads(const GArray *pids, const GArray *tids, guint64 time)
{
	char path[64];

	for (guint i = 0; i < pids->len * tids->len; i++) {
		gint32 pid = g_array_index(pids, pid_t, i / tids->len),
		       tid = g_array_index(tids, pid_t, i % tids->len);

		g_snprintf(path, sizeof(path), "/proc/%d/task/%d", pid, tid);
		if (!access(path, F_OK))
			becomes(thread_get(pid, tid), time, -1);
	}
}

void samples_open(struct capture_writer *w, const struct record_options *options,
		  const GArray *list, const GArray *tids)
{
	writer = w;
	opt = options;
	events = list;
	cpus = (guint)sysconf(_SC_NPROCESSORS_CONF);
	earliest = g_new0(guint64, cpus * events->len * RECORD_CLOCKS);
	threads = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	processes = g_hash_table_new(NULL, NULL);
	blocked_event = events->len - 1;
	elapsed = g_array_new(FALSE, FALSE, sizeof(gint64));
	weight = g_array_new(FALSE, FALSE, sizeof(guint64));
	late = g_array_new(FALSE, FALSE, sizeof(guint64));
	thread_of = g_array_new(FALSE, FALSE, sizeof(guint32));
	cpu_of = g_array_new(FALSE, FALSE, sizeof(guint32));
	stack_of = g_array_new(FALSE, FALSE, sizeof(guint32));
	event_of = g_array_new(FALSE, FALSE, sizeof(guint32));
	cut_of = g_array_new(FALSE, FALSE, sizeof(protobuf_c_boolean));
	uncertain_of = g_array_new(FALSE, FALSE, sizeof(protobuf_c_boolean));
	stacks_open(w, opt->stacks);
	if (opt->all)
		note_names();
	if (opt->pids && opt->off_cpu)
		begin_threads(opt->pids, tids, clock_ns());
}

struct samples_books samples_close(guint64 end)
{
	GHashTableIter iter;
	gpointer tid, value;

	samples_pause(end);
	g_hash_table_iter_init(&iter, threads);
	while (g_hash_table_iter_next(&iter, &tid, &value))
		wall_put(value);
	samples_flush();
	return books;
}
