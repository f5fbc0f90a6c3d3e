// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * arg.c - arguments and results of the probed function by the ABI: x86-64 rdi rsi rdx rcx r8 r9,
 * arm64 x0 to x7, then the stack.
 *
 * Only for probes at a function's first instruction, at its return or at a tracepoint; no registers
 * by name.
 */
#include <linux/kernel.h>
#include <linux/ptrace.h>
#include <linux/uaccess.h>

#include "runtime/kernel/context/arg.h"

#include "runtime/core/core.h"
#include "runtime/core/ctx.h"
#include "runtime/kernel/compat/compat_regs.h"

/* The number of registers that regs_get_kernel_argument() supports: 6 or 8. */
static u32 arg_registers(void)
{
	return IS_ENABLED(CONFIG_ARM64) ? 8 : 6;
}

/*
 * Argument n (from 0) of the function whose first instruction regs are at, user: of a program's; 0
 * where the stack cannot be read. Any context.
 */
static notrace u64 arg_at_entry(struct pt_regs *regs, u32 n, int user)
{
	u64 value = 0;
	/* on x86-64 the return address lies below the arguments */
	unsigned long at = kernel_stack_pointer(regs) +
			   8ul * (n - arg_registers() + (IS_ENABLED(CONFIG_ARM64) ? 0 : 1));

	if (n < arg_registers())
		return regs_get_kernel_argument(regs, n);
	if (user ? copy_from_user_nofault(&value, (void __user *)at, sizeof(value)) :
		   copy_from_kernel_nofault(&value, (void *)at, sizeof(value)))
		return 0;
	return value;
}

s64 rt_arg(struct rt_ctx *c, s64 n, s64 kind)
{
	const struct arg_hit *hit = c->hit;

	if (n < 0 || n >= RT_ARGS || !hit || !(hit->args || c->regs)) {
		ctx_fail(c, RUN_REGISTER_FAULT);
		return 0;
	}
	return rt_narrow(
		(s64)(hit->args ? hit->args[n] : arg_at_entry(c->regs, (u32)n, arg_user_mode(c))),
		kind);
}

s64 rt_returned(struct rt_ctx *c, s64 kind)
{
	if (!c->regs) {
		ctx_fail(c, RUN_REGISTER_FAULT);
		return 0;
	}
	return rt_narrow((s64)regs_return_value(c->regs), kind);
}

s64 rt_returned_high(struct rt_ctx *c)
{
	struct pt_regs *regs = c->regs;

	if (regs)
		return (s64)REGS_RETURNED_HIGH(regs);
	ctx_fail(c, RUN_REGISTER_FAULT);
	return 0;
}

s64 rt_user_address(struct rt_ctx *c, s64 linked)
{
	const struct arg_hit *hit = c->hit;

	return hit ? (s64)((u64)linked + hit->distance) : 0;
}

noinline notrace void enter_args(const struct rt_probe *p, struct pt_regs *regs, unsigned long ip,
				 const u64 *args)
{
	const struct arg_hit hit = { .ip = ip, .args = args };

	enter_here(p, regs, (unsigned long)&hit);
}

s64 rt_mixed(struct rt_ctx *c, s64 stopwatch)
{
	return c->probe->stopwatch == stopwatch && c->probe->capture & ARG_CAPTURES &&
			       ((const struct arg_hit *)c->hit)->mixed
		       ? RT_MIXED_TIME | RT_MIXED_COUNTS
		       : 0;
}

static u32 arg_kept_args(const struct arg_keep *k)
{
	return k->probe->capture & RT_CAP_ARGS ? RT_ARGS : 0;
}

u32 arg_keep_bytes(const struct arg_keep *k)
{
	u32 text = k->keeps_text ? ALIGN(rt_script.maxstring, 8) : 0;

	return arg_kept_args(k) * sizeof(u64) + k->nkept * (sizeof(union rt_kept) + text);
}

noinline notrace int arg_keep(const struct arg_keep *k, struct pt_regs *regs, struct arg_hit where,
			      u64 *data)
{
	union rt_kept *kept = (union rt_kept *)(data + arg_kept_args(k));
	int user = !where.ip && user_mode(regs);
	u32 i;

	for (i = 0; i < arg_kept_args(k); i++)
		data[i] = arg_at_entry(regs, i, user);
	if (unlikely(k->keeps_text))
		for (i = 0; i < k->nkept; i++)
			kept[i].s = (struct rt_strvar){ (char *)(kept + k->nkept) +
								i * ALIGN(rt_script.maxstring, 8),
							0, (u16)rt_script.maxstring };
	if (!k->keeper)
		return 1;
	where.keeping = (struct rt_keeping){ kept, 0 };
	enter_here(k->keeper, regs, (unsigned long)&where);
	return where.keeping.done;
}

noinline notrace void arg_return(const struct arg_keep *k, struct pt_regs *regs,
				 struct arg_hit where, const u64 *data)
{
	where.keeping.kept = (union rt_kept *)(data + arg_kept_args(k));
	where.args = arg_kept_args(k) ? data : NULL;
	enter_here(k->probe, regs, (unsigned long)&where);
}
