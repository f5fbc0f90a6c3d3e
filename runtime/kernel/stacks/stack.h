/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stack.h - the stacks of a hit, for families that walk them themselves; handlers use
 * runtime_stack() (core/core.h).
 */
#ifndef LAPWING_KERNEL_STACK_H
#define LAPWING_KERNEL_STACK_H

#include "runtime/rt.h"

struct pt_regs;

/* Requests the symbols needed for walks, at hello. */
void stack_request(void);
/* Maximum number of slots that stack_request() requests. */
u32 stack_room(void);
/* Call once they are filled, before anything is armed; process context. */
void stack_start(void);
/*
 * For each probe the function that is called for its hits alone, which has no registers to give:
 * their stack begins with who called it. 0: none; NULL: none for all. The array may change while
 * handlers run.
 */
void stack_begin_below(const unsigned long *stubs);
/*
 * The kernel stack from registers of kernel mode, or from here without: at most max addresses,
 * innermost first; returns how many, max + 1 where there are more. function: whose first
 * instruction was reached; 0: none. Any context.
 */
u32 stack_walk(struct pt_regs *regs, unsigned long function, u64 *ip, u32 max);

#endif
