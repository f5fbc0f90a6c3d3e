/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * enter.c - the probe prologue: the one way from a hit to a handler.
 */
#include "runtime/user/context/enter.h"

#include "runtime/core/ctx.h"
#include "runtime/core/probe_stats.h"
#include "runtime/user/base/time.h"
#include "runtime/user/processes/task.h"
#include "runtime/user/user.h"

#include <time.h>
#include <unistd.h>

/* limit of CPU time, ns, for a begin, end or error probe, as in the kernel runtime */
#define PHASE_TIME 10000000000ULL

struct rt_ctx enter_ctx;
static u64 phase_began;

static u64 processor_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (u64)t.tv_sec * 1000000000 + (u64)t.tv_nsec;
}

int runtime_go_on(struct rt_ctx *c)
{
	return processor_ns() - phase_began <= PHASE_TIME;
}

static void count_error(void)
{
	session.errors++;
	if (session.errors > rt_script.limits.maxerrors) {
		session.failed = 1;
		runtime_exit_request();
	}
}

/* Runs the handler and updates its books; 1: it ended with an error. */
static int run(const struct rt_probe *p, struct hit *hit)
{
	struct wire_account *books = &session.account[p - rt_script.probes];
	struct rt_ctx *c = &enter_ctx;
	u64 began = probe_stats_timing ? time_mono() : 0;
	int failed;

	c->reserve = 0;
	if (p->phase == RT_RUNNING) {
		ctx_begin(c, p);
	} else {
		ctx_begin_long(c, p);
		phase_began = processor_ns();
	}
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
	if (probe_stats_timing)
		probe_stats_time(books, c, time_mono() - began);
	return failed;
}

int enter_is_target(const struct hit *hit)
{
	return !session.target.only || hit->inherited || !hit->pid ? 1 : task_in_tree(hit->pid);
}

int enter_wants(const struct rt_probe *p, const struct hit *hit)
{
	if (session.state != STATE_RUNNING || session.failed || session.exit_asked)
		return 0;
	return p->calibrates ? 1 : enter_is_target(hit);
}

void enter_probe(const struct rt_probe *p, struct hit *hit)
{
	int wanted = enter_wants(p, hit);

	if (!wanted)
		return;
	if (wanted < 0)
		enter_missed(p, 1);
	else if (session.paused)
		enter_off(p);
	else if (run(p, hit))
		count_error();
}

void enter_missed(const struct rt_probe *p, u64 n)
{
	struct wire_account *books = &session.account[p - rt_script.probes];

	books->entered += n;
	books->missed_overload += n;
}

void enter_unsampled(const struct rt_probe *p, u64 n)
{
	struct wire_account *books = &session.account[p - rt_script.probes];

	books->entered += n;
	books->missed_unsampled += n;
}

void enter_skips_unknown(const struct rt_probe *p, enum verdict_skips which)
{
	session.account[p - rt_script.probes].skips_unknown |= which;
}

void enter_no_slot(const struct rt_probe *p)
{
	struct wire_account *books = &session.account[p - rt_script.probes];

	books->entered++;
	books->missed_slots++;
}

void enter_jumped(const struct rt_probe *p)
{
	struct wire_account *books = &session.account[p - rt_script.probes];

	books->entered++;
	books->missed_jumped++;
}

void enter_in_flight(const struct rt_probe *p, u64 n)
{
	struct wire_account *books = &session.account[p - rt_script.probes];

	books->entered += n;
	books->in_flight += n;
}

void enter_off(const struct rt_probe *p)
{
	struct wire_account *books = &session.account[p - rt_script.probes];

	books->entered++;
	books->condition_off++;
}

void enter_failed(const struct rt_probe *p, const struct hit *hit)
{
	struct wire_account *books = &session.account[p - rt_script.probes];
	int wanted = enter_wants(p, hit);

	if (wanted < 0)
		enter_missed(p, 1);
	if (wanted <= 0)
		return;
	books->entered++;
	books->completed++;
	books->errors++;
}

/* Counts a missed return in *missed, a counter of p's books. */
static void miss_return(const struct rt_probe *p, const struct hit *hit, u64 *missed)
{
	if (!enter_wants(p, hit))
		return;
	if (session.paused) {
		enter_off(p);
		return;
	}
	session.account[p - rt_script.probes].entered++;
	++*missed;
}

void enter_unproven(const struct rt_probe *p, const struct hit *hit)
{
	miss_return(p, hit, &session.account[p - rt_script.probes].missed_unproven);
}

void enter_mixed(const struct rt_probe *p, const struct hit *hit)
{
	miss_return(p, hit, &session.account[p - rt_script.probes].missed_mixed);
}

void enter_phase(enum rt_phase phase)
{
	for (u32 f = 0; f < rt_script.nfamilies; f++) {
		const struct rt_family_use *use = &rt_script.families[f];
		const struct rt_begin_end *rows = use->rows;

		if (use->family != &rt_family_begin_end)
			continue;
		for (u32 i = 0; i < use->nrows; i++) {
			struct hit hit = { .time = time_mono(), .pid = getpid(), .tid = getpid() };

			if (rows[i].probe->phase != phase ||
			    (phase == RT_BEGIN &&
			     session.exit_asked)) /* exit() ends begin probes too */
				continue;
			if (!run(rows[i].probe, &hit))
				continue;
			session.errors++;
			if (phase == RT_ERROR || session.errors <= rt_script.limits.maxerrors)
				continue;
			session.failed = 1;
			return;
		}
	}
}
