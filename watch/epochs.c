/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * epochs.c - see epochs.h. The budget is that of each epoch: one in which it is used up ends there, and
 * sampling goes on at half the rate, in an epoch of its own, whose events tell the rate; after one that
 * has used less than a quarter of it the rate doubles, up to what was asked for.
 */
#include "watch/epochs.h"

#include "lib/clock.h"
#include "lib/option.h"
#include "lib/verdict.h"
#include "record/rings.h"
#include "runtime/run/control.h"
#include "watch/keeper.h"
#include "watch/sampling.h"
#include "watch/snapshot.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>

#define SLEEP_LEAST	1000000		/* ns; less is the time between two readings */
#define DIVISOR_MAX	64		/* the rate falls to one in so many at most */

static const struct epochs_options *opt;
static GArray *events;			/* struct record_event */
static GArray *asked;			/* struct record_event, as they were asked for */
static guint divisor = 1;		/* the rate is one in so many of what was asked for */

/* ---- the books ---------------------------------------------------------------------*/

/* Of the books since the start, what earlier epochs have; lost samples are never taken back. */
static struct { guint64 lost, asleep, throttled, refused, own_cpu; } so_far;

/* At its beginning: sleep so far, ns of the monotonic clock, own CPU time; and how long it was paused since. */
static struct { guint64 asleep, monotonic, cpu, paused; } began;
static guint64 paused_at;		/* ns of the monotonic clock; 0: sampling */
static guint64 edge;			/* when the next epoch begins, ns of the monotonic clock */
static guint64 started, samples;	/* of the whole run, for ctl: ns, and those of earlier epochs */
static int flush_asked;

static guint64 since(guint64 *before, guint64 now)
{
	guint64 new = now > *before ? now - *before : 0;

	*before += new;
	return new;
}

static guint64 own_cpu(void)
{
	return capture_cpu(RUSAGE_SELF) + capture_cpu(RUSAGE_CHILDREN);
}

static struct store_books books_of_epoch(void)
{
	struct rings_books rings;
	struct store_books b = { .received = sampling_handled.received, .idle = sampling_handled.idle };

	rings_sofar(&rings);
	b.lost = since(&so_far.lost, capture_lost(&rings));
	b.asleep = since(&so_far.asleep, rings.asleep);
	b.throttled = since(&so_far.throttled, rings.throttled);
	b.own_cpu = since(&so_far.own_cpu, own_cpu());
	b.expected = b.received + b.lost + b.asleep;
	b.unknown = (rings.known ? 0 : SKIPS_OF_KERNEL) | (since(&so_far.refused, rings.refused) ? SKIPS_OF_CPUS : 0);
	return b;
}

/* ---- epochs ------------------------------------------------------------------------*/

/* So far the clock that goes on while the machine sleeps is ahead, ns; some us of it are that reading clocks takes time. */
static guint64 sleep_so_far(void)
{
	guint64 awake = clock_ns();

	return clock_of(CLOCK_BOOTTIME) - awake;
}

/* Where the one before ended, or sampling was switched on: nothing that is sampled is between epochs. */
static void begin_epoch(void)
{
	began.asleep = sleep_so_far();
	began.monotonic = edge;
	began.cpu = own_cpu();
	began.paused = 0;
	if (paused_at)
		paused_at = began.monotonic;
}

/* When it began is told from its end: the wall clock may have been set meanwhile. */
static void end_epoch(void)
{
	guint64 now = clock_ns(), wall = clock_of(CLOCK_REALTIME), asleep = sleep_so_far() - began.asleep,
		paused = began.paused + (paused_at ? now - paused_at : 0);
	struct store_epoch *e = snapshot_take(&sampling_counts, events);

	e->covered = now - began.monotonic - paused;
	e->end = (gint64)wall;
	e->start = e->end - (gint64)(now - began.monotonic + (asleep > SLEEP_LEAST && asleep < G_MAXINT64 ? asleep : 0));
	e->books = books_of_epoch();
	samples += e->books.received;
	edge = now;
	keeper_give(e);
	sampling_clear();
}

/* ---- the budget ----------------------------------------------------------------------*/

/* CPU time that an epoch may take, ns. */
static double budget(void)
{
	return opt->budget / 100 * opt->seconds * 1e9;
}

