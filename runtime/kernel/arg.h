/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * arg.h - the arguments of a function that has just been entered.
 */
#ifndef LAPWING_KERNEL_ARG_H
#define LAPWING_KERNEL_ARG_H

#include <linux/ptrace.h>

#include "runtime/kernel/enter.h"

/* Argument n (from 0) of the function whose first instruction regs are at; 0 where the stack cannot be read. Any context. */
u64 arg_at_entry(struct pt_regs *regs, u32 n);

#define ARG_CAPTURES (RT_CAP_ARGS | RT_CAP_KEPT)

/* What ctx->hit points to, or NULL, where the probe has one of ARG_CAPTURES; elsewhere it is the address itself. */
struct arg_hit {
	struct rt_keeping keeping;	/* with RT_CAP_KEPT */
	unsigned long	ip;		/* start of the function, or 0 */
	const u64	*args;		/* RT_ARGS of them, kept at the entry or given by a tracepoint; NULL: in the registers */
};

/* The start of the function whose probe this is, or 0. */
static inline unsigned long arg_function(const struct rt_ctx *c)
{
	unsigned long ip = (unsigned long)c->hit;

	return ip && c->probe->capture & ARG_CAPTURES ? ((const struct arg_hit *)c->hit)->ip : ip;
}

/* Was it user mode that was interrupted? arm64's ftrace leaves the mode in its registers unset, but where those come from is known. */
static inline int arg_user_mode(const struct rt_ctx *c)
{
	return c->regs && !arg_function(c) && user_mode((struct pt_regs *)c->regs);
}

/* enter_here() of a hit that asks for arguments. */
void enter_args(const struct rt_probe *p, struct pt_regs *regs, unsigned long ip, const u64 *args);

/* The same of a hit that asks for kept values. 1: the handler came to rt_keep(). */
int enter_kept(const struct rt_probe *p, struct pt_regs *regs, unsigned long ip, const u64 *args, union rt_kept *kept);

/* enter_here() of a hit that may ask for arguments; most do not, and pay one test. */
static __always_inline void enter_values(const struct rt_probe *p, struct pt_regs *regs, unsigned long ip, const u64 *args)
{
	if (unlikely(p->capture & RT_CAP_ARGS))
		enter_args(p, regs, ip, args);
	else
		enter_here(p, regs, ip);
}

#endif
