/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * enter.h - from an event to a handler: the only entry, for every probe family.
 *
 * enter_here() is the fast path of nearly all hits, inlined into its callers because it runs
 * millions of times a second: in a task, no other handler running, enough stack, no locks, no
 * condition. Every other hit goes to enter.c, which runs it or books the reason for the miss.
 */
#ifndef LAPWING_KERNEL_ENTER_H
#define LAPWING_KERNEL_ENTER_H

#include <linux/irqflags.h>
#include <linux/kprobes.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>

#include "runtime/core/ctx.h"
#include "runtime/kernel/base/run_state.h"
#include "runtime/kernel/context/context.h"

struct pt_regs;

/* Sends output and errors of a completed hit. */
void enter_finish(struct context *x);
/* A hit in a task, of a probe with locks to take. Interrupts are off. */
void enter_locked(struct context *x, const struct rt_probe *p, struct pt_regs *regs,
		  unsigned long ip);
/* Any other hit. Interrupts are off. */
void enter_odd(const struct rt_probe *p, struct pt_regs *regs, unsigned long ip);

/*
 * True if less of the task's stack is left than the script requires (SystemTap's MINSTACKSPACE).
 * Only a task's own stack is checked: on any other stack the unsigned distance to the end is huge.
 */
static __always_inline int enter_stack_is_low(void)
{
	return current_stack_pointer - (unsigned long)task_stack_page(current) <
	       rt_script.limits.minstack;
}

/* True if the hit is in a task and may run. */
static __always_inline int enter_is_plain(void)
{
	return likely(READ_ONCE(run_gate) == RT_RUNNING) &&
	       likely(!(preempt_count() & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET))) &&
	       likely(!enter_stack_is_low());
}

/*
 * Runs a handler without locks in a free context. Interrupts are off: only an NMI, or a probe in
 * our own code, can interrupt.
 */
static __always_inline void enter_run(struct context *x, const struct rt_probe *p,
				      struct pt_regs *regs, unsigned long ip)
{
	WRITE_ONCE(x->busy, RT_SLOW_ODD);
	barrier();
	ctx_begin(&x->ctx, p);
	x->ctx.regs = regs;
	x->ctx.hit = (void *)ip;
	p->handler(&x->ctx);
	context_books(x, p)->completed++;
	if (unlikely(ctx_has_news(&x->ctx)))
		enter_finish(x);
	barrier();
	WRITE_ONCE(x->busy, 0);
}

/*
 * Runs p's handler for one hit, or counts why not. regs: registers at the hit or NULL; ip: the
 * start of the function, for addr(), or 0. Any context; never sleeps.
 */
static __always_inline void enter_here(const struct rt_probe *p, struct pt_regs *regs,
				       unsigned long ip)
{
	unsigned long flags;
	struct context *x;
	u32 way;

	raw_local_irq_save(flags);
	x = this_cpu_read(context_levels);
	way = likely(enter_is_plain()) ? x->busy | p->slow : RT_SLOW_ODD;
	if (likely(!way))
		enter_run(x, p, regs, ip);
	else if (likely(way == RT_SLOW_LOCKS))
		enter_locked(x, p, regs, ip);
	else
		enter_odd(p, regs, ip);
	raw_local_irq_restore(flags);
}

/*
 * On x86 a breakpoint counts as an NMI, whatever it interrupts. The value is subtracted from the
 * preemption count during the hit, with interrupts off, so that the interrupted context decides. In
 * a true NMI the count is 2 and stays above 0.
 */
static __always_inline int enter_breakpoint(struct kprobe *kp)
{
	return IS_ENABLED(CONFIG_X86) && !kprobe_ftrace(kp) && in_nmi()
		       ? NMI_OFFSET + HARDIRQ_OFFSET
		       : 0;
}

/*
 * A hit in an NMI, of a probe with RT_CAP_NMI, which takes no locks. 1: an error ended it, and
 * enter_nmi_end() must be called on this CPU as soon as interrupts are allowed; until then further
 * hits are missed.
 */
int enter_nmi(const struct rt_probe *p, struct pt_regs *regs);
void enter_nmi_end(void);		/* in an interrupt */

/* enter_here(), out of line. */
void enter_probe(const struct rt_probe *p, struct pt_regs *regs);
/*
 * enter_probe() in the overflow handler of a debug register, whose exception in the kernel counts
 * as an NMI, too.
 */
void enter_debug_exception(const struct rt_probe *p, struct pt_regs *regs);
/* The same in a hard interrupt; gate: run_gate as read by a caller that also counts by it. */
void enter_interrupt(const struct rt_probe *p, struct pt_regs *regs, int gate);
/* Books n hits of p as late: they were due before the current one. In a hard interrupt. */
void enter_missed_late(const struct rt_probe *p, u64 n);

#endif
