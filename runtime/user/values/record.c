// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * record.c - what an event's record holds: fields of tracepoints, arguments of system calls and of
 * functions, by their offsets.
 *
 * The offsets are from tracefs, read when the script was translated (translator/debuginfo), or
 * fixed by how this runtime describes the event to the kernel. Everything here was captured at the
 * instant of the hit.
 */
#include "runtime/core/ctx.h"
#include "runtime/user/context/enter.h"
#include "runtime/user/user.h"
#include "runtime/user/context/regs.h"

#include <string.h>

#define SYSCALL_NUMBER	8
/* in sys_enter and syscalls/sys_enter_*: after the common fields and the number */
#define SYSCALL_ARGS	16

static const u8 *bytes_at(struct rt_ctx *c, s64 offset, u32 n)
{
	const struct hit *hit = c->hit;

	if (hit->raw && offset >= 0 && offset <= hit->raw_bytes &&
	    n <= hit->raw_bytes - (u32)offset)
		return hit->raw + offset;
	ctx_fail(c, RUN_FIELD);
	return NULL;
}

s64 rt_field(struct rt_ctx *c, s64 offset, s64 kind)
{
	u32 n = (u32)(kind < 0 ? -kind : kind);
	const u8 *p = n <= 8 ? bytes_at(c, offset, n) : NULL;
	s64 value = 0;

	if (p)
		memcpy(&value, p, n);
	return rt_narrow(value, kind);
}

/*
 * bytes: size of an array of char; 0: at offset is a word that locates the text; -1: the same, but
 * relative to the end of that word.
 */
struct rt_str rt_field_string(struct rt_ctx *c, s64 offset, s64 bytes)
{
	const u8 *p;
	u32 word;

	if (bytes <= 0) {
		word = (u32)rt_field(c, offset, 4);
		offset = (word & 0xffff) + (bytes < 0 ? (u32)offset + 4 : 0);
		bytes = word >> 16;
	}
	p = bytes_at(c, offset, (u32)bytes);
	if (!p)
		return RT_STR("");
	if (bytes >= rt_script.maxstring)
		bytes = rt_script.maxstring - 1;
	return (struct rt_str){ (const char *)p, (u16)strnlen((const char *)p, (size_t)bytes) };
}

s64 rt_syscall_arg(struct rt_ctx *c, s64 n)
{
	return rt_field(c, n < 1 || n > 6 ? -1 : SYSCALL_ARGS + 8 * (n - 1), 8);
}

s64 rt_compat_call(struct rt_ctx *c)
{
	return !user_is_phase(c) && ((const struct hit *)c->hit)->is_32bit;
}

s64 rt_syscall_number(struct rt_ctx *c)
{
	return rt_field(c, SYSCALL_NUMBER, 8);
}

s64 rt_arg(struct rt_ctx *c, s64 n, s64 kind)
{
	const struct hit *hit = c->hit;

	return rt_narrow(hit->site ? regs_argument(c, n)
				   : rt_field(c, n < 0 ? -1 : SYSCALL_ARGS + 8 * n, 8),
			 kind);
}

/* The result of a system call is where its first argument is at the entry. */
s64 rt_returned(struct rt_ctx *c, s64 kind)
{
	const struct hit *hit = c->hit;

	if (hit->site)
		return rt_narrow(regs_result(c), kind);
	return rt_narrow(rt_field(c, hit->result_at ? hit->result_at : SYSCALL_ARGS, 8), kind);
}
