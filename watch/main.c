/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * main.c - lapwing-watch, which `lapwing watch` runs: samples the whole machine for as long as one
 * likes, and counts what is alike in memory (counts.h): where the program was, or the whole stack,
 * by unit (units.h) and event. Each epoch goes to a store (keeper.h), or all to one capture, whose
 * size is that of the code that ran, not of the time.
 */
#include "lib/clock.h"
#include "lib/counters.h"
#include "lib/failure_error.h"
#include "lib/option.h"
#include "record/capture_ends.h"
#include "perf/records.h"
#include "record/events.h"
#include "record/naming.h"
#include "record/rings.h"
#include "record/stacks.h"
#include "symbolize/generated.h"
#include "symbolize/process.h"
#include "watch/counts.h"
#include "watch/snapshot.h"
#include "watch/keeper.h"
#include "watch/status.h"
#include "watch/units.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#define FREQUENCY	97	/* a prime, so that it does not run in step with what it samples */
#define ROUND_MS	200
#define RING_BYTES	(256u << 10)
#define SWEEP_NS	10000000000
#define EPOCH_S		600
#define STORE_MB	64

static const char who[] = "lapwing watch";
static volatile sig_atomic_t stop_asked, naming_stopped;
static struct counts counts;
static struct handled handled;
static enum data_form form;	/* of --status */

static void on_signal(int number)
{
	naming_stopped = stop_asked != 0;
	stop_asked = number;
}

/* ---- options -------------------------------------------------------------------*/

struct asked {
	struct record_options opt;
	int		rate, with_stacks, epoch_s, status;
	double		most;		/* MB */
	const char	*db;
};

#define OPTION_INTO struct asked
static const struct option_row rows[] = {
	TEXT(0, "db", "FILE", "the store (default: watch.db below /var/lib or in your home)", db)
	DECIMAL(0, "max-size", "MB", 1, 1e6, "the store never has more (default: 64)", most)
	NUMBER(0, "epoch", "SECONDS", 1, 86400, "what is stored at a time (default: 600)", epoch_s)
	TEXT('o', "output", "FILE", "instead: what was counted, as one capture, at the end",
	     opt.output)
	NUMBER('F', "frequency", "HZ", 1, 100000, "samples a second of each CPU (default: 97)",
	       rate)
	LIST('e', "event", "EVENT",
	     "what to sample (default: cycles, or the clock where none are counted); repeatable",
	     opt.events)
	FLAG('g', "stacks", "with -o: by call stack, found by frame pointers", with_stacks)
	DECIMAL('d', "duration", "SECONDS", 0, 1e9, "end after so many seconds", opt.seconds)
	FLAG('q', "quiet", "only errors on stderr", opt.quiet)
	FLAG(0, "status", "instead: what the store has, cost and does not know", status)
	{ .kind = OPTION_END },
};

static int has_cycles(void)
{
	struct counter cycles = { .name = "cycles",
				  .type = PERF_TYPE_HARDWARE,
				  .config = { PERF_COUNT_HW_CPU_CYCLES },
				  .period = 1000000 };

	return counters_try(&cycles, 1, 0) == 1;
}

