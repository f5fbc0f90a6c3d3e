// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fake_pmu.c - a PMU, of perf type 100, whose samples come with everything that hardware may tell, and known: data address, latencies and
 * the last two branches. Config 1 is on all processors, config 2 on the first only, as on machines with processors of several kinds.
 * Writing N to parameters/shots makes N overflows of the events that sample on this processor. Counters stay at 0, but for config 3:
 * nmi_shots, each in what looks like an NMI while interrupts are off, add 1 before it, and 1,000 before interrupts come.
 */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/version.h>

#define FAKE_TYPE 100

static DEFINE_PER_CPU(struct perf_event *, sampler);
static struct pmu fake;

static int fake_init(struct perf_event *event)
{
	if (event->attr.type != FAKE_TYPE || (event->attr.config == 2 && event->cpu != 0))
		return -ENOENT;
	return 0;
}

static int fake_add(struct perf_event *event, int flags)
{
	if (is_sampling_event(event) && event->overflow_handler)
		this_cpu_write(sampler, event);
	return 0;
}

static void fake_del(struct perf_event *event, int flags)
{
	if (this_cpu_read(sampler) == event)
		this_cpu_write(sampler, NULL);
}

static void fake_start(struct perf_event *event, int flags) { }

static u64 counted;
static void fake_read(struct perf_event *event)
{
	if (event->attr.config == 3)
		local64_set(&event->count, counted);
}

static struct pmu fake = {
	.module = THIS_MODULE, .task_ctx_nr = perf_invalid_context, .event_init = fake_init, .add = fake_add, .del = fake_del,
	.start = fake_start, .stop = fake_start, .read = fake_read,
};

static struct {
	struct perf_branch_stack stack;
	struct perf_branch_entry entry[2];
} branches = {
	.stack.nr = 2, .entry = { { .from = 0x1000, .to = 0x1100, .mispred = 1, .cycles = 9 }, { .from = 0x2000, .to = 0x2100, .predicted = 1 } },
};

static void overflow(struct pt_regs *regs)
{
	struct perf_event *event = this_cpu_read(sampler);
	struct perf_sample_data data;

	perf_sample_data_init(&data, 0x12345678, 1000);
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 12, 0)
	data.weight = 77;
#else
	data.weight.var1_dw = 77;
	data.weight.var2_w = 300;
	data.weight.var3_w = 5;
#endif
	data.br_stack = &branches.stack;
	data.data_src.val = PERF_MEM_S(OP, LOAD) | PERF_MEM_S(LVL, HIT) | PERF_MEM_S(LVL, L3) | PERF_MEM_S(LVLNUM, L3) |
			    PERF_MEM_S(SNOOP, HITM) | PERF_MEM_S(LOCK, LOCKED) | PERF_MEM_S(TLB, HIT) | PERF_MEM_S(TLB, L2);
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 1, 0)
	data.sample_flags |= PERF_SAMPLE_WEIGHT_STRUCT | PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_DATA_SRC;
#endif
	if (event)
		event->overflow_handler(event, &data, regs);
}

static void shoot(void)
{
	struct pt_regs regs;
	unsigned long flags;

	local_irq_save(flags);
	perf_fetch_caller_regs(&regs);
	overflow(&regs);
	local_irq_restore(flags);
}

static noinline void fake_point(void) { asm volatile(""); }
static noinline void fake_outer(void) { fake_point(); asm volatile(""); }
static noinline void fake_overwrite(void)
{
	volatile u64 room[64];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(room); i++)
		room[i] = ~0ULL;
}

/* When interrupts come, what was below this function's frame is gone. */
static void shoot_in_nmi(void)
{
	unsigned long flags;

	local_irq_save(flags);
	WRITE_ONCE(counted, counted + 1);
	fake_outer();
	WRITE_ONCE(counted, counted + 1000);
	fake_overwrite();
	local_irq_restore(flags);
}

static int on_point(struct kprobe *kp, struct pt_regs *regs)
{
	__preempt_count_add(NMI_OFFSET);
	overflow(regs);
	__preempt_count_sub(NMI_OFFSET);
	return 0;
}
static struct kprobe point = { .symbol_name = "fake_point", .pre_handler = on_point };

static int shots_set(const char *text, const struct kernel_param *kp)
{
	unsigned int n;
	int rc = kstrtouint(text, 0, &n);
	void (*shot)(void) = kp->arg;

	while (!rc && n--)
		shot();
	return rc;
}
static const struct kernel_param_ops shots_ops = { .set = shots_set };
module_param_cb(shots, &shots_ops, shoot, 0200);
module_param_cb(nmi_shots, &shots_ops, shoot_in_nmi, 0200);

static int __init fake_up(void)
{
	int rc = register_kprobe(&point);

	if (rc)
		return rc;
	rc = perf_pmu_register(&fake, "fake_pmu", FAKE_TYPE);
	if (rc)
		unregister_kprobe(&point);
	return rc;
}

static void __exit fake_down(void)
{
	perf_pmu_unregister(&fake);
	unregister_kprobe(&point);
}

module_init(fake_up);
module_exit(fake_down);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("a PMU whose samples are known, for tests");
