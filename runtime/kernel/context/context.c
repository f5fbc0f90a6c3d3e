// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * context.c - allocates and finds the contexts of hits, and sums up their statistics (context.h).
 *
 * It does not run handlers: enter.c does.
 */
#include "runtime/kernel/context/context.h"

#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/preempt.h>
#include <linux/smp.h>
#include <linux/compiler.h>

#include "runtime/core/backtrace.h"
#include "runtime/core/core.h"
#include "runtime/core/ctx.h"
#include "runtime/core/probe_stats.h"
#include "runtime/kernel/compat/compat_names.h"
#include "runtime/kernel/transport/ring.h"

/* Constant between load and unload. */
static struct context *contexts;	/* [nr_cpu_ids][CONTEXT_LEVELS] */
DEFINE_PER_CPU(struct context *, context_levels);

static struct context *context_at(u32 cpu, u32 level)
{
	return &contexts[cpu * CONTEXT_LEVELS + level];
}

static notrace u32 current_level(void)
{
	if (in_nmi())
		return CONTEXT_NMI;
	if (in_hardirq())
		return CONTEXT_IRQ;
	return in_serving_softirq() ? 1 : 0;
}

static int context_prepare(u32 cpu, u32 level)
{
	struct context *x = context_at(cpu, level);
	void *memory;

	x->books = runtime_alloc((u64)rt_script.nprobes * sizeof(*x->books) + sizeof(*x->books));
	if (!x->books)
		return -ENOMEM;
	memory = runtime_alloc(ctx_bytes());
	if (!memory)
		return -ENOMEM;
	x->memory = memory;
	ctx_init(&x->ctx, memory, cpu, level);
	x->ctx.ring = ring_of(cpu, level == CONTEXT_NMI);
	if (level == CONTEXT_NMI && rt_script.capture & RT_CAP_NMI)
		x->ctx.part = nr_cpu_ids + cpu;
	return 0;
}

int context_load(void)
{
	u32 cpu, level;

	contexts = runtime_alloc((u64)nr_cpu_ids * CONTEXT_LEVELS * sizeof(*contexts));
	if (!contexts)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		per_cpu(context_levels, cpu) = context_at(cpu, 0);
		for (level = 0; level < CONTEXT_LEVELS; level++)
			if (context_prepare(cpu, level)) {
				context_unload();
				return -ENOMEM;
			}
	}
	return 0;
}

void context_unload(void)
{
	u32 i;

	for (i = 0; contexts && i < nr_cpu_ids * CONTEXT_LEVELS; i++) {
		runtime_free(contexts[i].memory);
		runtime_free(contexts[i].books);
	}
	runtime_free(contexts);
	contexts = NULL;
}

notrace struct context *context_of_nmi(void)
{
	return context_at(raw_smp_processor_id(), CONTEXT_NMI);
}

notrace struct context *context_here(void)
{
	return context_at(raw_smp_processor_id(), current_level());
}

int context_active(void)
{
	u32 cpu = raw_smp_processor_id(), level;

	for (level = 0; level < CONTEXT_LEVELS; level++)
		if (READ_ONCE(context_at(cpu, level)->busy))
			return 1;
	return 0;
}

int context_any_active(void)
{
	u32 i;

	for (i = 0; i < nr_cpu_ids * CONTEXT_LEVELS; i++)
		if (READ_ONCE(contexts[i].busy))
			return 1;
	return 0;
}

struct context_use context_used(u32 cpu, u32 level, u32 look)
{
	struct context_use sum = { 0 };

	for (; level < CONTEXT_LEVELS; level++) {
		struct hit_times t = context_at(cpu, level)->times;	/* hits continue
									 * concurrently */

		barrier();
		if (t.look != look)
			continue;
		sum.used += t.used;
		sum.robust += hit_times_robust(&t);
	}
	return sum;
}

void context_account(u32 probe, struct wire_account *sum)
{
	u32 i;

	for (i = 0; i < nr_cpu_ids * CONTEXT_LEVELS; i++)
		if (contexts[i].books)
			probe_stats_add(sum, &contexts[i].books[probe]);
}

void context_names(struct wire_summary *sum)
{
	u32 i;

	for (i = 0; i < nr_cpu_ids * CONTEXT_LEVELS; i++)
		backtrace_names(&contexts[i].ctx, sum);
}
