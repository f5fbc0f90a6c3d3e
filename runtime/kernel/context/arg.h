/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * arg.h - the arguments of a function that has just been entered.
 */
#ifndef LAPWING_KERNEL_ARG_H
#define LAPWING_KERNEL_ARG_H

#include <linux/ptrace.h>

#include "runtime/kernel/compat/compat_names.h"
#include "runtime/kernel/context/enter.h"

#define ARG_CAPTURES (RT_CAP_ARGS | RT_CAP_KEPT)

/*
 * What ctx->hit points to, or NULL, if the probe has one of ARG_CAPTURES; otherwise ctx->hit is the
 * function's address itself.
 */
struct arg_hit {
	struct rt_keeping keeping;	/* with RT_CAP_KEPT */
	unsigned long	ip;		/* start of the function, or 0 */
	/* RT_ARGS values, kept at the entry or passed by a tracepoint; NULL: in the registers */
	const u64	*args;
	/* user program: run-time address less link-time address */
	unsigned long	distance;
	int		mixed;		/* the call that ends here began in another thread */
};

/*
 * The data kept for a call from its entry to its return: arguments, then values, then the bytes of
 * those values that are strings.
 */
struct arg_keep {
	const struct rt_probe *probe;	/* at the return */
	const struct rt_probe *keeper;	/* sets the values at the entry; NULL: there are none */
	u32		nkept;
	u8		keeps_text;
};

/* Size of that data in bytes, for an array of u64. */
u32 arg_keep_bytes(const struct arg_keep *k);
/*
 * At the entry; where: ip or distance. 0: the keeper did not complete, so there is no data for the
 * return.
 */
int arg_keep(const struct arg_keep *k, struct pt_regs *regs, struct arg_hit where, u64 *data);
/* Calls enter_here() at the return. */
void arg_return(const struct arg_keep *k, struct pt_regs *regs, struct arg_hit where,
		const u64 *data);

/* The start of the function at whose entry or return the hit is, or 0. */
static inline unsigned long arg_hit_function(const struct rt_ctx *c)
{
	unsigned long ip = (unsigned long)c->hit;

	return ip && c->probe->capture & ARG_CAPTURES ? ((const struct arg_hit *)c->hit)->ip : ip;
}

/* The tracepoint's stub at whose entry the hit is (tracepoint_stub.h), or 0. */
static inline unsigned long arg_stub(const struct rt_ctx *c)
{
	return KERNEL_CHECKS_CALLS && c->probe->capture & RT_CAP_STUB ? arg_hit_function(c) : 0;
}

/* The start of the probed function, or 0. */
static inline unsigned long arg_function(const struct rt_ctx *c)
{
	return arg_stub(c) ? 0 : arg_hit_function(c);
}

/*
 * True if user mode was interrupted. arm64's ftrace leaves the mode in its registers unset, but
 * ftrace hits are always in the kernel.
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
