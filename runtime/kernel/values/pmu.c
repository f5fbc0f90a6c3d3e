// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmu.c - see pmu.h. perf extends counters to 64 bits and preserves them across its own scheduling;
 * we read them as perf_event_read_local() does for an event of this CPU. Sampling is in
 * family_pmu.c.
 */
#include "runtime/kernel/values/pmu.h"

#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/math64.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>

#include "runtime/core/core.h"
#include "runtime/core/ctx.h"
#include "runtime/core/refuse.h"
#include "runtime/core/vcount.h"
#include "runtime/kernel/base/fault_inject.h"
#include "runtime/kernel/base/hotplug.h"

struct pmu_cpu {
	struct vcount_cpu	threads;	/* this CPU's, interrupts off */
	/* changed on this CPU only, interrupts off; NULL: this CPU cannot count it */
	struct perf_event	*event[RT_MAXEVENTS];
	/* the counts of the events that it had before it went offline */
	u64			before[RT_MAXEVENTS];
};

static DEFINE_PER_CPU(struct pmu_cpu, pmu_cpus);
static int pmu_runs;			/* counters are open */
/* bit i: event i was not counted while a CPU came online again; pmu_work only */
static u32 pmu_gaps;
static struct vcount pmu_threads;
static struct tracepoint *pmu_switch, *pmu_free;

/* ---- events ----------------------------------------------------------------------*/

void pmu_describe(const struct rt_event *event, u64 period, struct perf_event_attr *attr)
{
	*attr = (struct perf_event_attr){
		.type = event->type,
		.size = sizeof(*attr),
		.config = event->config[0],
		.config1 = event->config[1],
		.config2 = event->config[2],
		.sample_period = period,
		.pinned = 1,
		.precise_ip = event->precise,
		.exclude_user = !!(event->exclude & RT_NOT_USER),
		.exclude_kernel = !!(event->exclude & RT_NOT_KERNEL),
		.exclude_hv = !!(event->exclude & RT_NOT_HYPERVISOR),
	};
}

static const struct refusal pmu_refusals[] = {
	{ -EBUSY,	RUN_COUNTERS },
	{ -ENOENT,	RUN_EVENT_NONE },
	{ -EOPNOTSUPP,	RUN_EVENT_NONE },
	{ -ENODEV,	RUN_EVENT_NONE },
	{ 0,		RUN_EVENT },
};

void pmu_refuse(const struct rt_event *event, int cpu, int rc)
{
	char text[160];

	scnprintf(text, sizeof(text), "'%s' on CPU %d (rc %d)", event->name, cpu, rc);
	core_error(refusal_row(pmu_refusals, rc), text);
}

/* A pinned event without a free counter is in an error state. */
static struct perf_event *pmu_open(const struct rt_event *event, u32 cpu)
{
	struct perf_event_attr attr;
	struct perf_event *e;

	pmu_describe(event, 0, &attr);
	e = fault_inject_error()
		    ? ERR_PTR(-ENOMEM)
		    : perf_event_create_kernel_counter(&attr, (int)cpu, NULL, NULL, NULL);
	if (!IS_ERR(e) && e->state != PERF_EVENT_STATE_ACTIVE) {
		perf_event_release_kernel(e);
		e = ERR_PTR(-EBUSY);
	}
	return e;
}

/*
 * An event of one CPU type is counted on those CPUs: elsewhere opening fails with ENOENT. 0, or
 * -errno, reported.
 */
static int pmu_open_all(u32 i)
{
	const struct rt_event *event = &rt_script.events[i];
	int found = 0;
	u32 cpu;

	for_each_online_cpu(cpu) {
		struct perf_event *e = pmu_open(event, cpu);

		if (!IS_ERR(e)) {
			per_cpu(pmu_cpus, cpu).event[i] = e;
			found = 1;
		} else if (PTR_ERR(e) != -ENOENT) {
			pmu_refuse(event, (int)cpu, (int)PTR_ERR(e));
			return (int)PTR_ERR(e);
		}
	}
	if (!found)
		pmu_refuse(event, 0, -ENOENT);
	return found ? 0 : -ENOENT;
}

