/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * breakpoint.h - kprobes that stay breakpoints, for enter_breakpoint(): the kernel replaces some by a
 * jump, which counts preemption differently.
 */
#ifndef LAPWING_KERNEL_PROBES_BREAKPOINT_H
#define LAPWING_KERNEL_PROBES_BREAKPOINT_H

struct kprobe;
struct pt_regs;

/* A kprobe with a post_handler stays a breakpoint. This one does nothing. */
void breakpoint_done(struct kprobe *kp, struct pt_regs *regs, unsigned long flags);
/*
 * Registers a kprobe, which is zero but for its place and pre_handler; process context. 0 or -errno.
 * Where it is ftrace's it gets no post_handler: with one it would claim the function for itself
 * (FTRACE_OPS_FL_IPMODIFY), which live patches do too, and which kernels up to 5.10 leave in
 * ftrace's tables when the function's module is unloaded and has another kprobe (kill_kprobe).
 */
int breakpoint_register(struct kprobe *kp);

#endif
