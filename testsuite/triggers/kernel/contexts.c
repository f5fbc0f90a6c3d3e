// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * contexts.c - a known number of calls in each of the kernel's contexts: writing N to the parameter `go` calls jiffies64_to_nsecs() N times
 * in each, with the context's number times 1000, plus 1 to N. Some of them are threads with PREEMPT_RT.
 */
#include <linux/completion.h>
#include <linux/interrupt.h>
#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("calls in each of the kernel's contexts");

enum { IN_TASK = 1, IN_SPINLOCK, IN_RAW_SPINLOCK, IN_INTERRUPT, IN_TASKLET, IN_IRQ_WORK, IN_WORK };

static DEFINE_SPINLOCK(contexts_lock);
static DEFINE_RAW_SPINLOCK(contexts_raw_lock);
static DECLARE_COMPLETION(contexts_done);
static u64 contexts_value, contexts_result;

static noinline void contexts_call(int context)
{
	WRITE_ONCE(contexts_result, jiffies64_to_nsecs(1000U * context + contexts_value) + 1);
}

static void contexts_interrupt(void *unused)
{
	contexts_call(IN_INTERRUPT);
}

static void contexts_tasklet(struct tasklet_struct *unused)
{
	contexts_call(IN_TASKLET);
	complete(&contexts_done);
}

static void contexts_irq_work(struct irq_work *unused)
{
	contexts_call(IN_IRQ_WORK);
	complete(&contexts_done);
}

static void contexts_work(struct work_struct *unused)
{
	contexts_call(IN_WORK);
	complete(&contexts_done);
}

static DECLARE_TASKLET(contexts_a_tasklet, contexts_tasklet);
static DECLARE_WORK(contexts_a_work, contexts_work);
static struct irq_work contexts_an_irq_work;

static void contexts_each(void)
{
	unsigned long flags;

	contexts_call(IN_TASK);
	spin_lock(&contexts_lock);
	contexts_call(IN_SPINLOCK);
	spin_unlock(&contexts_lock);
	raw_spin_lock_irqsave(&contexts_raw_lock, flags);
	contexts_call(IN_RAW_SPINLOCK);
	raw_spin_unlock_irqrestore(&contexts_raw_lock, flags);
	smp_call_function(contexts_interrupt, NULL, 1);
	tasklet_schedule(&contexts_a_tasklet);
	wait_for_completion(&contexts_done);
	irq_work_queue(&contexts_an_irq_work);
	wait_for_completion(&contexts_done);
	schedule_work(&contexts_a_work);
	wait_for_completion(&contexts_done);
}

static int contexts_go(const char *text, const struct kernel_param *kp)
{
	u64 n;
	int rc = kstrtou64(text, 10, &n);

	for (contexts_value = 1; !rc && contexts_value <= n; contexts_value++)
		contexts_each();
	return rc;
}

static const struct kernel_param_ops contexts_ops = { .set = contexts_go };
module_param_cb(go, &contexts_ops, NULL, 0200);

static int __init contexts_up(void)
{
	init_irq_work(&contexts_an_irq_work, contexts_irq_work);
	return 0;
}

static void __exit contexts_down(void)
{
	tasklet_kill(&contexts_a_tasklet);
	irq_work_sync(&contexts_an_irq_work);
	flush_work(&contexts_a_work);
}

module_init(contexts_up);
module_exit(contexts_down);
