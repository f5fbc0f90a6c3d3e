/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ftrace_switch.h - kernel.ftrace_enabled. While it is 0, the kernel registers callbacks of ftrace,
 * and kprobes at the entries of functions, without an error, and calls none of them.
 *
 * Callbacks of our own hold it at 1: they have FTRACE_OPS_FL_PERMANENT, with which registering, and
 * writing 0 meanwhile, fail with -EBUSY (kernel/trace/ftrace.c, since Linux 5.5). A kprobe does not,
 * so the switch is read when probes are armed and again when they are removed.
 */
#ifndef LAPWING_KERNEL_PROBES_FTRACE_SWITCH_H
#define LAPWING_KERNEL_PROBES_FTRACE_SWITCH_H

/* Requests its address, in family.needs. */
void ftrace_switch_want(void);
/* 0; or -EBUSY, after an error (once), if it is 0. Process context. */
int ftrace_switch_check(void);

#endif