static int is_spent(void)
{
	return opt->budget > 0 && (double)(own_cpu() - began.cpu) > budget();
}

/* One in so many of the samples that were asked for; all that was sampled has been counted. */
static void set_divisor(guint n)
{
	divisor = n;
	for (guint i = 0; i < events->len; i++) {
		struct record_event *e = &g_array_index(events, struct record_event, i);
		const struct record_event *as_asked = &g_array_index(asked, struct record_event, i);

		e->period = as_asked->period * n;
		if (e->attr.freq)
			e->attr.sample_freq = MAX(as_asked->attr.sample_freq / n, 1);
		else
			e->attr.sample_period = as_asked->attr.sample_period * n;
	}
	rings_reopen();
	if (n > 1 && !opt->quiet)
		g_printerr("lapwing watch: one in %u of the samples is taken, for the budget of %g %% of a CPU\n", n,
			   opt->budget);
}

/* What keeps to the budget, after an epoch that has spent it or not. */
static guint next_divisor(int spent)
{
	if (spent)
		return MIN(divisor * 2, DIVISOR_MAX);
	return divisor > 1 && (double)(own_cpu() - began.cpu) < budget() / 4 ? divisor / 2 : divisor;
}

/* ---- control -------------------------------------------------------------------------*/

static void pause_sampling(void)
{
	if (paused_at)
		return;
	rings_switch(0);
	paused_at = clock_ns();
}

static void go_on(void)
{
	if (!paused_at)
		return;
	began.paused += clock_ns() - paused_at;
	paused_at = 0;
	rings_switch(1);
}

static int act(enum control_word word, struct control_answer *a)
{
	const char *did[CONTROL_WORDS] = { "", "sampling is on: ", "sampling is off: ", "being stored: " };

	if (word == CONTROL_ON)
		go_on();
	else if (word == CONTROL_OFF)
		pause_sampling();
	else if (word == CONTROL_FLUSH)
		flush_asked = 1;
	a->kind = CONTROL_WATCH;
	a->paused = paused_at != 0;
	a->ran_ns = clock_ns() - started;
	a->count = samples + sampling_handled.received;
	a->lost = rings_lost();
	a->bytes = store_bytes(opt->path);
	if (strlen(opt->path) < sizeof(a->file))
		strcpy(a->file, opt->path);
	g_snprintf(a->text, sizeof(a->text), "%swatching for %.1f s, %s%llu samples for '%s'%s, %.2f %% of one CPU",
		   did[word], (double)a->ran_ns / 1e9, paused_at ? "sampling off, " : "", (unsigned long long)a->count,
		   opt->path, divisor > 1 ? " at a lower rate, for the budget" : "",
		   100.0 * (double)own_cpu() / (double)MAX(a->ran_ns, 1));
	return 0;
}

/* ---- whole ---------------------------------------------------------------------------*/

/* Samples until the epoch is over; whether it has spent its budget. */
static int run_epoch(gint64 until)
{
	gint64 end = MIN(until, g_get_monotonic_time() + opt->seconds * G_GINT64_CONSTANT(1000000));
	int spent = 0;

	begin_epoch();
	flush_asked = 0;
	while (!sampling_stopped && !flush_asked && !spent && g_get_monotonic_time() < end) {
		sampling_round(end);
		control_take();
		keeper_look();
		spent = divisor < DIVISOR_MAX && is_spent();
	}
	return spent;
}

int epochs_run(const struct epochs_options *options, GArray *sampled, gint64 until)
{
	guint left;

	opt = options;
	events = sampled;
	asked = g_array_copy(sampled);
	started = edge = sampling_began;
	if (control_open("watch", act) && !opt->quiet)
		g_printerr("lapwing watch: 'lapwing ctl' cannot reach it: %s\n", g_strerror(errno));
	for (int last = 0; !last;) {
		guint next = next_divisor(run_epoch(until));

		last = sampling_stopped || g_get_monotonic_time() >= until;
		if (last || next != divisor)
			sampling_end();
		end_epoch();
		if (next != divisor) {
			set_divisor(next);
			edge = clock_ns();
			rings_switch(!last && !paused_at);
		}
	}
	control_close();
	g_array_unref(asked);
	left = keeper_close();
	return left ? option_fail(FAILURE_FILE_WRITE, "%u epochs could not be stored", left) : 0;
}
