/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * regs.h - registers of user programs at a hit in their code: by name and number, as arguments and
 * results by the ABI.
 */
#ifndef LAPWING_USER_REGS_H
#define LAPWING_USER_REGS_H

#include "runtime/user/user.h"

/* At a hit in a user program: argument n, from 0, and the result; the stack pointer. */
s64 regs_argument(struct rt_ctx *c, s64 n);
/* The stack pointer. */
u64 regs_stack(const struct hit *hit);
/* those for Go's struct of the running goroutine, and for the end of its stack */
const char *regs_goroutine_fetch(void);
/*
 * At an instruction that returns: the hit becomes one of where it returns to. Registers are in
 * memory that the next call uses again.
 */
void regs_return(struct hit *hit, u64 to);

s64 regs_result(struct rt_ctx *c);
u64 regs_stack_bit(void);		/* of rt_fetch.registers */
/* the fetch argument for where a call returns to, at its entry */
const char *regs_return_fetch(void);
/* how far a return's stack pointer is above that of its entry */
u64 regs_call_bytes(void);

#endif
