// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * register.c - registers by name, and arguments of system calls, which user mode left in registers.
 *
 * Registers by number, and writing: regs.c. Arguments of probed functions: arg.c.
 */
#include <linux/compat.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/stddef.h>
#include <linux/string.h>

#include <asm/syscall.h>

#include "runtime/core/core.h"
#include "runtime/core/ctx.h"
#include "runtime/kernel/compat/compat_regs.h"

static const struct register_row {
	const char	*name;
	u16		offset;
	u16		bits;
} register_rows[] = {
#define REGISTER(name, member, bits) { name, offsetof(struct pt_regs, member), bits },
	REGISTERS
#undef REGISTER
};

static s64 register_value(struct rt_ctx *c, const struct pt_regs *regs, struct rt_str name)
{
	char text[25];
	u32 i;

	if (!regs) {
		ctx_fail(c, RUN_REGISTERS);
		return 0;
	}
	for (i = 0; i < ARRAY_SIZE(register_rows); i++)
		if (strlen(register_rows[i].name) == name.len &&
		    !memcmp(register_rows[i].name, name.p, name.len)) {
			u64 value = *(const u64 *)((const char *)regs + register_rows[i].offset);

			return (s64)(register_rows[i].bits == 32 ? (u32)value : value);
		}
	scnprintf(text, sizeof(text), "%.*s", name.len, name.p);
	ctx_fail_with(c, RUN_REGISTER, text);
	return 0;
}

static struct pt_regs *register_user(void)
{
	return current->mm && !(current->flags & PF_KTHREAD) ? task_pt_regs(current) : NULL;
}

s64 rt_registers_valid(struct rt_ctx *c) { return c->regs != NULL; }
s64 rt_register(struct rt_ctx *c, struct rt_str name) { return register_value(c, c->regs, name); }
s64 rt_u_register(struct rt_ctx *c, struct rt_str name)
{
	return register_value(c, register_user(), name);
}

s64 rt_syscall_arg(struct rt_ctx *c, s64 n)
{
	unsigned long args[6];

	if (n < 1 || n > 6 || !register_user()) {
		ctx_fail(c, RUN_SYSCALL_ARGUMENT);
		return 0;
	}
	syscall_get_arguments(current, task_pt_regs(current), args);
	return (s64)args[n - 1];
}

s64 rt_probing_32bit_app(struct rt_ctx *c)
{
	return register_user() && in_compat_syscall();
}

s64 rt_compat_call(struct rt_ctx *c)
{
	return register_user() && regs_compat_call();
}
