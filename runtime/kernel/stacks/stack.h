/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stack.h - the stacks of a hit: the kernel's, from the registers of the probe or interrupt, and
 * user mode's, by the rows of callers of its images.
 */
#ifndef LAPWING_KERNEL_STACKS_STACK_H
#define LAPWING_KERNEL_STACKS_STACK_H

#include "runtime/core/core.h"

struct pt_regs;

/* Requests at hello what walks need. */
void stack_want(void);
/* Keeps what hello has brought, before the first walk. */
void stack_start(void);
/*
 * Walks the kernel stack from kernel-mode registers: at most max addresses, innermost first; returns
 * their number, max + 1 if there are more. Any context.
 */
u32 stack_walk(struct pt_regs *regs, u64 *ip, u32 max);

#endif
