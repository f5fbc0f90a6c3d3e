/* SPDX-License-Identifier: GPL-2.0-or-later */
/* family_function.h - entries and returns of kernel functions. */
#ifndef LAPWING_KERNEL_PROBES_FAMILY_FUNCTION_H
#define LAPWING_KERNEL_PROBES_FAMILY_FUNCTION_H

#include "runtime/core/core.h"

struct kprobe;
struct pt_regs;

/* Adds misses that only the kernel counts, and pending calls; after the family has stopped. */
void function_account(const struct rt_probe *p, struct wire_account *sum);
/* Waits until the probes are removed, which stop() does not. Process context. */
void function_unload(void);

/*
 * The module of a probe that was armed at the start is being unloaded; if it is loaded again,
 * function_deferred.c arms the probe. Process context.
 */
void function_forget(const struct rt_probe *p);
/* Handles a kprobe's hit at an instruction of a function, by a breakpoint or by ftrace. */
void function_kprobe_enter(const struct rt_probe *p, struct kprobe *kp, struct pt_regs *regs,
			   unsigned long ip);

#endif
