/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stack.h - the stacks of a hit: the kernel's from the registers of the probe or interrupt, user
 * mode's by the rows of its images.
 */
#ifndef LAPWING_KERNEL_STACKS_STACK_H
#define LAPWING_KERNEL_STACKS_STACK_H

#include "runtime/core/core.h"

struct pt_regs;

/* Asks for what walks need to know, at hello. */
void stack_want(void);
/*
 * The kernel stack from registers of kernel mode, or from here without: at most max addresses,
 * innermost first; returns how many, max + 1 where there are more. function: whose first
 * instruction was reached; 0: none. Any context.
 */
u32 stack_walk(struct pt_regs *regs, unsigned long function, u64 *ip, u32 max);

#endif
