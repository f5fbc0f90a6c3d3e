/* SPDX-License-Identifier: GPL-2.0-or-later */
/* arg.h - the arguments of a function at its entry. */
#ifndef LAPWING_KERNEL_ARG_H
#define LAPWING_KERNEL_ARG_H

#include <linux/ptrace.h>

#include "runtime/kernel/context/enter.h"

/*
 * Argument n (from 0) of the function at whose first instruction regs are, user: of a program; 0 if
 * the stack cannot be read. Any context.
 */
u64 arg_at_entry(struct pt_regs *regs, u32 n, int user);

#define ARG_CAPTURES (RT_CAP_ARGS | RT_CAP_KEPT)

/*
 * The target of ctx->hit, or NULL, if the probe has one of ARG_CAPTURES; otherwise ctx->hit is the
 * address itself.
 */
struct arg_hit {
	struct rt_keeping keeping;	/* with RT_CAP_KEPT */
	unsigned long	ip;		/* start of the function, or 0 */
	const u64	*args;		/* RT_ARGS of them, saved at the entry or passed by a
					 * tracepoint; NULL: in the registers */
	unsigned long	distance;	/* difference between a user program's run-time and link
					 * addresses */
};

/*
 * Data saved from a call's entry to its return: arguments, then values, then the bytes of strings.
 */
struct arg_save {
	const struct rt_probe *probe;	/* at the return */
	const struct rt_probe *keeper;	/* sets the values at the entry; NULL: none */
	u32		nkept;
	u8		saves_text;
};

/* Size of that, in u64s. */
u32 arg_save_bytes(const struct arg_save *k);
/*
 * At the entry; where: ip or distance. 0: the keeper did not complete, so the return is not
 * handled.
 */
int arg_save(const struct arg_save *k, struct pt_regs *regs, struct arg_hit where, u64 *data);
/* enter_here() at the return. */
void arg_return(const struct arg_save *k, struct pt_regs *regs, struct arg_hit where,
		const u64 *data);

/* The start of the probed function, or 0. */
static inline unsigned long arg_function(const struct rt_ctx *c)
{
	unsigned long ip = (unsigned long)c->hit;

	return ip && c->probe->capture & ARG_CAPTURES ? ((const struct arg_hit *)c->hit)->ip : ip;
}

/*
 * True if user mode was interrupted. arm64's ftrace leaves the mode in its registers unset, but
 * those always come from the kernel.
 */
static inline int arg_user_mode(const struct rt_ctx *c)
{
	return c->regs && !arg_function(c) && user_mode((struct pt_regs *)c->regs);
}

/* enter_here() for a hit that uses arguments. */
void enter_args(const struct rt_probe *p, struct pt_regs *regs, unsigned long ip, const u64 *args);

/* enter_here() for a hit that may use arguments; most do not, and pay one test. */
static __always_inline void enter_values(const struct rt_probe *p, struct pt_regs *regs,
					 unsigned long ip, const u64 *args)
{
	if (unlikely(p->capture & RT_CAP_ARGS))
		enter_args(p, regs, ip, args);
	else
		enter_here(p, regs, ip);
}

#endif
