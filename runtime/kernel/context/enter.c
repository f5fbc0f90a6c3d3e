// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * enter.c - the slow path of the probe prologue: hits in interrupts, with locks, with conditions,
 * of one target only, timed ones, and those that cannot run. The fast path is in enter.h.
 *
 * It does not know what caused the event, nor when the session ends.
 */
#include "runtime/kernel/context/enter.h"

#include <linux/compiler.h>
#include <linux/preempt.h>
#include <linux/timex.h>

#include "runtime/core/ctx.h"
#include "runtime/core/output.h"
#include "runtime/core/probe_stats.h"
#include "runtime/kernel/base/run_state.h"
#include "runtime/kernel/context/locks.h"
#include "runtime/kernel/context/target.h"

static noinline notrace void fail(struct context *x)
{
	if (ctx_end_failed(&x->ctx)) {
		context_books(x, x->ctx.probe)->errors++;
		run_error();
	}
}

noinline notrace void enter_finish(struct context *x)
{
	if (likely(x->ctx.out_used))
		output_flush(&x->ctx, 0);
	if (unlikely(x->ctx.failed))
		fail(x);
}

/* Other hits in an NMI never run: a handler may need a lock that the interrupted code holds. */
static noinline notrace void miss(const struct context *x, struct wire_account *books)
{
	if (in_nmi()) {
		books->missed_nmi++;
	} else if (x->busy) {			/* not a skipped probe in SystemTap's sense */
		books->missed_nested++;
	} else {
		books->missed_stack++;
		run_skipped();
	}
}

static noinline notrace void miss_lock(struct wire_account *books)
{
	books->missed_lock++;
	run_skipped();
}

/*
 * The condition is evaluated under the handler's locks. odd: the probe may have a condition, or the
 * hit or its handler may be timed.
 */
static __always_inline notrace void run_locked(struct context *x, const struct rt_probe *p,
					       struct pt_regs *regs, unsigned long ip, int odd)
{
	struct wire_account *books = context_books(x, p);
	u64 began = odd && probe_stats_timing ? get_cycles() : 0;

	WRITE_ONCE(x->busy, RT_SLOW_ODD);
	barrier();
	ctx_begin(&x->ctx, p);
	x->ctx.regs = regs;
	x->ctx.hit = (void *)ip;
	if (odd && p->capture & RT_CAP_HIT_TIME)
		x->ctx.now = runtime_clock();
	if (unlikely(!locks_take(p, x->ctx.cpu))) {
		miss_lock(books);
	} else {
		if (!odd || !p->condition || p->condition(&x->ctx)) {
			p->handler(&x->ctx);
			books->completed++;
			if (odd && probe_stats_timing)
				probe_stats_time(books, &x->ctx, get_cycles() - began);
		} else {
			books->condition_off++;
		}
		locks_drop(p, x->ctx.cpu);
	}
	if (ctx_has_news(&x->ctx))
		enter_finish(x);
	barrier();
	WRITE_ONCE(x->busy, 0);
}

/* True if the gate is closed, or not open for this hit. */
static notrace int turn_away(const struct rt_probe *p, int gate)
{
	if (gate == RUN_OVERLOADED)
		context_books(context_here(), p)->missed_overload++;
	if (gate < 0 || (gate & RUN_ONLY && !target_has_current() && !p->calibrates))
		return 1;
	if (!run_is_paused(gate))
		return 0;
	context_books(context_here(), p)->condition_off++;
	return 1;
}

static notrace void enter_judged(const struct rt_probe *p, struct pt_regs *regs, unsigned long ip,
				 int gate)
{
	int timed = READ_ONCE(run_timed);
	struct context *x;
	u64 began;

	if (turn_away(p, gate))
		return;
	x = context_here();
	if (unlikely(x->busy || in_nmi() || enter_stack_is_low())) {
		miss(x, context_books(x, p));
		return;
	}
	began = timed ? get_cycles() : 0;
	if (p->slow)
		run_locked(x, p, regs, ip, 1);
	else
		enter_run(x, p, regs, ip);
	if (timed)
		hit_times_add(&x->times, (u32)timed, get_cycles() - began);
}

noinline notrace void enter_odd(const struct rt_probe *p, struct pt_regs *regs, unsigned long ip)
{
	enter_judged(p, regs, ip, READ_ONCE(run_gate));
}

noinline notrace void enter_locked(struct context *x, const struct rt_probe *p,
				   struct pt_regs *regs, unsigned long ip)
{
	run_locked(x, p, regs, ip, 0);
}

notrace int enter_nmi(const struct rt_probe *p, struct pt_regs *regs)
{
	struct context *x;

	if (turn_away(p, READ_ONCE(run_gate)))
		return 0;
	x = context_of_nmi();
	if (unlikely(x->busy)) {
		context_books(x, p)->missed_nested++;
		return 0;
	}
	WRITE_ONCE(x->busy, RT_SLOW_ODD);
	barrier();
	ctx_begin(&x->ctx, p);
	x->ctx.regs = regs;
	x->ctx.hit = NULL;
	if (!p->condition || p->condition(&x->ctx)) {
		p->handler(&x->ctx);
		context_books(x, p)->completed++;
	} else {
		context_books(x, p)->condition_off++;
	}
	if (x->ctx.out_used)
		output_flush(&x->ctx, 0);
	if (unlikely(x->ctx.failed))
		return 1;
	barrier();
	WRITE_ONCE(x->busy, 0);
	return 0;
}

void enter_nmi_end(void)
{
	struct context *x = context_of_nmi();

	if (!x->busy)
		return;
	enter_finish(x);
	barrier();
	WRITE_ONCE(x->busy, 0);
}

notrace void enter_probe(const struct rt_probe *p, struct pt_regs *regs)
{
	enter_here(p, regs, 0);
}

notrace void enter_debug_exception(const struct rt_probe *p, struct pt_regs *regs)
{
	int exception = IS_ENABLED(CONFIG_X86) && in_nmi() ? NMI_OFFSET + HARDIRQ_OFFSET : 0;

	__preempt_count_sub(exception);
	enter_here(p, regs, 0);
	__preempt_count_add(exception);
}

notrace void enter_interrupt(const struct rt_probe *p, struct pt_regs *regs, int gate)
{
	struct context *x = this_cpu_read(context_levels) + CONTEXT_IRQ;

	if (likely(gate == RT_RUNNING && !(x->busy | p->slow) && !READ_ONCE(run_timed) &&
		   !enter_stack_is_low()))
		enter_run(x, p, regs, 0);
	else
		enter_judged(p, regs, 0, gate);
}

/* If the current hit would not run, the missed ones would not have run either. */
noinline notrace void enter_missed_late(const struct rt_probe *p, u64 n)
{
	int gate = READ_ONCE(run_gate);

	if (gate < 0 || (gate & RUN_ONLY && !target_has_current() && !p->calibrates))
		return;
	if (run_is_paused(gate))
		context_books(context_here(), p)->condition_off += n;
	else
		context_books(context_here(), p)->missed_late += n;
}