/* 0, or -1 with the exit status. */
static int parse(struct asked *a, int argc, char **argv, int *status)
{
	static const char *of_cycles[] = { "cycles", NULL };
	const struct option_table tables[] = { { rows, a }, { data_options, &form }, { NULL, NULL } };
	const struct option_program program = {
		.name = who,
		.usage = "[options]",
		.what = "Samples the whole machine, and counts in memory where the samples are.",
		.more = "Ends after -d or on Ctrl-C; 'lapwing report --db' shows what was stored,\n"
			"'lapwing report FILE' a capture.",
		.tables = tables,
		.wrong = 2,
	};
	int i = option_parse(&program, argc, argv, status);

	if (i < 0)
		return -1;
	*status = 2;
	if (argv[i])
		return option_fail(FAILURE_ARGUMENTS,
				   "'%s': it samples the whole machine and runs no command; "
				   "'lapwing record' does",
				   argv[i]);
	if (form && !a->status)
		return option_fail(FAILURE_OPTION_CONFLICT, "--json and --csv go with --status: 'lapwing report --db' has them for the rest");
	if (!(a->opt.seconds > 0))
		return option_fail(FAILURE_OPTION_VALUE, "-d takes seconds: 0.5, say");
	if (a->with_stacks && !a->opt.output)
		return option_fail(FAILURE_OPTION_CONFLICT,
				   "-g needs -o FILE: a store counts instructions, not stacks");
	if (a->db && a->opt.output)
		return option_fail(FAILURE_OPTION_CONFLICT, "--db and -o: only one of them");
	a->opt.frequency = (guint64)a->rate;
	a->opt.stacks = a->with_stacks ? STACKS_POINTERS : STACKS_NONE;
	if (!a->opt.events && !a->status && has_cycles())
		a->opt.events = of_cycles;
	return 0;
}

/* ---- samples -------------------------------------------------------------------*/

static void take_sample(const struct record_sample *s)
{
	enum stack_flaws flaws;
	struct count_key key = { .stack = stacks_take(s, &flaws),
				 .unit = units_of(s->pid, s->cgroup),
				 .event = (guint16)s->event };

	key.flaws = (guint16)flaws;
	handled.received++;
	handled.idle += !s->tid;
	counts_add(&counts, key, s->period);
}

static void take_process(const struct perf_event_header *h, guint64 time, struct image *image)
{
	const gint32 *w = (const gint32 *)(h + 1);

	units_process(h);
	if (h->type == RECORD_LOOKED || h->type == PERF_RECORD_CGROUP)
		return;
	records_apply(h, image);
	stacks_forget(w[0]);
}

static void take_switch(guint64 time, gint32 pid, gint32 tid, int in, guint32 cpu) {}
static void take_lost(guint64 lost) {}

static const struct rings_reader reader = { .sample = take_sample,
					    .process = take_process,
					    .switched = take_switch,
					    .lost = take_lost };

/* until: in us of g_get_monotonic_time(). */
static void sample_until(gint64 until)
{
	static guint64 swept;
	gint64 left;

	while (!stop_asked && (left = until - g_get_monotonic_time()) > 0) {
		rings_wait(-1, (int)MIN(ROUND_MS, left / 1000 + 1));
		rings_round(0);
		if (clock_ns() - swept > SWEEP_NS) {
			units_sweep();
			swept = clock_ns();
		}
	}
}

static gint64 end_of(const struct record_options *opt)
{
	return g_get_monotonic_time() + (gint64)MIN(opt->seconds * 1e6, (double)(G_MAXINT64 / 2));
}

/* ---- the store -----------------------------------------------------------------*/

/* Of the books since the start, what earlier epochs have; lost samples are never taken back. */
static struct { guint64 lost, asleep, throttled, own_cpu; } told;

static guint64 since(guint64 *before, guint64 now)
{
	guint64 new = now > *before ? now - *before : 0;

	*before += new;
	return new;
}

static struct store_books books_of_epoch(void)
{
	struct rings_books rings;
	struct store_books b = { .received = handled.received, .idle = handled.idle };

	rings_sofar(&rings);
	b.lost = since(&told.lost, capture_lost(&rings));
	b.asleep = since(&told.asleep, rings.asleep);
	b.throttled = since(&told.throttled, rings.throttled);
	b.own_cpu = since(&told.own_cpu, capture_cpu(RUSAGE_SELF) + capture_cpu(RUSAGE_CHILDREN));
	b.expected = b.received + b.lost + b.asleep;
	b.unknown = !rings.known;
	return b;
}

/*
 * An epoch is over that began at these times, ns: with and without those in which the machine slept.
 * When that was is told from its end: the wall clock may have been set meanwhile.
 */
