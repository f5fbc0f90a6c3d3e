// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * regs.c - registers by number; writes to registers and, under -g, to memory.
 *
 * arg.c reads the arguments of probed functions.
 */
#include <linux/ptrace.h>
#include <linux/stddef.h>
#include <linux/uaccess.h>

#include "runtime/core/core.h"
#include "runtime/core/ctx.h"
#include "runtime/kernel/compat/compat_regs.h"

static const u16 regs_arguments[] = { ARGUMENT_REGISTERS }, regs_dwarf[] = { DWARF_REGISTERS };

static u64 *regs_slot(struct rt_ctx *c, const u16 *offsets, u32 n, s64 i)
{
	if (c->regs && i >= 0 && i < n)
		return (u64 *)((char *)c->regs + offsets[i]);
	ctx_fail(c, RUN_REGISTERS);
	return NULL;
}

s64 rt_dwarf_register(struct rt_ctx *c, s64 n)
{
	const u64 *slot = regs_slot(c, regs_dwarf, ARRAY_SIZE(regs_dwarf), n);

	return slot ? (s64)*slot : 0;
}

/* ---- writing ------------------------------------------------------------------*/

void rt_set_dwarf_register(struct rt_ctx *c, s64 n, s64 value)
{
	u64 *slot = regs_slot(c, regs_dwarf, ARRAY_SIZE(regs_dwarf), n);

	if (slot)
		*slot = (u64)value;
}

void rt_set_arg(struct rt_ctx *c, s64 n, s64 value)
{
	u64 *slot = regs_slot(c, regs_arguments, ARRAY_SIZE(regs_arguments), n - 1);

	if (slot)
		*slot = (u64)value;
}

void rt_set_returnval(struct rt_ctx *c, s64 value)
{
	if (c->regs)
		regs_set_return_value(c->regs, (unsigned long)value);
	else
		ctx_fail(c, RUN_REGISTERS);
}

void rt_user_store(struct rt_ctx *c, s64 at, s64 kind, s64 value)
{
	u32 size = (u32)(kind < 0 ? -kind : kind);

	/* little-endian: the low bytes come first */
	if (!c->failed &&
	    (size > 8 || copy_to_user_nofault((void __user *)(unsigned long)at, &value, size)))
		ctx_fault(c, RUN_WRITE_FAULT, (u64)at);
}

/*
 * Stores one number at a kernel address; a failed write is an error of the script, not a kernel
 * fault.
 */
#define REGS_STORE(type) __put_kernel_nofault((void *)(unsigned long)at, &(type){ (type)value }, type, fault)

void rt_store(struct rt_ctx *c, s64 at, s64 kind, s64 value)
{
	u64 old;

	if (c->failed)
		return;
	/*
	 * The kernel tolerates a fault only at one of its own addresses: elsewhere it assumes an
	 * attack (SMAP), or warns.
	 */
	if ((u64)at < TASK_SIZE_MAX ||
	    copy_from_kernel_nofault(&old, (void *)(unsigned long)at, 1)) {
		ctx_fault(c, RUN_WRITE_FAULT, (u64)at);
		return;
	}
	pagefault_disable();
	switch (kind < 0 ? -kind : kind) {
	case 1: REGS_STORE(u8); break;
	case 2: REGS_STORE(u16); break;
	case 4: REGS_STORE(u32); break;
	case 8: REGS_STORE(u64); break;
	default: goto fault;
	}
	pagefault_enable();
	return;
fault:
	pagefault_enable();
	ctx_fault(c, RUN_WRITE_FAULT, (u64)at);
}

void rt_store_bits(struct rt_ctx *c, s64 at, s64 field, s64 value)
{
	s64 kind = field >> 16, shift = field >> 8 & 0xff, width = field & 0xff;
	u64 mask = (width < 64 ? (1ull << width) - 1 : ~0ull) << shift,
	    word = (u64)rt_load(c, at, kind);

	rt_store(c, at, kind, (s64)((word & ~mask) | ((u64)value << shift & mask)));
}
