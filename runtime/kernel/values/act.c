// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * act.c - actions of a handler on the machine: lines in the kernel's log and trace buffer, signals,
 * delays, panic.
 *
 * All but ftrace() need -g, because they can do harm: printing takes locks that a probed function
 * may hold. Sending a signal takes locks too, and memory: it is sent from an interrupt, which comes
 * as soon as the probed code allows it.
 */
#include "runtime/kernel/values/act.h"

#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/irq_work.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>

#include "runtime/core/core.h"
#include "runtime/core/ctx.h"
#include "runtime/kernel/compat/compat_names.h"

const char *runtime_name(void)
{
	return THIS_MODULE->name;
}

s64 rt_this_module(void) { return (s64)(unsigned long)THIS_MODULE; }

/* Always ends the line, whether or not the script's text does. */
void rt_printk(struct rt_ctx *c, s64 level, struct rt_str text)
{
	static const char *const levels[] = {
		KERN_EMERG,   KERN_ALERT,  KERN_CRIT, KERN_ERR,
		KERN_WARNING, KERN_NOTICE, KERN_INFO, KERN_DEBUG,
	};

	if (text.len && text.p[text.len - 1] == '\n')
		text.len--;
	_printk("%s%.*s\n", level >= 0 && level < ARRAY_SIZE(levels) ? levels[level] : "", text.len,
		text.p);
}

void rt_ftrace(struct rt_ctx *c, struct rt_str text)
{
	trace_put(_THIS_IP_, text.p, text.len);
}

/* Pending signals of a CPU, all for one task. Written with interrupts off. */
struct raise {
	struct irq_work		work;
	struct task_struct	*task;		/* a reference; NULL: none */
	u64			signals;	/* bit N - 1: signal N */
};

static void raise_send(struct irq_work *work)
{
	struct raise *r = container_of(work, struct raise, work);
	struct task_struct *task;
	unsigned long flags;
	u64 signals;
	int signal;

	raw_local_irq_save(flags);		/* of the CPU of r; handlers run meanwhile */
	task = r->task;
	signals = r->signals;
	r->signals = 0;
	r->task = NULL;
	raw_local_irq_restore(flags);
	if (!task)				/* sent by the run before */
		return;
	for (signal = 1; signal <= _NSIG; signal++)
		if (signals & 1ULL << (signal - 1))
			send_sig(signal, task, 0);
	put_task_struct(task);
}

static DEFINE_PER_CPU(struct raise, raises);

/*
 * 0: the CPU has pending signals to another task: that one raised them, and was switched out before
 * the interrupt.
 */
static int raise_later(int signal)
{
	unsigned long flags;
	struct raise *r;
	int mine;

	raw_local_irq_save(flags);
	r = this_cpu_ptr(&raises);
	mine = !r->task || r->task == current;
	if (mine) {
		if (!r->task)
			r->task = get_task_struct(current);
		r->signals |= 1ULL << (signal - 1);
		irq_work_queue(&r->work);
	}
	raw_local_irq_restore(flags);
	return mine;
}

void rt_raise(struct rt_ctx *c, s64 signal)
{
	if (!valid_signal((unsigned long)signal) || signal <= 0)
		ctx_fail(c, RUN_SIGNAL_NONE);
	else if (!raise_later((int)signal))
		ctx_fail(c, RUN_SIGNAL_BUSY);
}

/* With PREEMPT_RT a thread of the CPU sends them, as the lock of signals sleeps there. */
void act_load(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		init_irq_work(&per_cpu_ptr(&raises, cpu)->work, raise_send);
}

void act_unload(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		irq_work_sync(&per_cpu_ptr(&raises, cpu)->work);
}

void rt_mdelay(struct rt_ctx *c, s64 ms)
{
	for (; ms > 0; ms--)
		udelay(1000);
}

void rt_udelay(struct rt_ctx *c, s64 us)
{
	rt_mdelay(c, us / 1000);
	if (us > 0)
		udelay((unsigned long)us % 1000);
}

void rt_panic(struct rt_ctx *c, struct rt_str text)
{
	panic("%.*s", text.len, text.p);
}

void rt_dump_stack(struct rt_ctx *c)
{
	dump_stack();
}
