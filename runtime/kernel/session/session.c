// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * session.c - the life of a run (session.h) and what ends it.
 */
#include "runtime/kernel/session/session.h"

#include <linux/moduleparam.h>
#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/timex.h>
#include <linux/workqueue.h>

#include "runtime/core/backtrace.h"
#include "runtime/core/core.h"
#include "runtime/core/ctx.h"
#include "runtime/core/floor.h"
#include "runtime/core/global.h"
#include "runtime/core/output.h"
#include "runtime/core/partial.h"
#include "runtime/core/probe_stats.h"
#include "runtime/core/procfs.h"
#include "runtime/core/refuse.h"
#include "runtime/kernel/base/fault_inject.h"
#include "runtime/kernel/base/run_state.h"
#include "runtime/kernel/context/context.h"
#include "runtime/kernel/context/enter.h"
#include "runtime/kernel/context/locks.h"
#include "runtime/kernel/probes/family.h"
#include "runtime/kernel/probes/family_function.h"
#include "runtime/kernel/probes/family_profile.h"
#include "runtime/kernel/probes/family_uprobe.h"
#include "runtime/kernel/probes/target_tree.h"
#include "runtime/kernel/context/oops.h"
#include "runtime/kernel/session/overload.h"
#include "runtime/kernel/stacks/bind.h"
#include "runtime/kernel/stacks/stack.h"
#include "runtime/kernel/transport/ring.h"
#include "runtime/kernel/values/pmu.h"

/* CPU time that a begin, end or error probe may use, ns */
#define SESSION_TIME (10 * NSEC_PER_SEC)

enum session_state { SESSION_IDLE, SESSION_STARTING, SESSION_RUNNING, SESSION_STOPPING, SESSION_STOPPED };

static enum session_state session_state;	/* written by start and stop work only; they
						 * exclude each other */
static int session_partial;		/* of the last WIRE_STOP */
static int session_families;		/* number of armed families; work only */
static atomic_t session_exit_asked, session_asked;
static struct context session_context;	/* of begin, end and error probes; work only */
/* the work's CPU time at the start of the probe; work only */
static u64 session_used;

static void session_start_work(struct work_struct *work);
static void session_stop_work(struct work_struct *work);
static DECLARE_WORK(start_work, session_start_work);
static DECLARE_WORK(stop_work, session_stop_work);

static ulong fail_fault;
module_param(fail_fault, ulong, 0400);
MODULE_PARM_DESC(fail_fault,
		 "for tests: exit() in a handler writes to this address; 0: it does not");

void runtime_exit_request(void)
{
	if (unlikely(fail_fault) && !oops_happened())
		WRITE_ONCE(*(int *)fail_fault, 0);
	if (atomic_xchg(&session_exit_asked, 1))
		return;
	run_close(RUN_CLOSED);
	runtime_message(WIRE_EXIT, 0, "", 0);
}

/* ---- begin, end and error probes ---------------------------------------------*/

int runtime_go_on(struct rt_ctx *c)
{
	cond_resched();
	return current->se.sum_exec_runtime - session_used <= SESSION_TIME && !run_is_abandoned();
}

/* 1: ended by an error. */
static int session_run_one(const struct rt_probe *p)
{
	struct wire_account *books = &session_context.books[p - rt_script.probes];
	struct rt_ctx *c = &session_context.ctx;
	u64 began = get_cycles();
	int failed;

	ctx_begin_long(c, p);
	c->cpu = c->part = raw_smp_processor_id();
	c->may_wait = 1;
	c->regs = NULL;
	c->hit = NULL;
	if (p->condition && !p->condition(c)) {
		books->condition_off++;
		return 0;
	}
	WRITE_ONCE(run_phase_task, current);
	session_used = current->se.sum_exec_runtime;
	p->handler(c);
	WRITE_ONCE(run_phase_task, NULL);
	failed = ctx_end(c);
	books->completed++;
	books->errors += failed;
	if (probe_stats_timing)
		probe_stats_time(books, c, get_cycles() - began);
	cond_resched();
	return failed;
}

static void session_run_phase(enum rt_phase phase)
{
	u32 f, i;

	for (f = 0; f < rt_script.nfamilies; f++) {
		const struct rt_begin_end *row = rt_script.families[f].rows;

		if (rt_script.families[f].family != &rt_family_begin_end)
			continue;
		for (i = 0; i < rt_script.families[f].nrows && !run_is_abandoned(); i++) {
			if (row[i].probe->phase != phase ||
			    (phase == RT_BEGIN && atomic_read(&session_exit_asked)))
				continue;		/* exit() ends begin probes too */
			if (!session_run_one(row[i].probe))
				continue;
			if (!run_count_error() || phase == RT_ERROR)
				continue;
			run_set_failed();
			return;
		}
	}
}

