// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * begin_end.c - see begin_end.h. They run one by one, in the work that starts or stops the session
 * (session.c).
 */
#include "runtime/kernel/context/begin_end.h"

#include <linux/errno.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/timex.h>

#include "runtime/core/core.h"
#include "runtime/kernel/base/run_state.h"
#include "runtime/kernel/context/context.h"

#define BEGIN_END_TIME (10 * NSEC_PER_SEC)	/* CPU time limit of one of them */

static struct context begin_end_context;	/* used by the work only, like the following */
static struct task_struct *begin_end_runner;	/* the task that runs one of them */
static u64 begin_end_used;			/* its CPU time at the start of that */

int begin_end_load(u32 cpu)
{
	begin_end_context.books =
		runtime_alloc(((u64)rt_script.nprobes + 1) * sizeof(struct wire_account));
	begin_end_context.memory = runtime_alloc(ctx_bytes());
	if (!begin_end_context.books || !begin_end_context.memory) {
		begin_end_unload();
		return -ENOMEM;
	}
	ctx_init(&begin_end_context.ctx, begin_end_context.memory, cpu, 0);
	return 0;
}

void begin_end_unload(void)
{
	runtime_free(begin_end_context.books);
	runtime_free(begin_end_context.memory);
	begin_end_context.books = NULL;
	begin_end_context.memory = NULL;
}

struct rt_ctx *begin_end_idle(void)
{
	return &begin_end_context.ctx;
}

const struct wire_account *begin_end_books(u32 probe)
{
	return &begin_end_context.books[probe];
}

int begin_end_is_running(void)
{
	return READ_ONCE(begin_end_runner) == current;
}

int runtime_go_on(struct rt_ctx *c)
{
	cond_resched();
	return current->se.sum_exec_runtime - begin_end_used <= BEGIN_END_TIME &&
	       !run_is_abandoned();
}

/* 1: an error ended it. */
static int begin_end_run_one(const struct rt_probe *p)
{
	struct wire_account *books = &begin_end_context.books[p - rt_script.probes];
	struct rt_ctx *c = &begin_end_context.ctx;
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
	begin_end_runner = current;
	begin_end_used = current->se.sum_exec_runtime;
	p->handler(c);
	begin_end_runner = NULL;
	failed = ctx_end(c);
	books->completed++;
	books->errors += failed;
	if (books_timing)
		books_time(books, c, get_cycles() - began);
	cond_resched();
	return failed;
}

void begin_end_run(enum rt_phase phase)
{
	u32 f, i;

	for (f = 0; f < rt_script.nfamilies; f++) {
		const struct rt_begin_end *row = rt_script.families[f].rows;

		if (rt_script.families[f].family != &rt_family_begin_end)
			continue;
		for (i = 0; i < rt_script.families[f].nrows && !run_is_abandoned(); i++) {
			if (row[i].probe->phase != phase ||
			    (phase == RT_BEGIN && atomic_read(&run_state.exit_requested)))
				continue;		/* exit() also ends begin probes */
			if (!begin_end_run_one(row[i].probe))
				continue;
			if (atomic64_inc_return(&run_state.errors) <= rt_script.limits.maxerrors ||
			    phase == RT_ERROR)
				continue;
			atomic_set(&run_state.failed, 1);
			return;
		}
	}
}

void begin_end_partial(void)
{
	begin_end_context.ctx.cpu = begin_end_context.ctx.part = raw_smp_processor_id();
	begin_end_context.ctx.may_wait = 1;
	core_partial(&begin_end_context.ctx);
}
