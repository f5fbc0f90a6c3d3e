// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * family_pmu.c - pmu.profile, perf.type: a perf event per row and CPU; its overflow is the hit.
 *
 * If the overflow is an NMI, the interrupted state is copied, and the handler runs on the same CPU
 * as soon as interrupts are allowed; the handler of a .nmi probe runs at once. Counting for $pmu is
 * in pmu.c.
 */
#include <linux/cpu.h>
#include <linux/irq_work.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/perf_event.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/tick.h>
#include <linux/workqueue.h>

#include "runtime/core/core.h"
#include "runtime/core/event_kind.h"
#include "runtime/core/refuse.h"
#include "runtime/core/sampling.h"
#include "runtime/core/vary.h"
#include "runtime/kernel/base/fault_inject.h"
#include "runtime/kernel/base/hotplug.h"
#include "runtime/kernel/compat/compat_names.h"
#include "runtime/kernel/context/enter.h"
#include "runtime/kernel/probes/family.h"
#include "runtime/kernel/base/run_state.h"
#include "runtime/kernel/stacks/stack.h"
#include "runtime/kernel/values/pmu.h"

#define SAMPLES_PENDING	16	/* samples per CPU that wait for their handlers; a power of two */

struct pmu_sampler {
	/* NULL: this CPU cannot count the event, or is offline */
	struct perf_event	*event;
	const struct rt_pmu	*row;
	/* Used by its CPU's overflows only, while the event is open: */
	struct vary		vary;
	/* overflows; the sum of their periods, from perf */
	u64			samples, covered;
	/* overflows in the idle task; the CPU's idle time when the event was opened, ns */
	u64			idle, idle_since;
};

/* A sample's data besides registers, if the probe uses it and the PMU provides it; otherwise 0. */
struct pmu_facts {
	u64			addr, source;
	struct sample_latencies	latency;
	u32			nbranches;
	struct { u64 from, to; u16 cycles; u16 missed; } branch[RT_BRANCHES];
};

struct pmu_sample {
	const struct rt_probe	*probe;
	struct task_struct	*task;		/* only compared */
	struct pmu_copy		copy;
	struct pmu_facts	facts;
};

/* Written by NMIs of the CPU, read by its irq_work. */
struct pmu_queue {
	struct irq_work		work;
	u32			head, tail;
	struct pmu_sample	sample[SAMPLES_PENDING];
};

/* [rows][nr_cpu_ids]; the array is constant between start and stop */
static struct pmu_sampler *samplers;
static u32 sampler_rows;
static struct pmu_queue *pmu_queues;	/* [nr_cpu_ids] */
static u64 *pmu_frames;			/* stacks of the queued samples; NULL: no stacks needed */
/* data of the current handler's sample */
static DEFINE_PER_CPU(const struct pmu_facts *, pmu_told);

/*
 * Shorter periods are not varied: events that are counted one by one have no cycle that a period
 * could beat with.
 */
#define PERIOD_SHORT	8

static notrace int sampler_varies(const struct rt_pmu *row)
{
	return !row->exact && row->period >= PERIOD_SHORT;
}

/*
 * Counts an overflow and draws a period. perf uses it for the current period, or for the next one.
 */
static notrace void sampler_vary(struct pmu_sampler *s, struct perf_event *event)
{
	s->samples++;
	s->covered += event->hw.last_period;
	s->idle += is_idle_task(current);
	if (sampler_varies(s->row))
		event->hw.sample_period = vary_next(&s->vary, s->row->period);
}

static notrace int sample_is_wanted(const struct rt_pmu *row)
{
	return !row->process || !strncmp(row->process, current->comm, sizeof(current->comm) - 1);
}

/* ---- data of a sample -----------------------------------------------------------------*/