/*
 * On the event's own CPU, interrupts off. An event that perf stopped keeps its count; one that this
 * CPU cannot count has none.
 */
static __always_inline u64 pmu_read(void *data, u32 i)
{
	struct perf_event *e = ((struct pmu_cpu *)data)->event[i];

	if (!e)
		return 0;
	if (likely(READ_ONCE(e->state) == PERF_EVENT_STATE_ACTIVE))
		e->pmu->read(e);
	return ((struct pmu_cpu *)data)->before[i] + (u64)local64_read(&e->count);
}

/* ---- threads ---------------------------------------------------------------------*/

static noinline notrace void pmu_share(struct pmu_cpu *c, const struct task_struct *next)
{
	vcount_switch(&pmu_threads, &c->threads, next, pmu_read, c);
}

/*
 * The scheduler is about to switch to another task; interrupts are off. data: pmu_threads. While no
 * thread is counted this takes a few instructions, of which half would be a frame for the call, as
 * kernels are built without tail calls.
 */
static notrace __attribute__((optimize("optimize-sibling-calls")))
void SWITCHED(pmu_switched)
{
	struct pmu_cpu *c = this_cpu_ptr(&pmu_cpus);

	c->threads.task = next;
	if (unlikely(READ_ONCE(((struct vcount *)data)->threads)))
		pmu_share(c, next);
}

/* The task has been switched out of its last CPU. */
static notrace void pmu_freed(void *data, struct task_struct *task)
{
	if (READ_ONCE(pmu_threads.threads))
		vcount_leave(&pmu_threads, task);
}

static void pmu_find(struct tracepoint *tp, void *data)
{
	if (!strcmp(tp->name, "sched_switch"))
		pmu_switch = tp;
	else if (!strcmp(tp->name, "sched_process_free"))
		pmu_free = tp;
}

static void pmu_set_task(void *data)
{
	this_cpu_ptr(&pmu_cpus)->threads.task = current;
}

static int pmu_follow(void)
{
	int rc;

	for_each_kernel_tracepoint(pmu_find, NULL);
	if (!pmu_switch || !pmu_free)
		return -ENOENT;
	rc = fault_inject_error() ?: tracepoint_probe_register(pmu_free, (void *)pmu_freed, NULL);
	if (rc)
		return rc;
	rc = fault_inject_error()
		     ?: tracepoint_probe_register(pmu_switch, (void *)pmu_switched, &pmu_threads);
	if (rc)
		tracepoint_probe_unregister(pmu_free, (void *)pmu_freed, NULL);
	else
		on_each_cpu(pmu_set_task, NULL, 1);
	return rc;
}

static void pmu_unfollow(void)
{
	tracepoint_probe_unregister(pmu_switch, (void *)pmu_switched, &pmu_threads);
	tracepoint_probe_unregister(pmu_free, (void *)pmu_freed, NULL);
	tracepoint_synchronize_unregister();
}

/* ---- CPUs that come online ---------------------------------------------------------*/

struct pmu_arrival {
	u32			event;
	struct perf_event	*came, *gone;	/* gone: the event that the CPU had before */
};

/* On that CPU, interrupts off. Continues from the earlier counts. */
static void pmu_exchange(void *data)
{
	struct pmu_arrival *a = data;
	struct pmu_cpu *c = this_cpu_ptr(&pmu_cpus);

	a->gone = c->event[a->event];
	if (a->gone)
		c->before[a->event] += (u64)local64_read(&a->gone->count);
	c->event[a->event] = a->came;
}

/*
 * perf has removed the events of a CPU that went offline. Until this has run, a CPU that is back
 * online counts nothing, which is reported.
 */
