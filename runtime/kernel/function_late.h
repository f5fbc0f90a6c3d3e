/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * function_late.h - functions of modules that are not loaded yet: armed when their module comes, disarmed when it goes.
 */
#ifndef LAPWING_KERNEL_FUNCTION_LATE_H
#define LAPWING_KERNEL_FUNCTION_LATE_H

#include "runtime/rt.h"

struct kprobe;
struct pt_regs;

/* Room for n rows; process context, as the next three. 0 or -ENOMEM. */
int late_load(u32 n);
/* A row whose function has no address yet. 0: it names no module, so it is not taken. */
int late_take(const struct rt_function *row);
/* From now on modules are watched; 0 or -errno. */
int late_start(void);
/* Disarms all; afterwards no handler runs or will run. Adds to missed[probe] the calls that found no memory. */
void late_stop(u64 *missed);

/* family_function.c: a kprobe's hit, at a function's instruction, of any cause. */
void function_kprobe_enter(const struct rt_probe *p, struct kprobe *kp, struct pt_regs *regs, unsigned long ip);

#endif
