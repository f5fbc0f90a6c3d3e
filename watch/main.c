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
#include "record/events.h"
#include "record/naming.h"
#include "record/rings.h"
#include "record/stacks.h"
#include "symbolize/generated.h"
#include "watch/epochs.h"
#include "watch/keeper.h"
#include "watch/kernel_map.h"
#include "watch/sampling.h"
#include "watch/status.h"
#include "watch/units.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#define FREQUENCY	97	/* a prime, so that it does not run in step with what it samples */
#define RING_BYTES	(256u << 10)
#define EPOCH_S		600
#define STORE_MB	64

static const char who[] = "lapwing watch";
static volatile sig_atomic_t naming_stopped;
static enum data_form form;	/* of --status */

static void on_signal(int number)
{
	naming_stopped = sampling_stopped != 0;
	sampling_stopped = number;
}

/* ---- options -------------------------------------------------------------------*/

struct asked {
	struct record_options opt;
	int		rate, with_stacks, epoch_s, status;
	double		most, budget;	/* MB; percent of a CPU */
	const char	*db, *budget_text;
};

#define OPTION_INTO struct asked
static const struct option_row rows[] = {
	TEXT(0, "db", "FILE", "the store (default: watch.db below /var/lib or in your home)", db)
	DECIMAL(0, "max-size", "MB", 1, 1e6, "the store never has more (default: 64)", most)
	NUMBER(0, "epoch", "SECONDS", 1, 86400, "what is stored at a time (default: 600)", epoch_s)
	TEXT(0, "budget", "PERCENT", "of one CPU that it may take itself: the rate falls to keep it", budget_text)
	TEXT('o', "output", "FILE", "instead: what was counted, as one capture, at the end",
	     opt.output)
	NUMBER('F', "frequency", "HZ", 1, 100000, "samples a second of each CPU (default: 97)",
	       rate)
	LIST('e', "event", "EVENT",
	     "what to sample (default: cycles, or the clock where none are counted); repeatable",
	     opt.events)
	FLAG('g', "stacks", "by call stack, found by frame pointers", with_stacks)
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

/* "0.5%", "0.5"; 0, or -1. */
static int parse_percent(const char *text, double *percent)
{
	char *end;

	*percent = g_ascii_strtod(text, &end);
	return *percent > 0 && *percent <= 100 && end != text && (!*end || !strcmp(end, "%")) ? 0 : -1;
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
	if (a->budget_text && (parse_percent(a->budget_text, &a->budget) || a->opt.output))
		return option_fail(FAILURE_OPTION_VALUE, "--budget takes a share of one CPU, of a store: 0.5%%");
	if (a->db && a->opt.output)
		return option_fail(FAILURE_OPTION_CONFLICT, "--db and -o: only one of them");
	a->opt.frequency = (guint64)a->rate;
	a->opt.stacks = a->with_stacks ? STACKS_POINTERS : STACKS_NONE;
	if (!a->opt.events && !a->status && has_cycles())
		a->opt.events = of_cycles;
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

	for (const struct count_row *r = counts_next(&sampling_counts, NULL); r; r = counts_next(&sampling_counts, r)) {
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

	sampling_end();
	rings_settle(&rings);
	books = capture_books(&rings, &sampling_handled, end, capture_cpu(RUSAGE_SELF));
	put_units(w);
	stacks_flush();
	put_counts(w, begin);
	capture_put_books(w, &books, 1);
	if (!capture_flush(w) && !naming_put(w, opt->quiet, &naming_stopped))
		capture_put_books(w, &books, 0);
	bytes = capture_bytes(w);
	sampling_close();
	if (capture_close(w, &error))
		return failure_report(who, error);
	if (!opt->quiet)
		g_printerr("lapwing watch: %" G_GUINT64_FORMAT " samples in %u rows%s in '%s' (%.1f MB)\n",
			   sampling_handled.received, sampling_counts.used,
			   books.lost ? " (PARTIAL: some were lost, the report says how many)" : "",
			   opt->output, (double)bytes / 1e6);
	return 0;
}

static gint64 end_of(const struct record_options *opt)
{
	return g_get_monotonic_time() + (gint64)MIN(opt->seconds * 1e6, (double)(G_MAXINT64 / 2));
}

static int run_capture(const struct record_options *opt, const GArray *chosen, GError **error)
{
	struct capture_writer *w;
	gint64 end = end_of(opt);
	Cap__Header *header;
	guint64 start;

	w = capture_create(opt->output, error);
	if (!w)
		return 1;
	header = capture_header();
	header->system_wide = 1;
	start = header->start_ns;
	capture_put_header(w, header, chosen);
	sampling_begin(opt, w);
	capture_flush(w);
	while (!sampling_stopped && g_get_monotonic_time() < end)
		sampling_round(end);
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

static int run_store(const struct asked *a, GArray *chosen, GError **error)
{
	char *path = store_path(a);
	const struct epochs_options epochs = { path, a->epoch_s, a->budget, a->opt.quiet };
	int rc = keeper_open(path, (guint64)(a->most * 1e6), error);

	if (!rc) {
		kernel_map_read();		/* a module may go before the first epoch ends */
		sampling_begin(&a->opt, NULL);
		if (!a->opt.quiet)
			g_printerr("lapwing watch: samples go to '%s', every %d s; Ctrl-C ends it\n", path,
				   a->epoch_s);
		rc = epochs_run(&epochs, chosen, end_of(&a->opt));
		sampling_close();
	}
	g_free(path);
	return rc ? 1 : 0;
}

static int run(const struct asked *a, GError **error)
{
	GArray *chosen = events_choose(&a->opt, error);

	if (!chosen || sampling_open(&a->opt, chosen, error))
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
