/* SPDX-License-Identifier: GPL-2.0-or-later */
/* function_kprobe.h - a kprobe's hit in a function, for all families that use kprobes. */
#ifndef LAPWING_KERNEL_FUNCTION_KPROBE_H
#define LAPWING_KERNEL_FUNCTION_KPROBE_H

#include "runtime/rt.h"

struct kprobe;
struct pt_regs;

/*
 * enter_here() for a hit at a function's instruction, by any exception. ip: the start of the
 * function.
 */
void function_kprobe_enter(const struct rt_probe *p, struct kprobe *kp, struct pt_regs *regs,
			   unsigned long ip);
/*
 * Their post_handler: its presence keeps the kernel from optimizing the breakpoint to a jump, which
 * would count differently.
 */
void function_kprobe_done(struct kprobe *kp, struct pt_regs *regs, unsigned long flags);

#endif