static notrace void facts_take(struct pmu_facts *f, const struct rt_probe *p,
			       const struct perf_sample_data *data)
{
	const struct perf_branch_stack *b;

	f->addr = f->source = f->nbranches = 0;
	f->latency = (struct sample_latencies){ 0 };
	if (!(p->capture & (RT_CAP_PRECISE | RT_CAP_BRANCHES)) || !data)
		return;
	f->addr = sample_has(data, PERF_SAMPLE_ADDR) ? data->addr : 0;
	if (sample_has(data, SAMPLE_WEIGHTS))
		f->latency = sample_latencies(data);
	f->source = sample_has(data, PERF_SAMPLE_DATA_SRC) ? data->data_src.val : 0;
	b = p->capture & RT_CAP_BRANCHES && sample_has(data, PERF_SAMPLE_BRANCH_STACK)
		    ? data->br_stack
		    : NULL;
	for (; b && f->nbranches < b->nr && f->nbranches < RT_BRANCHES; f->nbranches++) {
		f->branch[f->nbranches].from = b->entries[f->nbranches].from;
		f->branch[f->nbranches].to = b->entries[f->nbranches].to;
		f->branch[f->nbranches].cycles = b->entries[f->nbranches].cycles;
		f->branch[f->nbranches].missed = b->entries[f->nbranches].mispred;
	}
}

notrace s64 rt_sampled(struct rt_ctx *c, s64 what)
{
	const struct pmu_facts *f = this_cpu_read(pmu_told);

	return !f ? 0
		  : (s64)(what == RT_SAMPLED_ADDR	   ? f->addr
			  : what == RT_SAMPLED_LATENCY	   ? f->latency.access
			  : what == RT_SAMPLED_INSTRUCTION ? f->latency.instruction
			  : what == RT_SAMPLED_RETIRE	   ? f->latency.retire
							   : f->source);
}

notrace s64 rt_branch_from(struct rt_ctx *c, s64 n)
{
	const struct pmu_facts *f = this_cpu_read(pmu_told);

	return f && n >= 0 && n < f->nbranches ? (s64)f->branch[n].from : 0;
}

notrace s64 rt_branch_to(struct rt_ctx *c, s64 n)
{
	const struct pmu_facts *f = this_cpu_read(pmu_told);

	return f && n >= 0 && n < f->nbranches ? (s64)f->branch[n].to : 0;
}

notrace s64 rt_branch_missed(struct rt_ctx *c, s64 n)
{
	const struct pmu_facts *f = this_cpu_read(pmu_told);

	return f && n >= 0 && n < f->nbranches ? f->branch[n].missed : 0;
}

notrace s64 rt_branch_cycles(struct rt_ctx *c, s64 n)
{
	const struct pmu_facts *f = this_cpu_read(pmu_told);

	return f && n >= 0 && n < f->nbranches ? f->branch[n].cycles : 0;
}

/*
 * Runs the handler, in an NMI or not, with the sample's data; afterwards an interrupted handler has
 * its own data again. 1: as enter_nmi().
 */
static notrace int facts_enter(const struct rt_probe *p, struct pt_regs *regs,
			       const struct pmu_facts *f)
{
	const struct pmu_facts *before = this_cpu_read(pmu_told);
	int rc = 0;

	this_cpu_write(pmu_told, f);
	if (in_nmi())
		rc = enter_nmi(p, regs);
	else
		enter_probe(p, regs);
	this_cpu_write(pmu_told, before);
	return rc;
}

/* ---- samples ----------------------------------------------------------------------*/

/*
 * Handles the CPU's samples that came as NMIs. If they came during a context switch, the current
 * task may be another one: those are missed.
 */
static void samples_run(struct irq_work *work)
{
	struct pmu_queue *q = container_of(work, struct pmu_queue, work);

	while (q->tail != READ_ONCE(q->head)) {
		struct pmu_sample *s = &q->sample[q->tail & (SAMPLES_PENDING - 1)];

		barrier();
		this_cpu_write(pmu_copied, &s->copy);
		if (s->task == current)
			facts_enter(s->probe, &s->copy.regs, &s->facts);
		else
			context_books(context_here(), s->probe)->missed_nmi++;
		barrier();
		WRITE_ONCE(q->tail, q->tail + 1);
	}
	this_cpu_write(pmu_copied, NULL);
	enter_nmi_end();
}

