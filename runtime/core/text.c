// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * text.c - string functions of the library that work on bytes: searching, replacing, quoting,
 * tokens.
 *
 * Their work is bounded by the longest string, not by the statement budget. Concatenation and
 * numbers are in str.c.
 */
#include "runtime/core/core.h"
#include "runtime/core/ctx.h"
#include "runtime/core/port.h"
#include "runtime/core/sink.h"

static u32 text_max(void)
{
	return rt_script.maxstring - 1;
}

s64 rt_stringat(struct rt_ctx *c, struct rt_str s, s64 at)
{
	if (at >= 0 && at < s.len)
		return (u8)s.p[at];
	ctx_fail(c, RUN_POSITION);
	return 0;
}

/* Position of needle at or after `from`; -1: not found. */
static s64 text_find(struct rt_str hay, u32 from, struct rt_str needle)
{
	for (; from + needle.len <= hay.len; from++)
		if (!memcmp(hay.p + from, needle.p, needle.len))
			return from;
	return -1;
}

s64 rt_strpos(struct rt_str hay, struct rt_str needle)
{
	return text_find(hay, 0, needle);
}

s64 rt_isdigit(struct rt_str s)
{
	return s.len && s.p[0] >= '0' && s.p[0] <= '9';
}

/* A sink on a new buffer in the arena, large enough for a string result; no room fails the hit. */
static struct sink text_sink(struct rt_ctx *c)
{
	struct rt_strvar to = rt_strvar(c);

	return (struct sink){ .p = to.p, .size = to.size ? text_max() : 0 };
}

/* The sink's text as the newest string of the arena: unused room is released. */
static struct rt_str text_end(struct rt_ctx *c, const struct sink *s)
{
	if (s->size)
		c->arena_used = (u32)(s->p - c->arena) + s->used;
	return (struct rt_str){ s->p, (u16)s->used };
}

struct rt_str rt_str_replace(struct rt_ctx *c, struct rt_str s, struct rt_str from,
			     struct rt_str to)
{
	struct sink out;
	u32 done = 0;
	s64 at;

	if (!from.len || text_find(s, 0, from) < 0)
		return s;
	out = text_sink(c);
	while ((at = text_find(s, done, from)) >= 0) {
		sink_put(&out, s.p + done, (u32)at - done);
		sink_put(&out, to.p, to.len);
		done = (u32)at + from.len;
	}
	sink_put(&out, s.p + done, s.len - done);
	return text_end(c, &out);
}

/* ---- quoting -----------------------------------------------------------------*/

/* The first character of s and its length in bytes; invalid UTF-8 is a single byte. */
static u32 text_decode(struct rt_str s, u32 *ch)
{
	static const u32 least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	u8 first = (u8)s.p[0];
	u32 n = first >= 0xf0 && first < 0xf8 ? 4 : first >= 0xe0 ? 3 : 2, i;

	*ch = first;
	if (first < 0xc0 || first >= 0xf8 || n > s.len)
		return 1;
	*ch = first & (0x7fU >> n);
	for (i = 1; i < n; i++) {
		if ((s.p[i] & 0xc0) != 0x80)
			break;
		*ch = *ch << 6 | (s.p[i] & 0x3f);
	}
	if (i == n && *ch >= least[n] && *ch <= 0x10ffff)
		return n;
	*ch = first;
	return 1;
}

static void text_digits(struct sink *s, u32 v, u32 digits, u32 bits)
{
	while (digits--)
		sink_char(s, "0123456789abcdef"[v >> digits * bits & ((1U << bits) - 1)]);
}

/*
 * One character in text_str()'s format, at most 10 bytes. A 0 is \0, as
 * SystemTap shows it, whatever follows.
 */
