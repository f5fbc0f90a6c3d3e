// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * function_kprobe.c - see function_kprobe.h.
 */
#include "runtime/kernel/probes/function_kprobe.h"

#include <linux/kprobes.h>
#include <linux/preempt.h>

#include "runtime/kernel/context/arg.h"

void function_kprobe_enter(const struct rt_probe *p, struct kprobe *kp, struct pt_regs *regs,
			   unsigned long ip)
{
	int breakpoint = enter_breakpoint(kp);

	__preempt_count_sub(breakpoint);
	enter_values(p, regs, ip, NULL);
	__preempt_count_add(breakpoint);
}
NOKPROBE_SYMBOL(function_kprobe_enter);

void function_kprobe_done(struct kprobe *kp, struct pt_regs *regs, unsigned long flags)
{
}
NOKPROBE_SYMBOL(function_kprobe_done);
