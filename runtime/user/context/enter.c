/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * enter.c - the probe prologue: the one way from a hit to a handler.
 */
#include "runtime/user/context/enter.h"

#include "runtime/core/core.h"
#include "runtime/user/base/run_state.h"
#include "runtime/user/base/time.h"
#include "runtime/user/events/hit.h"
#include "runtime/user/events/perf_source.h"
#include "runtime/user/processes/thread.h"

struct rt_ctx enter_ctx;

u64 runtime_clock(void) { return enter_ctx.now ? enter_ctx.now : time_mono(); }

int enter_run(const struct rt_probe *p, struct hit *hit)
{
	struct wire_account *books = &run_state.account[p - rt_script.probes];
	struct rt_ctx *c = &enter_ctx;
	u64 began = books_timing ? time_mono() : 0;
	int failed;

	c->reserve = 0;
	if (p->phase == RT_RUNNING)
		ctx_begin(c, p);
	else
		ctx_begin_long(c, p);
	c->hit = hit;
	c->cpu = hit->cpu;
	c->now = hit->time;
	books->entered++;
	if (p->condition && !p->condition(c)) {
		books->condition_off++;
		return 0;
	}
	p->handler(c);
	failed = ctx_end(c);
	books->completed++;
	books->errors += failed;
	if (books_timing)
		books_time(books, c, time_mono() - began);
	return failed;
}

/* 0: it is no hit of the script's. -1: records that would tell were lost. */
static int is_wanted(const struct rt_probe *p, const struct hit *hit)
{
	if (run_state.state != STATE_RUNNING || run_state.failed || run_state.exit_requested)
		return 0;
	if (!run_state.target.only || hit->inherited || !hit->pid || p->calibrates)
		return 1;
	return thread_in_tree(hit->pid);
}

void enter_probe(const struct rt_probe *p, struct hit *hit)
{
	int wanted = is_wanted(p, hit);

	if (!wanted)
		return;
	if (wanted < 0)
		enter_missed(p, 1);
	else if (run_state.paused)
		enter_off(p);
	else if (enter_run(p, hit))
		run_count_error();
}

void enter_missed(const struct rt_probe *p, u64 n)
{
	struct wire_account *books = &run_state.account[p - rt_script.probes];

	books->entered += n;
	books->missed_overload += n;
}

void enter_unsampled(const struct rt_probe *p, u64 n)
{
	struct wire_account *books = &run_state.account[p - rt_script.probes];

	books->entered += n;
	books->missed_unsampled += n;
}

void enter_tally(const struct rt_probe *p, const struct perf_tally *tally)
{
	u64 unsampled = perf_tally_unsampled(tally);

	enter_missed(p, perf_tally_lost(tally) - unsampled);
	enter_unsampled(p, unsampled);
}

void enter_no_slot(const struct rt_probe *p)
{
	struct wire_account *books = &run_state.account[p - rt_script.probes];

	books->entered++;
	books->missed_slots++;
}

void enter_in_flight(const struct rt_probe *p, u64 n)
{
	struct wire_account *books = &run_state.account[p - rt_script.probes];

	books->entered += n;
	books->in_flight += n;
}

int enter_is_phase(const struct rt_ctx *c)
{
	return c->probe->phase != RT_RUNNING;
}

void enter_off(const struct rt_probe *p)
{
	struct wire_account *books = &run_state.account[p - rt_script.probes];

	books->entered++;
	books->condition_off++;
}

void enter_failed(const struct rt_probe *p, const struct hit *hit)
{
	struct wire_account *books = &run_state.account[p - rt_script.probes];
	int wanted = is_wanted(p, hit);

	if (wanted < 0)
		enter_missed(p, 1);
	if (wanted <= 0)
		return;
	books->entered++;
	books->completed++;
	books->errors++;
}

void enter_unproven(const struct rt_probe *p, const struct hit *hit)
{
	struct wire_account *books = &run_state.account[p - rt_script.probes];

	if (!is_wanted(p, hit))
		return;
	if (run_state.paused) {
		enter_off(p);
		return;
	}
	books->entered++;
	books->missed_unproven++;
}