static void end_epoch(const GArray *chosen, guint64 boot, guint64 monotonic)
{
	struct store_epoch *e = snapshot_take(&counts, chosen);

	e->covered = clock_ns() - monotonic;
	e->end = (gint64)clock_of(CLOCK_REALTIME);
	e->start = e->end - (gint64)(clock_of(CLOCK_BOOTTIME) - boot);
	e->books = books_of_epoch();
	keeper_give(e);
	counts_clear(&counts);
	stacks_clear();
	units_clear();
	process_sweep();
	handled = (struct handled){ 0 };
}

static int store_until_done(const struct asked *a, const GArray *chosen)
{
	gint64 end = end_of(&a->opt);
	guint64 boot, monotonic;
	guint left;

	while (!stop_asked && g_get_monotonic_time() < end) {
		boot = clock_of(CLOCK_BOOTTIME);
		monotonic = clock_ns();
		sample_until(MIN(end, g_get_monotonic_time() + a->epoch_s * G_GINT64_CONSTANT(1000000)));
		if (stop_asked || g_get_monotonic_time() >= end) {
			rings_stop();
			rings_round(1);
		}
		end_epoch(chosen, boot, monotonic);
	}
	left = keeper_close();
	if (left)
		return option_fail(FAILURE_FILE_WRITE, "%u epochs could not be stored", left);
	return 0;
}

/* ---- the capture ---------------------------------------------------------------*/

static void put(struct capture_writer *w, Cap__Frame__WhatCase what, void *message)
{
	Cap__Frame frame = CAP__FRAME__INIT;

	frame.what_case = what;
	frame.header = message;		/* members of the union are pointers */
	capture_put(w, &frame);
}

/* A unit is a process, with one thread of the same number. */
static void put_units(struct capture_writer *w)
{
	for (guint32 i = 0; i < units_count(); i++) {
		const struct unit *u = units_at(i);
		Cap__Process process = CAP__PROCESS__INIT;
		Cap__Thread thread = CAP__THREAD__INIT;

		process.name = thread.name = (char *)u->name;
		process.cgroup = (char *)u->cgroup;
		thread.process = i;
		thread.tid = strcmp(u->name, "idle") ? -1 : 0;
		put(w, CAP__FRAME__WHAT_PROCESS, &process);
		put(w, CAP__FRAME__WHAT_THREAD, &thread);
	}
}

/* Columns of a frame of samples, all alike in time. */
struct columns {
	int64_t		*elapsed;
	uint32_t	*thread, *cpu, *stack, *event;
	uint64_t	*weight, *late, *count;
	protobuf_c_boolean *cut, *uncertain;
	gsize		n;
};
#define BATCH	4096

static void put_samples(struct capture_writer *w, struct columns *c, guint64 time)
{
	Cap__Samples m = CAP__SAMPLES__INIT;

	m.time_ns = time;
	m.n_elapsed = m.n_thread = m.n_cpu = m.n_stack = m.n_event = m.n_weight = m.n_late =
		m.n_cut = m.n_uncertain = m.n_count = c->n;
	m.elapsed = c->elapsed;
	m.thread = c->thread;
	m.cpu = c->cpu;
	m.stack = c->stack;
	m.event = c->event;
	m.weight = c->weight;
	m.late = c->late;
	m.cut = c->cut;
	m.uncertain = c->uncertain;
	m.count = c->count;
	if (c->n)
		put(w, CAP__FRAME__WHAT_SAMPLES, &m);
	c->n = 0;
}

static void put_counts(struct capture_writer *w, guint64 time)
{
	static int64_t elapsed[BATCH];
	static uint32_t thread[BATCH], cpu[BATCH], stack[BATCH], event[BATCH];
	static uint64_t weight[BATCH], late[BATCH], count[BATCH];
	static protobuf_c_boolean cut[BATCH], uncertain[BATCH];
	struct columns c = { elapsed, thread, cpu, stack, event, weight, late, count, cut, uncertain, 0 };

	for (const struct count_row *r = counts_next(&counts, NULL); r; r = counts_next(&counts, r)) {
		thread[c.n] = r->key.unit;
		stack[c.n] = r->key.stack;
		event[c.n] = r->key.event;
		weight[c.n] = r->weight;
		count[c.n] = r->count;
		cut[c.n] = !!(r->key.flaws & STACK_CUT);
		uncertain[c.n] = !!(r->key.flaws & STACK_UNCERTAIN);
		if (++c.n == BATCH)
			put_samples(w, &c, time);
	}
	put_samples(w, &c, time);
}

