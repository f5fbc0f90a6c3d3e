/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compat_names.h - what newer kernels have under another name, or with other arguments. Older ones
 * get the newest name where that can be done, and a function of its own where not. Follows
 * compat.h's pattern.
 */
#ifndef LAPWING_KERNEL_COMPAT_NAMES_H
#define LAPWING_KERNEL_COMPAT_NAMES_H

#include <linux/ftrace.h>
#include <linux/fs_struct.h>
#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/perf_event.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/proc_fs.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/string.h>

#ifndef in_hardirq
#define in_hardirq() in_irq()
#endif

#ifndef printk
#define _printk printk
#endif

#ifndef IRQ_WORK_INIT_HARD
#define IRQ_WORK_INIT_HARD(function) \
	((struct irq_work){ .func = (function), .flags = ATOMIC_INIT(IRQ_WORK_HARD_IRQ) })
#define irq_work_is_busy(work) (atomic_read(&(work)->flags) & IRQ_WORK_BUSY)
#endif

#ifndef HAS_SYSTEM_DFL_WQ
#define system_dfl_wq system_unbound_wq
#endif

/* What sched_switch calls. */
#ifdef HAS_SWITCH_STATE
#define SWITCHED(name)                                                                       \
	name(void *data, bool preempt, struct task_struct *prev, struct task_struct *next, \
	     unsigned int prev_state)
#else
#define SWITCHED(name) \
	name(void *data, bool preempt, struct task_struct *prev, struct task_struct *next)
#endif

/* kCFI: an indirect call to a function of another type stops the kernel. */
#define KERNEL_CHECKS_CALLS (IS_ENABLED(CONFIG_CFI_CLANG) || IS_ENABLED(CONFIG_CFI))

/* A thread of the kernel's that has a process's memory, and never runs in user mode. */
#ifndef PF_USER_WORKER
#define PF_USER_WORKER PF_IO_WORKER
#endif

#ifndef HAS_PDE_DATA
#define pde_data PDE_DATA
#endif

#ifndef HAS_GROUP_EXEC_TASK
#define group_exec_task group_exit_task
#endif

/* Kernel threads that look up a file need this around it where they have no root of their own. */
#ifndef scoped_with_init_fs
#define scoped_with_init_fs()
#endif

#ifndef HAS_HRTIMER_SETUP
static inline void hrtimer_setup(struct hrtimer *timer,
				 enum hrtimer_restart (*fired)(struct hrtimer *), clockid_t clock,
				 enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = fired;
}
#endif

/* Registers at a traced function's entry, NULL if they are not saved. */
#ifndef HAS_FTRACE_REGS
#define ftrace_regs pt_regs
#define ftrace_get_regs(regs) (regs)
#endif

/*
 * An empty callback of a tracepoint, of the type that kCFI checks; NULL: the kernel has none. At a
 * function's entry, where ftrace calls: its argument n.
 */
#ifdef HAS_PROBESTUB
#define TRACEPOINT_STUB(tp) ((tp)->probestub)
#ifdef CONFIG_ARM64
#define REGISTER_ARGUMENTS 8
#define STACK_ARGUMENTS 0
#else
#define REGISTER_ARGUMENTS 6
#define STACK_ARGUMENTS 1		/* behind the return address */
#endif
static inline u64 ftrace_argument(struct ftrace_regs *fregs, unsigned int n)
{
	const u64 *stack = (const u64 *)ftrace_regs_get_stack_pointer(fregs);

	return n < REGISTER_ARGUMENTS ? ftrace_regs_get_argument(fregs, n)
				      : stack[n - REGISTER_ARGUMENTS + STACK_ARGUMENTS];
}
#else
#define TRACEPOINT_STUB(tp) NULL
#define ftrace_argument(fregs, n) 0
#endif

/* Functions for one ftrace_ops: without the call for many, each of them costs a copy of the filter. */
#ifdef HAS_FTRACE_FILTER_IPS
#define FILTER_PART U32_MAX
#else
#define FILTER_PART 512U

static inline int ftrace_set_filter_ips(struct ftrace_ops *ops, unsigned long *ips, unsigned int n,
					int remove, int reset)
{
	unsigned int i;
	int rc = 0;

	for (i = 0; i < n && !rc; i++)
		rc = ftrace_set_filter_ip(ops, ips[i], remove, reset && !i);
	if (n > FILTER_PART / 8)
		rcu_barrier();		/* the copies are freed then */
	return rc;
}
#endif

/* What a sample has of that kind. Older kernels clear the values that a PMU does not give. */
#ifdef HAS_SAMPLE_FLAGS
#define sample_has(data, kind) ((data)->sample_flags & (kind))
#else
#define sample_has(data, kind) true
#endif

/* What a sample says of latencies, in cycles: only of the access in older kernels. */
struct sample_latencies {
	u32	access;
	u16	instruction, retire;
};
#ifdef HAS_WEIGHT_STRUCT
#define SAMPLE_WEIGHTS PERF_SAMPLE_WEIGHT_STRUCT
static inline struct sample_latencies sample_latencies(const struct perf_sample_data *data)
{
	return (struct sample_latencies){ data->weight.var1_dw, data->weight.var2_w,
					  data->weight.var3_w };
}
#else
#define SAMPLE_WEIGHTS PERF_SAMPLE_WEIGHT
static inline struct sample_latencies sample_latencies(const struct perf_sample_data *data)
{
	return (struct sample_latencies){ .access = (u32)min(data->weight, (u64)U32_MAX) };
}
#endif

/* Puts n bytes of text into the kernel's trace buffer. */
static inline void trace_put(unsigned long ip, const char *text, u32 n)
{
#ifdef HAS_TRACE_PUTS_TEXT
	char piece[128];	/* it wants a NUL behind the text */
	u32 take;

	for (; n; n -= take, text += take) {
		take = min_t(u32, n, sizeof(piece) - 1);
		memcpy(piece, text, take);
		piece[take] = 0;
		__trace_puts(ip, piece);
	}
#else
	__trace_puts(ip, text, (int)n);
#endif
}

#endif