static notrace void copy_take(struct pmu_copy *copy, const struct rt_probe *probe,
			      struct pt_regs *regs)
{
	copy->regs = *regs;
	copy->depth = copy->counted = 0;
	if (probe->capture & RT_CAP_STACK && !user_mode(regs))
		copy->depth =
			stack_walk(&copy->regs, copy->frame, rt_script.limits.maxbacktrace);
	if (probe->capture & RT_CAP_PMU)
		pmu_copy_counts(copy);
}

static notrace void sample_keep(const struct rt_probe *probe, struct pt_regs *regs,
				const struct perf_sample_data *data)
{
	struct pmu_queue *q = &pmu_queues[raw_smp_processor_id()];
	struct pmu_sample *s = &q->sample[q->head & (SAMPLES_PENDING - 1)];

	if (q->head - READ_ONCE(q->tail) >= SAMPLES_PENDING) {
		context_books(context_here(), probe)->missed_nmi++;
		return;
	}
	s->probe = probe;
	s->task = current;
	copy_take(&s->copy, probe, regs);
	facts_take(&s->facts, probe, data);
	barrier();
	WRITE_ONCE(q->head, q->head + 1);
	irq_work_queue(&q->work);
}

static notrace void sample_came(struct perf_event *event, struct perf_sample_data *data,
				struct pt_regs *regs)
{
	struct pmu_sampler *s = event->overflow_handler_context;
	struct pmu_facts facts;

	sampler_vary(s, event);		/* the first sample may come before s->event is set */
	if (!regs || READ_ONCE(run_gate) < 0 || !sample_is_wanted(s->row))
		return;
	if (unlikely(READ_ONCE(sampling_off))) {
		context_books(context_here(), s->row->probe)->condition_off++;
		return;
	}
	if (in_nmi() && !(s->row->probe->capture & RT_CAP_NMI)) {
		sample_keep(s->row->probe, regs, data);
		return;
	}
	facts_take(&facts, s->row->probe, data);
	if (facts_enter(s->row->probe, regs, &facts))
		irq_work_queue(&pmu_queues[raw_smp_processor_id()].work);
}

static int sampler_is_clock(const struct rt_event *e)
{
	return event_is_clock(e->type, e->config[0]);
}

static int sampler_counts_what_it_samples(const struct rt_event *e)
{
	return !sampler_is_clock(e) || !e->exclude;
}

/* 0: unknown. */
static u64 sampler_idle_ns(u32 cpu)
{
	u64 idle = get_cpu_idle_time_us((int)cpu, NULL),
	    waiting = get_cpu_iowait_time_us((int)cpu, NULL);

	return idle == U64_MAX || waiting == U64_MAX ? 0 : (idle + waiting) * NSEC_PER_USEC;
}

/*
 * The part of a clock's missing samples that belongs to idle time. If most samples due in idle time
 * came (beyond chance), the CPU is sampled when idle, and the missing ones belong to busy time.
 */
static u64 sampler_asleep(const struct pmu_sampler *s, u64 missing, u64 period)
{
	u64 now = sampler_idle_ns((u32)s->event->cpu),
	    due = now > s->idle_since ? div64_u64(now - s->idle_since, period) : 0;

	return due > 2 * s->idle ? min(missing, due - s->idle + 3 * int_sqrt64(due)) : 0;
}

/*
 * Counted events without a sample, in samples. One may be pending, and a period's sample may fall
 * into the next.
 */