/* Displays the globals that no error probe has read. */
static void session_display(void)
{
	session_context.ctx.cpu = session_context.ctx.part = raw_smp_processor_id();
	session_context.ctx.may_wait = 1;
	if (session_partial && !run_is_abandoned())
		core_partial(&session_context.ctx);
}

/* ---- start and stop ------------------------------------------------------------*/

static void session_disarm(void)
{
	overload_stop();
	run_close(RUN_CLOSED);
	while (session_families > 0) {
		const struct rt_family_use *use = &rt_script.families[--session_families];

		if (use->family->stop)
			use->family->stop(use->rows, use->nrows);
	}
	while (context_any_active())
		usleep_range(100, 1000);
}

/* *part: the family that did not start. */
static int session_arm(const char **part)
{
	u32 i;

	for (i = 0; i < rt_script.nfamilies; i++) {
		const struct rt_family_use *use = &rt_script.families[i];
		int rc = fault_inject_error()
				 ?: use->family->start ? use->family->start(use->rows, use->nrows)
						       : 0;

		if (rc) {
			session_disarm();
			*part = use->family->name;
			return rc;
		}
		session_families++;
	}
	return 0;
}

static void session_start_work(struct work_struct *work)
{
	const char *part = "target";
	int rc;

	session_state = SESSION_STARTING;
	stack_start();
	rc = target_tree_start();
	if (!rc) {
		part = "counters";
		rc = pmu_start();
	}
	if (!rc)
		session_run_phase(RT_BEGIN);
	if (!rc && !run_has_failed() && !atomic_read(&session_exit_asked) && !run_is_ending())
		rc = session_arm(&part);
	/* not an error: the stop work is waiting, and no hit has run */
	if (run_is_ending() && (!rc || rc == -EINTR)) {
		session_state = SESSION_RUNNING;
		return;
	}
	if (rc) {
		core_start_failed(part, rc);
		run_count_error();
		run_set_failed();
	}
	session_state = SESSION_RUNNING;
	if (run_has_failed()) {
		runtime_exit_request();
		return;
	}
	if (!atomic_read(&session_exit_asked))
		run_open();
	overload_start();
	runtime_message(WIRE_STARTED, 0, "", 0);
}

static void session_books(u32 probe, struct wire_account *a)
{
	*a = session_context.books[probe];
	context_account(probe, a);
	function_account(&rt_script.probes[probe], a);
	uprobe_account(&rt_script.probes[probe], a);
}

void runtime_books(u32 probe, struct wire_account *a)
{
	struct wire_account keeper;

	session_books(probe, a);
	if (rt_script.probes[probe].keeper) {
		session_books(rt_script.probes[probe].keeper - 1, &keeper);
		probe_stats_serve(a, &keeper);
	}
	probe_stats_entered(a);
}

/* Reports what handlers requested but could not read. */
static void session_unread(u32 probe, u64 hits)
{
	static const char what[] = "memory of the process",
			  why[] = "its page was not present, and a handler cannot wait for it";
	u8 payload[sizeof(struct wire_unread) + sizeof(what) + sizeof(why)];

	memcpy(payload, &(struct wire_unread){ hits }, sizeof(struct wire_unread));
	memcpy(payload + sizeof(struct wire_unread), what, sizeof(what));
	memcpy(payload + sizeof(struct wire_unread) + sizeof(what), why, sizeof(why));
	runtime_message(WIRE_UNREAD, (u16)probe, payload, sizeof(payload));
}

static void session_accounts(void)
{
	struct wire_summary sum = {
		.errors = run_errors(), .state = run_has_failed(),
		.skipped = run_skips(),
	};
	u32 i;

	for (i = 0; i < rt_script.nprobes; i++) {
		struct wire_account a;

		runtime_books(i, &a);
		a.hidden = rt_script.probes[i].keeps || rt_script.probes[i].calibrates;
		probe_stats_percentile(i, &a);
		if (a.unread && !a.hidden)
			session_unread(i, a.unread);
		runtime_message(WIRE_ACCOUNT, i, &a, sizeof(a));
		cond_resched();
	}
	probe_stats_globals(locks_timeouts);
	profile_account(&sum);
	backtrace_account(&sum);
	context_names(&sum);
	backtrace_names(&session_context.ctx, &sum);
	runtime_message(WIRE_SUMMARY, 0, &sum, sizeof(sum));
}

