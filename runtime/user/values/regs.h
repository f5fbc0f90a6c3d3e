/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * regs.h - registers of user programs at a hit in their code.
 */
#ifndef LAPWING_USER_REGS_H
#define LAPWING_USER_REGS_H

#include "runtime/user/events/hit.h"

/* Argument n, from 0, of the function that is entered; what the one that returns has returned. */
s64 regs_argument(struct rt_ctx *c, s64 n);
s64 regs_result(struct rt_ctx *c);
/* The stack pointer. */
u64 regs_stack(const struct hit *hit);

#endif