static void pmu_refresh(struct work_struct *work)
{
	u32 cpu, i;

	cpus_read_lock();
	for_each_online_cpu(cpu)
		for (i = 0; i < rt_script.nevents; i++) {
			struct perf_event *e = per_cpu(pmu_cpus, cpu).event[i];
			struct pmu_arrival a = { .event = i };

			if (e && e->state >= PERF_EVENT_STATE_INACTIVE)
				continue;
			a.came = pmu_open(&rt_script.events[i], cpu);
			if (IS_ERR(a.came)) {
				pmu_gaps |= e ? 1U << i : 0;
				continue;
			}
			pmu_gaps |= 1U << i;
			smp_call_function_single((int)cpu, pmu_exchange, &a, 1);
			if (a.gone)
				perf_event_release_kernel(a.gone);
		}
	cpus_read_unlock();
}

static DECLARE_WORK(pmu_work, pmu_refresh);

/* ---- what handlers read ------------------------------------------------------------*/

DEFINE_PER_CPU(const struct pmu_copy *, pmu_copied);

notrace void pmu_copy_counts(struct pmu_copy *copy)
{
	struct pmu_cpu *cpu = this_cpu_ptr(&pmu_cpus);
	const struct vcount_thread *own =
		cpu->threads.task == current ? READ_ONCE(cpu->threads.own) : NULL;
	u32 i;

	copy->counted = 0;
	copy->is_thread = own != NULL;
	for (i = 0; i < rt_script.nevents; i++) {
		if (rt_script.events[i].type == PERF_TYPE_SOFTWARE)
			continue;
		copy->counted |= 1U << i;
		copy->of_cpu[i] = pmu_read(cpu, i);
		if (own)
			copy->of_thread[i] = own->sum[i] + copy->of_cpu[i] - cpu->threads.start[i];
	}
}

/* The count of the current thread, or of the CPU. */
static __always_inline s64 pmu_ask(struct rt_ctx *c, u32 event, int of_cpu)
{
	const struct pmu_copy *copy = pmu_copy_of(c);
	unsigned long flags;
	struct pmu_cpu *cpu;
	u64 value = 0;
	int known = 1;

	if (unlikely(copy) && copy->counted & 1U << event && (of_cpu || copy->is_thread))
		return (s64)(of_cpu ? copy->of_cpu[event] : copy->of_thread[event]);
	raw_local_irq_save(flags);
	cpu = this_cpu_ptr(&pmu_cpus);
	if (of_cpu)
		value = pmu_read(cpu, event);
	else
		known = vcount_value(&pmu_threads, &cpu->threads, current, event, pmu_read, cpu,
				     &value);
	raw_local_irq_restore(flags);
	if (unlikely(!known))
		ctx_fail(c, RUN_THREADS);
	return (s64)value;
}

notrace s64 rt_pmu(struct rt_ctx *c, s64 event)
{
	return pmu_ask(c, (u32)event, 0);
}

notrace s64 rt_pmu_system(struct rt_ctx *c, s64 event)
{
	return pmu_ask(c, (u32)event, 1);
}

notrace void rt_count_thread(struct rt_ctx *c, s64 thread)
{
	if (pmu_threads.rows && !vcount_enter(&pmu_threads, (void *)(unsigned long)thread))
		ctx_fail(c, RUN_THREADS);
}

notrace s64 rt_mixed_since(struct rt_ctx *c, s64 ns)
{
	return pmu_threads.rows && vcount_find(&pmu_threads, current)
		       ? 0
		       : RT_MIXED_TIME | RT_MIXED_COUNTS;
}

/* A pinned event that perf stopped stays stopped; an event of another CPU type does not exist. */
notrace struct rt_str rt_pmu_quality(s64 event)
{
	u32 cpu;

	if (READ_ONCE(pmu_gaps) & 1U << event)
		return RT_STR("partial");
	for_each_online_cpu(cpu) {
		const struct perf_event *e = per_cpu(pmu_cpus, cpu).event[event];

		if (!e || READ_ONCE(e->state) != PERF_EVENT_STATE_ACTIVE)
			return RT_STR("partial");
	}
	return RT_STR("exact");
}

