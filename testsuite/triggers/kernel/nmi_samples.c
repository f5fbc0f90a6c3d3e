// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * nmi_samples.c - delivers samples of two pmu.profile probes on software events in NMIs, as
 * hardware events would: every NMI on a CPU, whoever sends it, is an overflow of both events there.
 * Their number is in parameters/given. A kernel thread spends nearly all of its time with
 * interrupts off.
 */
#include <linux/delay.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/rcupdate.h>
#include <asm/nmi.h>

static atomic_t given_count;
static int given_get(char *buf, const struct kernel_param *kp)
{
	return sprintf(buf, "%d\n", atomic_read(&given_count));
}

static const struct kernel_param_ops given_ops = { .get = given_get };
module_param_cb(given, &given_ops, NULL, 0444);

#define PROBES 2

static DEFINE_PER_CPU(struct perf_event *[PROBES], sampler);

/* Samples from the events' timers show which events to overflow. */
static int on_sample(struct kprobe *kp, struct pt_regs *regs)
{
	struct perf_event **s = this_cpu_ptr(sampler), *event = (struct perf_event *)regs->di;

	if (!s[0])
		s[0] = event;
	else if (s[0] != event)
		s[1] = event;
	return 0;
}
static struct kprobe probe = { .symbol_name = "sample_arrived", .pre_handler = on_sample };

static int are_known(void)
{
	int cpu;

	for_each_online_cpu(cpu)
		if (!(*per_cpu_ptr(&sampler, cpu))[1])
			return 0;
	return 1;
}

static int on_nmi(unsigned int type, struct pt_regs *regs)
{
	struct perf_event **s = this_cpu_ptr(sampler);
	int i;

	atomic_inc(&given_count);
	for (i = 0; i < PROBES; i++)
		s[i]->overflow_handler(s[i], NULL, regs);
	return NMI_DONE;
}

static struct task_struct *busy;
static int be_busy(void *unused)
{
	while (!kthread_should_stop()) {
		local_irq_disable();
		mdelay(2);
		local_irq_enable();
		/*
		 * Without this a grace period of RCU tasks, for which code patching waits, would
		 * last as long as this thread.
		 */
		cond_resched_tasks_rcu_qs();
	}
	return 0;
}

static int __init nmi_samples_up(void)
{
	int rc = register_kprobe(&probe), tries;

	if (rc)
		return rc;
	for (tries = 0; tries < 1000 && !are_known(); tries++)
		msleep(10);
	unregister_kprobe(&probe);
	if (!are_known())
		return -ENOENT;
	rc = register_nmi_handler(NMI_LOCAL, on_nmi, 0, "nmi_samples");
	if (rc)
		return rc;
	busy = kthread_run(be_busy, NULL, "nmi_busy");
	return 0;
}

/* Unload this module before the script's, whose events it refers to. */
static void __exit nmi_samples_down(void)
{
	kthread_stop(busy);
	unregister_nmi_handler(NMI_LOCAL, "nmi_samples");
}

module_init(nmi_samples_up);
module_exit(nmi_samples_down);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("samples in NMIs, for tests");
