/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * value.c - memory and arguments as numbers and strings: for $x->y, kernel_string() and similar
 * functions.
 *
 * Reads go through runtime_copy(), so a bad address is just a script error. Where arguments are is
 * up to the runtime.
 */
#include "runtime/core/core.h"
#include "runtime/core/ctx.h"

s64 rt_narrow(s64 value, s64 kind)
{
	switch (kind) {
	case 1: return (u8)value;
	case 2: return (u16)value;
	case 4: return (u32)value;
	case -1: return (signed char)value;
	case -2: return (short)value;
	case -4: return (s32)value;
	default: return value;
	}
}

static s64 value_load(struct rt_ctx *c, s64 at, s64 kind, int user, int or_zero)
{
	u64 value = 0;
	u32 size = (u32)(kind < 0 ? -kind : kind);

	if (c->failed)
		return 0;
	if (size > sizeof(value) || runtime_copy(c, &value, (u64)at, size, user)) {
		if (!or_zero)
			ctx_fault(c, RUN_FAULT, (u64)at);
		return 0;
	}
	return rt_narrow((s64)value, kind);
}

s64 rt_load(struct rt_ctx *c, s64 at, s64 kind) { return value_load(c, at, kind, 0, 0); }
s64 rt_user_load(struct rt_ctx *c, s64 at, s64 kind) { return value_load(c, at, kind, 1, 0); }
s64 rt_load_or_zero(struct rt_ctx *c, s64 at, s64 kind) { return value_load(c, at, kind, 0, 1); }
s64 rt_user_load_or_zero(struct rt_ctx *c, s64 at, s64 kind) { return value_load(c, at, kind, 1, 1); }

s64 rt_bits(s64 value, s64 shift, s64 width)
{
	u64 v = (u64)value >> (shift & 63);
	u32 keep = (u32)(width < 0 ? -width : width);

	if (!keep || keep > 63)
		return (s64)v;
	v &= (1ULL << keep) - 1;
	if (width < 0 && v >> (keep - 1))
		v |= ~0ULL << keep;
	return (s64)v;
}

s64 rt_kernel_char(struct rt_ctx *c, s64 at) { return rt_load(c, at, -1); }
s64 rt_kernel_short(struct rt_ctx *c, s64 at) { return rt_load(c, at, -2); }
s64 rt_kernel_int(struct rt_ctx *c, s64 at) { return rt_load(c, at, -4); }
s64 rt_kernel_long(struct rt_ctx *c, s64 at) { return rt_load(c, at, 8); }
s64 rt_int_arg(struct rt_ctx *c, s64 n) { return rt_arg(c, n - 1, -4); }
s64 rt_uint_arg(struct rt_ctx *c, s64 n) { return rt_arg(c, n - 1, 4); }
s64 rt_long_arg(struct rt_ctx *c, s64 n) { return rt_arg(c, n - 1, 8); }
s64 rt_returnval(struct rt_ctx *c) { return rt_returned(c, 8); }

/*
 * Reads up to n bytes or the first NUL; in pieces that do not cross pages, since a string may end
 * just before an unmapped one. -1: fault.
 */
static int value_string(struct rt_ctx *c, s64 at, s64 n, int user, struct rt_str *s)
{
	struct rt_strvar to = rt_strvar(c);
	u32 room = to.size ? (u32)to.size - 1 : 0, used = 0, i;

	if (n >= 0 && n < room)
		room = (u32)n;
	while (used < room && !c->failed) {
		u32 piece = 64 - (u32)(((u64)at + used) & 63);

		if (piece > room - used)
			piece = room - used;
		if (runtime_copy(c, to.p + used, (u64)at + used, piece, user))
			return -1;
		for (i = 0; i < piece; i++)
			if (!to.p[used + i]) {
				*s = (struct rt_str){ to.p, (u16)(used + i) };
				return 0;
			}
		used += piece;
	}
	*s = (struct rt_str){ to.p, (u16)used };
	return 0;
}

static struct rt_str value_text(struct rt_ctx *c, s64 at, s64 n, int user)
{
	struct rt_str s = RT_STR("");

	if (value_string(c, at, n, user, &s))
		ctx_fault(c, user ? RUN_USER_STRING : RUN_KERNEL_STRING, (u64)at);
	return s;
}

static struct rt_str value_text_or(struct rt_ctx *c, s64 at, struct rt_str instead, int user)
{
	struct rt_str s = RT_STR("");

	return value_string(c, at, -1, user, &s) ? instead : s;
}

struct rt_str rt_kernel_string(struct rt_ctx *c, s64 at) { return value_text(c, at, -1, 0); }
struct rt_str rt_kernel_string_n(struct rt_ctx *c, s64 at, s64 n)
{
	return value_text(c, at, n, 0);
}
struct rt_str rt_kernel_string_or(struct rt_ctx *c, s64 at, struct rt_str instead)
{
	return value_text_or(c, at, instead, 0);
}
struct rt_str rt_user_string(struct rt_ctx *c, s64 at) { return value_text(c, at, -1, 1); }
struct rt_str rt_user_string_n(struct rt_ctx *c, s64 at, s64 n) { return value_text(c, at, n, 1); }
struct rt_str rt_user_string_or(struct rt_ctx *c, s64 at, struct rt_str instead)
{
	return value_text_or(c, at, instead, 1);
}

/* ---- quoted ------------------------------------------------------------------*/

static struct rt_str value_quoted(struct rt_ctx *c, s64 at, s64 n, s64 room, int user)
{
	struct rt_strvar to = { 0 };
	struct rt_str s = RT_STR("");

	if (n < 0) {
		s = value_text(c, at, -1, user);
	} else {
		to = rt_strvar(c);
		if (room > 0 && n > room)		/* more would not be shown */
			n = room;
		s = (struct rt_str){ to.p,
				     n < to.size ? (u16)n : (u16)(to.size ? to.size - 1 : 0) };
		if (s.len && runtime_copy(c, to.p, (u64)at, s.len, user)) {
			ctx_fault(c, RUN_FAULT, (u64)at);
			s.len = 0;
		}
	}
	return c->failed ? RT_STR("") : rt_text_strn(c, s, room, 1);
}

struct rt_str rt_kernel_quoted(struct rt_ctx *c, s64 at, s64 n, s64 room)
{
	return value_quoted(c, at, n, room, 0);
}
struct rt_str rt_user_quoted(struct rt_ctx *c, s64 at, s64 n, s64 room)
{
	return value_quoted(c, at, n, room, 1);
}