/* ---- start and stop ----------------------------------------------------------------*/

static void pmu_close_all(void)
{
	u32 cpu, i;

	hotplug_leave(&pmu_work);
	for_each_possible_cpu(cpu)
		for (i = 0; i < rt_script.nevents; i++)
			if (per_cpu(pmu_cpus, cpu).event[i])
				perf_event_release_kernel(per_cpu(pmu_cpus, cpu).event[i]);
	runtime_free(pmu_threads.rows);
	for_each_possible_cpu(cpu)
		per_cpu(pmu_cpus, cpu) = (struct pmu_cpu){ 0 };
	pmu_runs = 0;
	pmu_threads = (struct vcount){ 0 };
}

int pmu_start(void)
{
	int rc = -ENOMEM;
	u32 i;

	if (!rt_script.nevents)
		return 0;
	pmu_threads.n = rt_script.nevents;
	pmu_threads.bytes = vcount_row_bytes(rt_script.nevents);
	pmu_threads.rows = runtime_alloc((u64)VCOUNT_SLOTS * pmu_threads.bytes);
	if (pmu_threads.rows) {
		cpus_read_lock();
		for (i = 0, rc = 0; i < rt_script.nevents && !rc; i++)
			rc = pmu_open_all(i);
		if (!rc)
			rc = hotplug_follow(&pmu_work);
		cpus_read_unlock();
	}
	if (!rc)
		rc = pmu_follow();
	if (rc)
		pmu_close_all();
	pmu_runs = !rc;
	return rc;
}

/* CPUs that did not count it at all; the first one is reported. */
static void pmu_warn_absent(u32 i)
{
	u32 cpu, first = 0, absent = 0;
	char text[256];

	for_each_online_cpu(cpu)
		if (!per_cpu(pmu_cpus, cpu).event[i] && !absent++)
			first = cpu;
	if (!absent)
		return;
	scnprintf(
		text, sizeof(text),
		"event '%s' was not counted on %u of %u CPUs (the first is %u): its counts are partial",
		rt_script.events[i].name, absent, num_online_cpus(), first);
	runtime_message(WIRE_WARNING, 0, text, strlen(text) + 1);
}

/* Nothing was counted on a CPU between its coming online and the opening of its event. */
static void pmu_warn_gap(u32 i)
{
	char text[200];

	if (!(pmu_gaps & 1U << i))
		return;
	scnprintf(
		text, sizeof(text),
		"event '%s' was not counted at once on a CPU that came online: its counts are partial",
		rt_script.events[i].name);
	runtime_message(WIRE_WARNING, 0, text, strlen(text) + 1);
}

/* perf knows how long an event was enabled, and how long it counted. */
static void pmu_warn(u32 cpu, u32 i)
{
	u64 wanted = 0, counted = 0;
	char text[256];

	perf_event_read_value(per_cpu(pmu_cpus, cpu).event[i], &wanted, &counted);
	if (counted >= wanted)
		return;
	scnprintf(
		text, sizeof(text),
		"event '%s' was counted for only %llu %% of the time on CPU %u: its counts are partial",
		rt_script.events[i].name, div64_u64(100 * counted, wanted), cpu);
	runtime_message(WIRE_WARNING, 0, text, strlen(text) + 1);
}

void pmu_stop(void)
{
	u32 cpu, i;

	if (!pmu_runs)
		return;
	pmu_unfollow();
	hotplug_leave(&pmu_work);
	for (i = 0; i < rt_script.nevents; i++) {
		pmu_warn_absent(i);
		pmu_warn_gap(i);
	}
	for_each_online_cpu(cpu)
		for (i = 0; i < rt_script.nevents; i++)
			if (per_cpu(pmu_cpus, cpu).event[i])
				pmu_warn(cpu, i);
	pmu_close_all();
}