static void text_escape(struct sink *s, u32 ch, u32 bytes)
{
	static const char plain[] = "\a\b\f\n\r\t\v\"\\", letters[] = "abfnrtv\"\\";
	u32 i;

	if (bytes > 1) {
		sink_text(s, ch > 0xffff ? "\\U" : "\\u");
		text_digits(s, ch, ch > 0xffff ? 8 : 4, 4);
		return;
	}
	for (i = 0; i < sizeof(plain) - 1 && (u8)plain[i] != ch; i++)
		;
	if (i == sizeof(plain) - 1 && ch >= 32 && ch < 127) {
		sink_char(s, (char)ch);
		return;
	}
	sink_char(s, '\\');
	if (i < sizeof(plain) - 1)
		sink_char(s, letters[i]);
	else
		text_digits(s, ch, ch ? 3 : 1, 3);
}

/*
 * The length includes two quotes, and three dots if the text is truncated; a truncated text gives
 * up its last characters for the dots. A 0 takes as much room as the longest escape of a byte.
 */
struct rt_str rt_text_strn(struct rt_ctx *c, struct rt_str s, s64 len, s64 quoted)
{
	struct sink out = text_sink(c), one;
	u32 room = len > 0 && len < text_max() ? (u32)len : text_max(), bytes, ch,
	    cost, kept;
	char shown[10];

	if (quoted) {
		room = (room > 5 ? room : 5) - 2;
		sink_char(&out, '"');
	}
	kept = out.used;
	for (; s.len; s.p += bytes, s.len -= bytes) {
		bytes = text_decode(s, &ch);
		one = (struct sink){ .p = shown, .size = sizeof(shown) };
		text_escape(&one, ch, bytes);
		cost = ch ? one.used : 4;
		if (cost > room)
			break;
		sink_put(&out, shown, one.used);
		room -= cost;
		if (room >= 3)
			kept = out.used;
	}
	if (quoted && s.len)
		out.used = kept;
	if (quoted)
		sink_text(&out, s.len ? "\"..." : "\"");
	return text_end(c, &out);
}

struct rt_str rt_text_str(struct rt_ctx *c, struct rt_str s) { return rt_text_strn(c, s, 0, 0); }
struct rt_str rt_string_quoted(struct rt_ctx *c, struct rt_str s)
{
	return rt_text_strn(c, s, 0, 1);
}

/*
 * JSON: UTF-8 is kept, other control characters are \\u00xx. A truncated text also ends in a quote.
 */
struct rt_str rt_json_quoted(struct rt_ctx *c, struct rt_str s)
{
	static const char plain[] = "\b\f\n\r\t\"\\", letters[] = "bfnrt\"\\";
	struct sink out = text_sink(c);
	u32 i, k;

	sink_char(&out, '"');
	for (i = 0; i < s.len && out.used + 7 <= out.size; i++) {
		for (k = 0; k < sizeof(plain) - 1 && plain[k] != s.p[i]; k++)
			;
		if (k < sizeof(plain) - 1) {
			sink_char(&out, '\\');
			sink_char(&out, letters[k]);
		} else if ((u8)s.p[i] < 32 || s.p[i] == 127) {
			sink_text(&out, "\\u");
			text_digits(&out, (u8)s.p[i], 4, 4);
		} else {
			sink_char(&out, s.p[i]);
		}
	}
	sink_char(&out, '"');
	return text_end(c, &out);
}

/* ---- tokens ------------------------------------------------------------------*/

static int text_is_in(char ch, struct rt_str set)
{
	u32 i;

	for (i = 0; i < set.len && set.p[i] != ch; i++)
		;
	return i < set.len;
}

struct rt_str rt_tokenize(struct rt_ctx *c, struct rt_str s, struct rt_str delimiters)
{
	struct rt_strvar *left = &c->tokens;
	u32 start = c->token_at, end;

	if (s.len) {
		rt_set(left, s);
		start = 0;
	}
	while (start < left->len && text_is_in(left->p[start], delimiters))
		start++;
	for (end = start; end < left->len && !text_is_in(left->p[end], delimiters); end++)
		;
	c->token_at = (u16)(end < left->len ? end + 1 : end);
	return rt_dup(c, (struct rt_str){ left->p + start, (u16)(end - start) });
}

struct rt_str rt_tokenize_on(struct rt_ctx *c, struct rt_str delimiters)
{
	return rt_tokenize(c, RT_STR(""), delimiters);
}