static u64 sampler_lost(const struct pmu_sampler *s, u64 count)
{
	u64 period = s->row->period, expected,
	    spare = s->row->exact && s->row->event.type == PERF_TYPE_SOFTWARE ? 0 : 1;

	if (period) {
		expected = div64_u64(count, period);
		spare += sampler_varies(s->row);
	} else {
		/* chosen by perf for the requested rate */
		period = max(s->event->hw.sample_period, 1ULL);
		expected = s->samples +
			   (count > s->covered ? div64_u64(count - s->covered, period) : 0);
	}
	expected -= min(expected, s->samples);
	if (sampler_is_clock(&s->row->event) && expected > spare)
		expected -= sampler_asleep(s, expected, period);
	return expected > spare ? expected : 0;
}

/*
 * Closes the event; accounts for counted but unsampled events. An event that had to wait for a
 * counter missed samples in proportion.
 */
static void sampler_close(struct pmu_sampler *s)
{
	u64 wanted = 0, counted = 0, count, lost;
	struct wire_account *books;
	unsigned long flags;
	int known;

	if (!s->event)
		return;
	known = sampler_counts_what_it_samples(&s->row->event);
	count = perf_event_read_value(s->event, &wanted, &counted);
	lost = known ? sampler_lost(s, count) : 0;
	if (counted < wanted)
		lost += div64_u64(s->samples * ((wanted - counted) >> 10), (counted >> 10) + 1) + 1;
	perf_event_release_kernel(s->event);
	s->event = NULL;
	s->samples = s->covered = s->idle = 0;
	raw_local_irq_save(flags);
	books = context_books(context_here(), s->row->probe);
	books->missed_unsampled += lost;
	books->skips_unknown |= !known;
	raw_local_irq_restore(flags);
}

static struct perf_event *sampler_open(struct pmu_sampler *s, u32 cpu)
{
	struct perf_event_attr attr;
	struct perf_event *e;

	pmu_describe(&s->row->event, s->row->period, &attr);
	if (s->row->probe->capture & RT_CAP_PRECISE)
		attr.sample_type |= PERF_SAMPLE_ADDR | SAMPLE_WEIGHTS | PERF_SAMPLE_DATA_SRC;
	if (s->row->probe->capture & RT_CAP_BRANCHES) {
		attr.sample_type |= PERF_SAMPLE_BRANCH_STACK;
		attr.branch_sample_type = PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_USER |
					  PERF_SAMPLE_BRANCH_KERNEL;
	}
	if (!s->row->period) {
		attr.freq = 1;
		attr.sample_freq = s->row->hertz;
	}
	s->vary = vary_seeded(get_random_u64());
	s->idle_since = sampler_idle_ns(cpu);
	if (sampler_varies(s->row))
		attr.sample_period = 1 + vary_draw(&s->vary, s->row->period);
	e = fault_inject_error()
		    ? ERR_PTR(-ENOMEM)
		    : perf_event_create_kernel_counter(&attr, (int)cpu, NULL, sample_came, s);
	if (!IS_ERR(e) && e->state != PERF_EVENT_STATE_ACTIVE) {
		perf_event_release_kernel(e);
		e = ERR_PTR(-EBUSY);
	}
	return e;
}

/* As pmu_open_all(). */
static int sampler_open_all(const struct rt_pmu *row, struct pmu_sampler *s)
{
	int found = 0;
	u32 cpu;

	for (cpu = 0; cpu < nr_cpu_ids; cpu++)
		s[cpu].row = row;
	for_each_online_cpu(cpu) {
		struct perf_event *e;

		e = sampler_open(&s[cpu], cpu);
		if (!IS_ERR(e)) {
			s[cpu].event = e;
			found = 1;
		} else if (PTR_ERR(e) != -ENOENT) {
			pmu_refuse(&row->event, (int)cpu, (int)PTR_ERR(e));
			return (int)PTR_ERR(e);
		}
	}
	if (!found)
		pmu_refuse(&row->event, 0, -ENOENT);
	return found ? 0 : -ENOENT;
}

