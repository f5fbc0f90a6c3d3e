// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fake_spe.c - a PMU named as Arm's SPE is, of perf type 101, which writes known records to the AUX area. Writing N to parameters/shots
 * makes N of them on this processor: loads by fake_spe_load(), with all that a record tells, at the time of the timer that perf's clock
 * comes from. Writing N to parameters/collisions says N times that the hardware dropped samples. Neither is possible (EAGAIN) while no
 * event samples here, as when what was sampled is being read.
 */
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#ifdef CONFIG_ARM64
#include <asm/arch_timer.h>
#define timer() __arch_counter_get_cntvct()
#else
#include <asm/msr.h>
#define timer() rdtsc_ordered()
#endif

#define FAKE_TYPE 101

struct area {
	int	npages;
	void	*pages[];
};

static DEFINE_PER_CPU(struct perf_event *, sampler);
static DEFINE_PER_CPU(struct perf_output_handle, output);
static DEFINE_PER_CPU(struct area *, area);
static DEFINE_PER_CPU(unsigned long, written);
static struct pmu fake;

static void *setup_aux(struct perf_event *event, void **pages, int n, bool overwrite)
{
	struct area *a = overwrite ? NULL : kzalloc(sizeof(*a) + n * sizeof(*a->pages), GFP_KERNEL);

	if (a) {
		a->npages = n;
		memcpy(a->pages, pages, n * sizeof(*pages));
	}
	return a;
}

static void free_aux(void *a) { kfree(a); }

static int fake_init(struct perf_event *event)
{
	return event->attr.type != FAKE_TYPE ? -ENOENT : event->cpu < 0 ? -EINVAL : 0;
}

static void fake_start(struct perf_event *event, int flags)
{
	event->hw.state = 0;
	this_cpu_write(written, 0);
	this_cpu_write(area, perf_aux_output_begin(this_cpu_ptr(&output), event));
	if (this_cpu_read(area))
		this_cpu_write(sampler, event);
	else
		event->hw.state = PERF_HES_STOPPED;
}

static void fake_stop(struct perf_event *event, int flags)
{
	if (event->hw.state & PERF_HES_STOPPED)
		return;
	if (this_cpu_read(area))
		perf_aux_output_end(this_cpu_ptr(&output), this_cpu_read(written));
	this_cpu_write(area, NULL);
	this_cpu_write(sampler, NULL);
	event->hw.state |= PERF_HES_STOPPED;
}

static int fake_add(struct perf_event *event, int flags)
{
	event->hw.state = PERF_HES_STOPPED;
	if (flags & PERF_EF_START)
		fake_start(event, PERF_EF_RELOAD);
	/* as Arm's does: without an AUX area it cannot be on a processor */
	return flags & PERF_EF_START && event->hw.state ? -EINVAL : 0;
}

static void fake_del(struct perf_event *event, int flags) { fake_stop(event, PERF_EF_UPDATE); }
static void fake_read(struct perf_event *event) { }

static struct pmu fake = {
	.module = THIS_MODULE, .task_ctx_nr = perf_invalid_context, .capabilities = PERF_PMU_CAP_EXCLUSIVE, .event_init = fake_init,
	.add = fake_add, .del = fake_del, .start = fake_start, .stop = fake_stop, .read = fake_read, .setup_aux = setup_aux, .free_aux = free_aux,
};

/* ---- records ------------------------------------------------------------------------------*/

static noinline void fake_spe_load(void) { asm volatile(""); }

static void put(u8 byte)
{
	struct area *a = this_cpu_read(area);
	unsigned long at = this_cpu_ptr(&output)->head + this_cpu_read(written);

	((u8 *)a->pages[(at >> PAGE_SHIFT) % a->npages])[at & (PAGE_SIZE - 1)] = byte;
	this_cpu_inc(written);
}

static void put_packet(u8 header, u64 value, unsigned int bytes)
{
	put(header);
	while (bytes--) {
		put((u8)value);
		value >>= 8;
	}
}

static void shoot(void)
{
	fake_spe_load();
	/* EL1: bits 61 and 62 in place of the address's */
	put_packet(0xb0, ((unsigned long)fake_spe_load & ~(0xffUL << 56)) | 1UL << 61, 8);
	put_packet(0x98, 77, 2);			/* total latency */
	put_packet(0x99, 7, 2);				/* until issue */
	put_packet(0x49, 0x06, 1);			/* load, atomic */
	put_packet(0x52, 1 << 2 | 1 << 3 | 1 << 4 | 1 << 5 | 1 << 8, 2);	/* L1 miss, walk, last level hit */
	put_packet(0xb2, 0x12345678, 8);
	if (this_cpu_read(sampler)->attr.config & 1)	/* a time is asked for */
		put_packet(0x71, timer(), 8);
	else
		put(0x01);
}

static void collide(void) { perf_aux_output_flag(this_cpu_ptr(&output), PERF_AUX_FLAG_COLLISION); }

static int number_set(const char *text, const struct kernel_param *kp)
{
	void (*call)(void) = kp->arg;
	unsigned long flags;
	unsigned int n;
	int rc = kstrtouint(text, 0, &n);

	if (rc)
		return rc;
	local_irq_save(flags);
	if (!this_cpu_read(sampler) || this_cpu_read(written) + n * 64 > this_cpu_ptr(&output)->size)
		rc = -EAGAIN;
	while (!rc && n--)
		call();
	local_irq_restore(flags);
	return rc;
}
static const struct kernel_param_ops number_ops = { .set = number_set };
module_param_cb(shots, &number_ops, shoot, 0200);
module_param_cb(collisions, &number_ops, collide, 0200);

static int __init fake_up(void) { return perf_pmu_register(&fake, "arm_spe_0", FAKE_TYPE); }
static void __exit fake_down(void) { perf_pmu_unregister(&fake); }

module_init(fake_up);
module_exit(fake_down);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("an SPE whose samples are known, for tests");