/* What is known of the capture's size, before its names; 0, or -1, reported. */
static int finish(const struct record_options *opt, struct capture_writer *w, guint64 begin)
{
	guint64 end = clock_ns(), bytes;
	struct rings_books rings;
	GError *error = NULL;
	Cap__Books books;

	rings_stop();
	rings_round(1);
	rings_settle(&rings);
	books = capture_books(&rings, &handled, end, capture_cpu(RUSAGE_SELF));
	put_units(w);
	stacks_flush();
	put_counts(w, begin);
	capture_put_books(w, &books, 1);
	if (!capture_flush(w) && !naming_put(w, opt->quiet, &naming_stopped))
		capture_put_books(w, &books, 0);
	bytes = capture_bytes(w);
	rings_close();
	if (capture_close(w, &error))
		return failure_report(who, error);
	if (!opt->quiet)
		g_printerr("lapwing watch: %" G_GUINT64_FORMAT " samples in %u rows%s in '%s' (%.1f MB)\n",
			   handled.received, counts.used,
			   books.lost ? " (PARTIAL: some were lost, the report says how many)" : "",
			   opt->output, (double)bytes / 1e6);
	return 0;
}

/* Sampling begins. */
static void begin(const struct record_options *opt, struct capture_writer *w)
{
	stacks_open(w, opt->stacks);
	units_open();
	rings_switch(1);
	process_each_there(process_look);
	process_each_there(units_look);
}

static int run_capture(const struct record_options *opt, const GArray *chosen, GError **error)
{
	struct capture_writer *w;
	Cap__Header *header;
	guint64 start;

	w = capture_create(opt->output, error);
	if (!w)
		return 1;
	header = capture_header();
	header->system_wide = 1;
	start = header->start_ns;
	capture_put_header(w, header, chosen);
	begin(opt, w);
	capture_flush(w);
	sample_until(end_of(opt));
	return finish(opt, w, start) ? 1 : 0;
}

static char *store_path(const struct asked *a)
{
	return a->db ? g_strdup(a->db) : store_default_path();
}

static int run_status(const struct asked *a)
{
	char *path = store_path(a);
	int status = status_print(who, path, form);

	g_free(path);
	return status;
}

static int run_store(const struct asked *a, const GArray *chosen, GError **error)
{
	char *path = store_path(a);
	int rc = keeper_open(path, (guint64)(a->most * 1e6), error);

	if (!rc) {
		begin(&a->opt, NULL);
		if (!a->opt.quiet)
			g_printerr("lapwing watch: samples go to '%s', every %d s; Ctrl-C ends it\n", path,
				   a->epoch_s);
		rc = store_until_done(a, chosen);
		rings_close();
	}
	g_free(path);
	return rc ? 1 : 0;
}

static int run(const struct asked *a, GError **error)
{
	GArray *chosen = events_choose(&a->opt, error);

	if (!chosen || rings_open(&a->opt, &reader, chosen, NULL, 0, error))
		return 1;
	return a->opt.output ? run_capture(&a->opt, chosen, error) : run_store(a, chosen, error);
}

int main(int argc, char **argv)
{
	struct asked asked = { .opt = { .seconds = G_MAXDOUBLE, .all = 1, .cgroups = 1,
					.ring_bytes = RING_BYTES },
			       .rate = FREQUENCY,
			       .epoch_s = EPOCH_S,
			       .most = STORE_MB };
	const struct sigaction action = { .sa_handler = on_signal };
	GError *error = NULL;
	int status;

	if (parse(&asked, argc, argv, &status))
		return status;
	if (asked.status)
		return run_status(&asked);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	status = run(&asked, &error);
	return error ? failure_report(who, error) : status;
}
