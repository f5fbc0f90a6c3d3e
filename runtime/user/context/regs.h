/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * regs.h - registers of user programs at a hit in their code: by name and number, as arguments and
 * results by the ABI.
 */
#ifndef LAPWING_USER_REGS_H
#define LAPWING_USER_REGS_H

#include "runtime/user/user.h"

/* Argument n, counted from 0, at a hit in a user program. */
s64 regs_argument(struct rt_ctx *c, s64 n);
/* The stack pointer. */
u64 regs_stack(const struct hit *hit);
/* the fetch arguments for Go's struct of the running goroutine, and for the end of its stack */
const char *regs_goroutine_fetch(void);
/*
 * At a return instruction: moves the hit to the return address. Registers are then in memory that
 * the next call reuses.
 */
void regs_return(struct hit *hit, u64 to);

s64 regs_result(struct rt_ctx *c);	/* the returned value */
u64 regs_stack_bit(void);		/* of rt_fetch.registers */
/* the fetch argument for a call's return address, at its entry */
const char *regs_return_fetch(void);
/* how far the stack pointer after a return is above that at the entry of the call */
u64 regs_call_bytes(void);

#endif
