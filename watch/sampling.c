/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sampling.c - see sampling.h. */
#include "watch/sampling.h"

#include "lib/clock.h"
#include "perf/records.h"
#include "record/stacks.h"
#include "symbolize/process.h"
#include "watch/units.h"

#define ROUND_MS	200
#define SWEEP_NS	10000000000

struct counts sampling_counts;
struct handled sampling_handled;
guint64 sampling_began;
volatile sig_atomic_t sampling_stopped;

static void take_sample(const struct record_sample *s)
{
	enum stack_flaws flaws;
	struct count_key key = { .stack = stacks_take(s, &flaws),
				 .unit = units_of(s->pid, s->cgroup),
				 .event = (guint16)s->event };

	key.flaws = (guint16)flaws;
	sampling_handled.received++;
	sampling_handled.idle += !s->tid;
	counts_add(&sampling_counts, key, s->period);
}

static void take_process(const struct perf_event_header *h, guint64 time, struct image *image)
{
	const gint32 *w = (const gint32 *)(h + 1);
	int is_other = units_process(h);

	if (h->type == PERF_RECORD_CGROUP)
		return;
	if (h->type != RECORD_LOOKED)
		records_apply(h, image);
	else if (w[0] == w[1])
		process_look_again(w[0], is_other);
	stacks_forget(w[0]);
}

static void take_switch(guint64 time, gint32 pid, gint32 tid, int in, guint32 cpu) {}
static void take_lost(guint64 lost) {}

static const struct rings_reader reader = { .sample = take_sample,
					    .process = take_process,
					    .switched = take_switch,
					    .lost = take_lost };

int sampling_open(const struct record_options *opt, const GArray *events, GError **error)
{
	return rings_open(opt, &reader, events, NULL, 0, error) ? -1 : 0;
}

void sampling_begin(const struct record_options *opt, struct capture_writer *w)
{
	stacks_open(w, opt->stacks);
	units_open();
	sampling_began = clock_ns();
	rings_switch(1);
	process_each_there(process_look);
	process_each_there(units_look);
}

void sampling_round(gint64 until)
{
	static guint64 swept;
	gint64 left = until - g_get_monotonic_time();

	rings_wait(-1, (int)CLAMP(left / 1000 + 1, 0, ROUND_MS));
	rings_round(0);
	if (clock_ns() - swept > SWEEP_NS) {
		units_sweep();
		swept = clock_ns();
	}
}

void sampling_end(void)
{
	rings_stop();
	rings_round(1);
}

void sampling_clear(void)
{
	counts_clear(&sampling_counts);
	stacks_clear();
	units_clear();
	process_sweep();
	sampling_handled = (struct handled){ 0 };
}

void sampling_close(void)
{
	rings_close();
}
