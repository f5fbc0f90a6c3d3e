/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ftrace_switch.h - kernel.ftrace_enabled. While it is 0, the kernel registers callbacks of ftrace,
 * and kprobes at the entries of functions, without an error, and calls none of them.
 *
 * The module's own callbacks hold it at 1: they have FTRACE_OPS_FL_PERMANENT, with which
 * registering, and writing 0 meanwhile, fail with -EBUSY (kernel/trace/ftrace.c, since Linux 5.5).
 * A kprobe does not, so it is read before probes are armed, and again while they are.
 */
#ifndef LAPWING_RUN_FTRACE_SWITCH_H
#define LAPWING_RUN_FTRACE_SWITCH_H

/* 0; or -1, after an error, if it is 0 and the script's probes need it (WIRE_ON_FTRACE). */
int ftrace_switch_check(void);

#endif
