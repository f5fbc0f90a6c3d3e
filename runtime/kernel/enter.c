// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * enter.c - THE probe prologue: phase, context, stack, locks, condition, handler, books.
 *
 * It does not know how the event came about, nor when the session ends.
 */
#include "runtime/kernel/enter.h"

#include <linux/compiler.h>
#include <linux/irqflags.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>

#include "runtime/core/core.h"
#include "runtime/kernel/context.h"
#include "runtime/kernel/locks.h"
#include "runtime/kernel/session.h"

/* Only a task's own stack is judged; interrupt stacks are not the script's to fill. */
static notrace int stack_is_low(void)
{
	unsigned long left = (unsigned long)__builtin_frame_address(0) - (unsigned long)task_stack_page(current);

	return left < THREAD_SIZE && left < rt_script.limits.minstack;
}

static notrace void run_handler(struct context *x, struct wire_account *books, const struct rt_probe *p,
				struct pt_regs *regs, unsigned long ip)
{
	struct rt_ctx *c = &x->ctx;

	ctx_begin(c, p);
	c->regs = regs;
	c->hit = (void *)ip;
	if (p->condition && !p->condition(c)) {
		books->condition_off++;
		return;
	}
	p->handler(c);
}

/* The locks are given back before the output is moved: the ring needs none of them. */
static notrace void run_locked(struct context *x, struct wire_account *books, const struct rt_probe *p,
			       struct pt_regs *regs, unsigned long ip)
{
	unsigned long flags;

	local_irq_save(flags);
	if (!locks_take(p)) {
		local_irq_restore(flags);
		books->missed_lock++;
		session_skipped();
		return;
	}
	run_handler(x, books, p, regs, ip);
	locks_drop(p);
	local_irq_restore(flags);
	books->completed++;
	if (ctx_end(&x->ctx)) {
		books->errors++;
		session_error();
	}
}

/* No hit in an NMI runs: a handler may want a lock that the interrupted code holds. */
static notrace int may_run(struct context *x, struct wire_account *books)
{
	if (in_nmi()) {
		books->missed_nmi++;
		return 0;
	}
	if (x->busy) {			/* not a skipped probe in SystemTap's sense */
		books->missed_nested++;
		return 0;
	}
	if (!stack_is_low())
		return 1;
	books->missed_stack++;
	session_skipped();
	return 0;
}

notrace void enter_probe(const struct rt_probe *p, struct pt_regs *regs)
{
	enter_function(p, regs, 0);
}

notrace void enter_function(const struct rt_probe *p, struct pt_regs *regs, unsigned long ip)
{
	struct wire_account *books;
	struct context *x;

	preempt_disable_notrace();
	if (session_phase() == p->phase && (!session_target.only || task_in_tree())) {
		x = context_here();
		books = &x->books[p - rt_script.probes];
		books->entered++;
		if (may_run(x, books)) {
			WRITE_ONCE(x->busy, 1);
			barrier();
			run_locked(x, books, p, regs, ip);
			barrier();
			WRITE_ONCE(x->busy, 0);
		}
	}
	preempt_enable_notrace();
}
