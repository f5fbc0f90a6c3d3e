// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * record.c - what an event's record holds: fields of tracepoints, arguments of system calls and of
 * functions, by their offsets.
 *
 * Offsets of a tracepoint's fields are from tracefs, read when the script was translated
 * (translator/debuginfo); all others are read from there when the event is armed
 * (record_layout.h). Everything here was captured at the instant of the hit.
 */
#include "runtime/core/ctx.h"
#include "runtime/user/context/enter.h"
#include "runtime/user/events/record_layout.h"
#include "runtime/user/user.h"
#include "runtime/user/context/regs.h"

#include <string.h>

static const struct record_layout *layout_of(const struct rt_ctx *c)
{
	static const struct record_layout nothing;
	const struct hit *hit = c->hit;

	return hit->layout ? hit->layout : &nothing;
}

static const u8 *bytes_at(struct rt_ctx *c, s64 offset, u32 n)
{
	const struct hit *hit = c->hit;

	if (hit->raw && offset >= 0 && offset <= hit->raw_bytes &&
	    n <= hit->raw_bytes - (u32)offset)
		return hit->raw + offset;
	ctx_fail(c, RUN_FIELD);
	return NULL;
}

static s64 number_at(struct rt_ctx *c, s64 offset, s64 kind)
{
	u32 n = (u32)(kind < 0 ? -kind : kind);
	const u8 *p = n <= 8 ? bytes_at(c, offset, n) : NULL;
	s64 value = 0;

	if (p)
		memcpy(&value, p, n);
	return rt_narrow(value, kind);
}

/* Word n of those at an offset of the layout, which is 0 if the record has none. */
static s64 word_at(struct rt_ctx *c, u32 at, s64 n)
{
	return number_at(c, at && n >= 0 ? at + 8 * n : -1, 8);
}

s64 rt_field(struct rt_ctx *c, s64 offset, s64 kind)
{
	return number_at(c, layout_of(c)->fetched + offset, kind);
}

/*
 * bytes: size of an array of char; 0: at offset is a word that locates the text; -1: the same, but
 * relative to the end of that word.
 */
struct rt_str rt_field_string(struct rt_ctx *c, s64 offset, s64 bytes)
{
	const u8 *p;
	u32 word;

	offset += layout_of(c)->fetched;
	if (bytes <= 0) {
		word = (u32)number_at(c, offset, 4);
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
	return word_at(c, layout_of(c)->arguments, n > 6 ? -1 : n - 1);
}

s64 rt_compat_call(struct rt_ctx *c)
{
	return !user_is_phase(c) && ((const struct hit *)c->hit)->is_32bit;
}

s64 rt_syscall_number(struct rt_ctx *c)
{
	const struct record_layout *layout = layout_of(c);

	return number_at(c, layout->number ? (s64)layout->number : -1,
			 -(s64)layout->number_bytes);
}

s64 rt_arg(struct rt_ctx *c, s64 n, s64 kind)
{
	const struct hit *hit = c->hit;

	return rt_narrow(hit->site ? regs_argument(c, n)
				   : word_at(c, layout_of(c)->arguments, n),
			 kind);
}

s64 rt_returned(struct rt_ctx *c, s64 kind)
{
	const struct hit *hit = c->hit;

	return rt_narrow(hit->site ? regs_result(c) : word_at(c, layout_of(c)->result, 0), kind);
}
