// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * record.c - what an event's record holds: fields of tracepoints, arguments of system calls and of
 * functions, by their offsets.
 *
 * The offsets are from tracefs, read when the probe was armed (family_tracepoint.c), or fixed by
 * how this runtime describes the event to the kernel. Everything here was captured at the instant
 * of the hit.
 */
#include "runtime/core/core.h"
#include "runtime/user/events/hit.h"
#include "runtime/user/events/tracefs.h"
#include "runtime/user/values/regs.h"

#include <string.h>

#define SYSCALL_NUMBER	8
#define SYSCALL_ARGS	16	/* of sys_enter and of syscalls/sys_enter_*: after the common
				 * fields and the number */

/* Where the raw record of a hit has what stands there behind 8 bytes of common fields. */
static s64 place_of(const struct hit *hit, s64 at)
{
	return at + tracefs_head_more() - hit->cut;
}

static const u8 *bytes_at(struct rt_ctx *c, s64 offset, u32 n)
{
	const struct hit *hit = c->hit;

	if (hit->raw && offset >= 0 && offset <= hit->raw_bytes &&
	    n <= hit->raw_bytes - (u32)offset)
		return hit->raw + offset;
	ctx_fail(c, "the event has no such field");
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
 * bytes: of an array of char; 0: offset is of a word that says where the text lies, -1: counted
 * from behind that word.
 */
struct rt_str rt_field_string(struct rt_ctx *c, s64 offset, s64 bytes)
{
	const u8 *p;
	u32 word;

	if (bytes <= 0) {
		word = (u32)rt_field(c, offset, 4);
		offset = (word & 0xffff) +
			 (bytes < 0 ? (u32)offset + 4 : -(s64)((struct hit *)c->hit)->cut);
		bytes = word >> 16;
	}
	p = bytes_at(c, offset, (u32)bytes);
	if (!p)
		return RT_STR("");
	if (bytes >= rt_script.maxstring)
		bytes = rt_script.maxstring - 1;
	return (struct rt_str){ (const char *)p, (u16)strnlen((const char *)p, (size_t)bytes) };
}

/* -1, which no record has: the handler runs at a hit that has no such fields. */
static s64 offset_of(struct rt_ctx *c, s64 n)
{
	const struct hit *hit = c->hit;

	return hit->fields ? (s64)hit->fields[n] : -1;
}

s64 rt_record_field(struct rt_ctx *c, s64 n, s64 at, s64 kind)
{
	s64 offset = offset_of(c, n);

	return rt_field(c, offset < 0 ? offset : offset + at, kind);
}

struct rt_str rt_record_string(struct rt_ctx *c, s64 n, s64 bytes)
{
	return rt_field_string(c, offset_of(c, n), bytes);
}

s64 rt_syscall_arg(struct rt_ctx *c, s64 n)
{
	return rt_field(c, n < 1 || n > 6 ? -1 : place_of(c->hit, SYSCALL_ARGS + 8 * (n - 1)), 8);
}

s64 rt_syscall_number(struct rt_ctx *c)
{
	return rt_field(c, place_of(c->hit, SYSCALL_NUMBER), 8);
}

s64 rt_arg(struct rt_ctx *c, s64 n, s64 kind)
{
	const struct hit *hit = c->hit;

	return rt_narrow(hit->site ? regs_argument(c, n) :
			 rt_field(c, n < 0 ? -1 : place_of(hit, SYSCALL_ARGS + 8 * n), 8), kind);
}

/* For a system call: offset of its first argument at the entry. */
s64 rt_returned(struct rt_ctx *c, s64 kind)
{
	const struct hit *hit = c->hit;

	if (hit->site)
		return rt_narrow(regs_result(c), kind);
	return rt_narrow(
		rt_field(c, place_of(hit, hit->result_at ? hit->result_at : SYSCALL_ARGS), 8),
		kind);
}