/* Reopens the events of CPUs that came online: perf had removed them. */
static void sampler_refresh(struct work_struct *work)
{
	u32 i, cpu;

	cpus_read_lock();
	for_each_online_cpu(cpu)
		for (i = 0; i < sampler_rows; i++) {
			struct pmu_sampler *s = &samplers[i * nr_cpu_ids + cpu];
			struct perf_event *e;

			if (!s->row || (s->event && s->event->state >= PERF_EVENT_STATE_INACTIVE))
				continue;
			sampler_close(s);
			e = sampler_open(s, cpu);
			if (!IS_ERR(e))
				s->event = e;
			else if (PTR_ERR(e) != -ENOENT)
				pmu_refuse(&s->row->event, (int)cpu, (int)PTR_ERR(e));
		}
	cpus_read_unlock();
}

static DECLARE_WORK(sampler_work, sampler_refresh);

static void sampler_stop(const void *rows, u32 nrows)
{
	u32 i;

	hotplug_leave(&sampler_work);
	for (i = 0; samplers && i < nrows * nr_cpu_ids; i++)
		sampler_close(&samplers[i]);
	for (i = 0; pmu_queues && i < nr_cpu_ids; i++)
		irq_work_sync(&pmu_queues[i].work);
	runtime_free(samplers);
	runtime_free(pmu_queues);
	runtime_free(pmu_frames);
	samplers = NULL;
	pmu_queues = NULL;
	pmu_frames = NULL;
}

/* A .nmi probe's variables have a part for each CPU's NMIs, unless they are too large for that. */
static int sampler_check(const struct rt_probe *p)
{
	if (!(p->capture & RT_CAP_NMI) || !p->nsteps)
		return 0;
	core_error(RUN_NMI_ARRAYS, NULL);
	return -E2BIG;
}

/* 0, or -ENOMEM: what was allocated by then stays. */
static int queues_make(void)
{
	u32 depth = rt_script.capture & RT_CAP_STACK ? rt_script.limits.maxbacktrace : 0, i, k;

	pmu_queues = runtime_alloc((u64)nr_cpu_ids * sizeof(*pmu_queues));
	pmu_frames = depth ? runtime_alloc((u64)nr_cpu_ids * SAMPLES_PENDING * depth *
					   sizeof(*pmu_frames))
			   : NULL;
	if (!pmu_queues || (depth && !pmu_frames))
		return -ENOMEM;
	for (i = 0; i < nr_cpu_ids; i++) {
		/* an interrupt with PREEMPT_RT, too: a thread would be another task than the sample's */
		pmu_queues[i].work = IRQ_WORK_INIT_HARD(samples_run);
		for (k = 0; k < SAMPLES_PENDING; k++)
			pmu_queues[i].sample[k].copy.frame =
				pmu_frames + ((u64)i * SAMPLES_PENDING + k) * depth;
	}
	return 0;
}

static int sampler_start(const void *rows, u32 nrows)
{
	const struct rt_pmu *row = rows;
	int rc;
	u32 i;

	samplers = runtime_alloc((u64)nrows * nr_cpu_ids * sizeof(*samplers));
	rc = queues_make();
	if (!samplers || rc) {
		sampler_stop(rows, nrows);
		return -ENOMEM;
	}
	cpus_read_lock();
	for (i = 0; i < nrows && !rc; i++)
		rc = sampler_check(row[i].probe);
	for (i = 0; i < nrows && !rc; i++)
		if (row[i].period || row[i].hertz)
			rc = sampler_open_all(&row[i], &samplers[i * nr_cpu_ids]);
	sampler_rows = nrows;
	if (!rc)
		rc = hotplug_follow(&sampler_work);
	cpus_read_unlock();
	if (rc)
		sampler_stop(rows, nrows);
	return rc;
}

const struct rt_family rt_family_pmu = {
	.name	= "pmu",
	.start	= sampler_start,
	.stop	= sampler_stop,
};