static void session_stop_work(struct work_struct *work)
{
	if (session_state == SESSION_STOPPED)
		return;
	session_disarm();
	session_state = SESSION_STOPPING;
	if (!run_has_failed())
		session_run_phase(RT_END);
	if (run_has_failed()) {
		session_run_phase(RT_ERROR);
		session_display();
	}
	pmu_stop();
	target_tree_stop();
	session_accounts();
	session_state = SESSION_STOPPED;
	runtime_message(WIRE_STOPPED, 0, "", 0);
}

/* Both works are queued on this CPU, in one queue; the flush orders stop after start. */
static int session_cpu;

int session_start(void)
{
	if (atomic_xchg(&session_asked, 1))
		return -EBUSY;
	queue_work_on(session_cpu, system_long_wq, &start_work);
	return 0;
}

int session_is_asked(void)
{
	return atomic_read(&session_asked);
}

int session_time(void)
{
	u32 i;
	int rc;

	if (session_is_asked())
		return -EBUSY;
	rc = probe_stats_timing ? 0 : probe_stats_time_begin();
	for (i = 0; !rc && i < rt_script.nprobes; i++)
		rt_script.probes[i].slow = RT_SLOW_ODD;
	return rc;
}

int session_stop(int partial)
{
	session_partial = partial;	/* read by the work that is queued here */
	atomic_set(&session_asked, 1);
	run_end();
	if (oops_happened()) {		/* nothing is disarmed; the work itself may be dead */
		session_accounts();
		runtime_message(WIRE_STOPPED, 0, "", 0);
		return 0;
	}
	flush_work(&start_work);
	queue_work_on(session_cpu, system_long_wq, &stop_work);
	return 0;
}

void session_abandon(void)
{
	run_abandon();
	session_stop(0);
	if (!oops_happened())
		flush_work(&stop_work);
}

int session_load(void)
{
	session_cpu = raw_smp_processor_id();
	session_context.books =
		runtime_alloc(((u64)rt_script.nprobes + 1) * sizeof(struct wire_account));
	session_context.memory = runtime_alloc(ctx_bytes());
	if (!session_context.books || !session_context.memory || overload_load()) {
		session_unload();
		return -ENOMEM;
	}
	ctx_init(&session_context.ctx, session_context.memory, session_cpu, 0);
	return 0;
}

void session_unload(void)
{
	flush_work(&start_work);
	flush_work(&stop_work);
	target_tree_unload();
	probe_stats_time_end();
	overload_unload();
	runtime_free(session_context.books);
	runtime_free(session_context.memory);
}

void session_hello(void)
{
	struct wire_hello h = {
		.magic = WIRE_MAGIC,
		.version = WIRE_VERSION,
		.abi = RT_ABI,
		.ncpus = nr_cpu_ids,
		.nrings = ring_count(),
		.nprobes = rt_script.nprobes,
		.ring_bytes = ring_bytes(),
		.capture = rt_script.capture,
		.time_mono = ktime_get_mono_fast_ns(),
		.time_wall = ktime_get_real_ns(),
		.memory = core_bytes(),
		.shared = core_shared(),
	};
	u32 f, at = 0, room = rt_script.nsymbols + 3;	/* stack_want() */

	h.flags = (procfs_stdin(&at) ? WIRE_WANTS_INPUT : 0) | core_wants() |
		  (rt_script.joins ? WIRE_JOINS : 0);
	if (rt_script.capture & RT_CAP_USTACK)
		h.flags |= WIRE_WANTS_CALLERS;
	for (f = 0; f < rt_script.nfamilies; f++)
		if (rt_script.families[f].family->on_ftrace)
			h.flags |= WIRE_ON_FTRACE;
	strscpy(h.script, rt_script.name, sizeof(h.script));
	runtime_message(WIRE_HELLO, 0, &h, sizeof(h));
	for (f = 0; f < rt_script.nfamilies; f++)
		room += rt_script.families[f].nrows;
	if (core_describe() || bind_load(room))
		/* the consumer gives up */
		core_error(RUN_MEMORY, NULL);
	for (f = 0; f < rt_script.nfamilies; f++)
		if (rt_script.families[f].family->needs)
			rt_script.families[f].family->needs(rt_script.families[f].rows,
							    rt_script.families[f].nrows);
	bind_want_symbols();
	stack_want();
	runtime_message(WIRE_READY, 0, "", 0);
}

const struct rt_family rt_family_begin_end = {
	.name	= "begin_end",
};
