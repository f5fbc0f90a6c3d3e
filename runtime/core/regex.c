// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * regex.c - runs the automata of =~, and finds where the groups of a match are.
 *
 * A text of n bytes is n + 2 symbols: its beginning, the bytes, its end. Positions are counted in
 * symbols. Each run is linear in the text; groups cost one more run per part of the pattern that
 * holds one.
 */
#include "runtime/core/core.h"
#include "runtime/core/ctx.h"
#include "runtime/core/port.h"
#include "runtime/core/str.h"

#define BOL		256
#define EOL		257
#define START		1
#define PENDING		RT_REGEX_PARTS
#define UNSET		0xffff

struct work {
	s16	part;
	u16	from, to;
};

static u32 symbol(struct rt_str s, u32 place)
{
	return place == 0 ? BOL : place > s.len ? EOL : (u8)s.p[place - 1];
}

static u32 step(const struct rt_dfa *d, u32 state, struct rt_str s, u32 place)
{
	return d->next[state * d->nclasses + d->classes[symbol(s, place)]];
}

s64 rt_match(const struct rt_dfa *find, struct rt_str s)
{
	u32 state = START;

	for (u32 place = 0; place < s.len + 2u; place++) {
		if (find->accepts[state])
			return 1;
		state = step(find, state, s, place);
	}
	return find->accepts[state];
}

/* The first position where a match starts, or -1. */
static s32 first_start(const struct rt_dfa *d, struct rt_str s)
{
	u32 state = START;
	s32 first = -1;

	for (s32 place = s.len + 2; ; place--) {
		if (d->accepts[state])
			first = place;
		if (place == 0 || !state)
			return first;
		state = step(d, state, s, (u32)place - 1);
	}
}

/*
 * End of the longest match that begins at `from`, at most at `to`; sets a bit in bits, if not NULL,
 * for each possible end.
 */
static u32 last_end(const struct rt_dfa *d, struct rt_str s, u32 from, u32 to, u8 *bits)
{
	u32 state = START, last = from;

	for (u32 place = from; ; place++) {
		if (d->accepts[state]) {
			last = place;
			if (bits)
				bits[place >> 3] |= 1 << (place & 7);
		}
		if (place == to || !state)
			return last;
		state = step(d, state, s, place);
	}
}

/* The last position where the part's first half can end and the rest begin. */
static u32 split(const struct rt_regex_part *part, struct rt_str s, const struct work *w, u8 *bits)
{
	u32 state = START;

	memset(bits, 0, (s.len + 2u) / 8 + 1);
	last_end(part->first, s, w->from, w->to, bits);
	for (u32 place = w->to; ; place--) {
		if (part->rest->accepts[state] && bits[place >> 3] & 1 << (place & 7))
			return place;
		if (place == w->from || !state)
			return w->from;
		state = step(part->rest, state, s, place - 1);
	}
}

/* The extent of the last iteration of a repetition. */
static struct work last_round(const struct rt_regex_part *part, struct rt_str s, struct work w,
			      u8 *bits)
{
	struct work last = { -1, 0, 0 };

	while (w.from < w.to) {
		u32 end = split(part, s, &w, bits);

		if (end == w.from)
			break;
		last = (struct work){ part->left, w.from, (u16)end };
		w.from = (u16)end;
	}
	return last;
}

static void keep_groups(struct rt_ctx *c, const struct rt_regex *r, struct rt_str s,
			struct work all, u8 *bits)
{
	struct work pending[PENDING];
	u32 n = 0;

	pending[n++] = all;
	while (n) {
		struct work w = pending[--n];
		const struct rt_regex_part *part = &r->parts[w.part];
		struct work left = { part->left, w.from, w.to }, right = { -1, 0, w.to };

		if (part->kind == RT_REGEX_GROUP) {
			c->group[part->group][0] = w.from;
			c->group[part->group][1] = w.to;
		} else if (part->kind == RT_REGEX_CAT) {
			right.from = left.to = (u16)split(part, s, &w, bits);
			right.part = part->right;
		} else if (part->kind == RT_REGEX_STAR) {
			left = last_round(part, s, w, bits);
		} else if (last_end(part->first, s, w.from, w.to, NULL) != w.to) {
			left.part = part->right;
		}
		if (right.part >= 0 && n < PENDING)
			pending[n++] = right;
		if (left.part >= 0 && n < PENDING)
			pending[n++] = left;
	}
}

s64 rt_match_keep(struct rt_ctx *c, const struct rt_regex *r, struct rt_str s)
{
	u32 bytes = (s.len + 2u) / 8 + 1, mark = c->arena_used;
	s32 start = first_start(r->start, s);
	u32 end;
	u8 *bits;

	c->taken &= ~RT_TOOK_MATCH;
	if (start < 0)
		return 0;
	bits = (u8 *)str_room(c, bytes);
	if (!bits)
		return 0;
	memset(c->group, 0xff, (r->groups + 1) * sizeof(c->group[0]));
	c->taken |= RT_TOOK_MATCH;
	c->groups = (u8)(r->groups + 1);
	end = last_end(r->whole, s, (u32)start, s.len + 2u, NULL);
	/*
	 * ^ matches at 0, before the first byte at 1: a match may start at either, and the longer
	 * one counts
	 */
	if (start == 0 && last_end(r->whole, s, 1, s.len + 2u, NULL) > end) {
		start = 1;
		end = last_end(r->whole, s, 1, s.len + 2u, NULL);
	}
	c->group[0][0] = (u16)start;
	c->group[0][1] = (u16)end;
	if (r->root >= 0)
		keep_groups(c, r, s, (struct work){ r->root, c->group[0][0], c->group[0][1] },
			    bits);
	c->arena_used = mark;
	rt_set(&c->subject, s);
	return 1;
}

/* Converts a position in symbols to one in bytes. */
static u32 byte_at(const struct rt_ctx *c, u32 place)
{
	return !place ? 0 : place > c->subject.len ? c->subject.len : place - 1;
}

s64 rt_match_groups(struct rt_ctx *c)
{
	if (c->taken & RT_TOOK_MATCH)
		return c->groups;
	ctx_fail(c, RUN_MATCH);
	return 0;
}

struct rt_str rt_match_text(struct rt_ctx *c, s64 n)
{
	u32 from;

	if (n < 0 || n >= rt_match_groups(c)) {
		ctx_fail(c, RUN_GROUP);
		return RT_STR("");
	}
	if (c->group[n][0] == UNSET)
		return RT_STR("");
	from = byte_at(c, c->group[n][0]);
	return rt_dup(c, (struct rt_str){ c->subject.p + from,
					  (u16)(byte_at(c, c->group[n][1]) - from) });
}

struct rt_str rt_match_whole(struct rt_ctx *c)
{
	return rt_match_text(c, 0);
}
