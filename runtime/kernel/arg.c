// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * arg.c - arguments and results of the probed function, by the ABI: x86-64 rdi rsi rdx rcx r8 r9, arm64 x0 to x7, then the stack.
 *
 * Only what a probe at a function's first instruction, its return or a tracepoint gives; no registers by name.
 */
#include <linux/ptrace.h>
#include <linux/uaccess.h>

#include "runtime/core/core.h"
#include "runtime/kernel/arg.h"
#include "runtime/kernel/compat_regs.h"

/* regs_get_kernel_argument() knows this many; 6 or 8. */
static u32 arg_registers(void)
{
	return IS_ENABLED(CONFIG_ARM64) ? 8 : 6;
}

notrace u64 arg_at_entry(struct pt_regs *regs, u32 n)
{
	u64 value = 0;
	/* x86-64 has the return address below them */
	unsigned long at = kernel_stack_pointer(regs) + 8ul * (n - arg_registers() + (IS_ENABLED(CONFIG_ARM64) ? 0 : 1));

	if (n < arg_registers())
		return regs_get_kernel_argument(regs, n);
	if (copy_from_kernel_nofault(&value, (void *)at, sizeof(value)))
		return 0;
	return value;
}

s64 rt_arg(struct rt_ctx *c, s64 n, s64 kind)
{
	const struct arg_hit *hit = c->hit;

	if (n < 0 || n >= RT_ARGS || !hit || !(hit->args || c->regs)) {
		ctx_fail(c, "register access fault [man error::fault]");
		return 0;
	}
	return rt_narrow((s64)(hit->args ? hit->args[n] : arg_at_entry(c->regs, (u32)n)), kind);
}

s64 rt_returned(struct rt_ctx *c, s64 kind)
{
	if (!c->regs) {
		ctx_fail(c, "register access fault [man error::fault]");
		return 0;
	}
	return rt_narrow((s64)regs_return_value(c->regs), kind);
}

s64 rt_returned_high(struct rt_ctx *c)
{
	struct pt_regs *regs = c->regs;

	if (regs)
		return (s64)REGS_RETURNED_HIGH(regs);
	ctx_fail(c, "register access fault [man error::fault]");
	return 0;
}

noinline notrace void enter_args(const struct rt_probe *p, struct pt_regs *regs, unsigned long ip, const u64 *args)
{
	const struct arg_hit hit = { .ip = ip, .args = args };

	enter_here(p, regs, (unsigned long)&hit);
}

noinline notrace int enter_kept(const struct rt_probe *p, struct pt_regs *regs, unsigned long ip, const u64 *args, union rt_kept *kept)
{
	struct arg_hit hit = { { kept, 0 }, ip, args };

	enter_here(p, regs, (unsigned long)&hit);
	return hit.keeping.done;
}
