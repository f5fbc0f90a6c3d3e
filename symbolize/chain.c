/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chain.c - see chain.h.
 */
#include "symbolize/chain.h"

#include "symbolize/callers.h"
#include "symbolize/process.h"
#include "symbolize/unwind.h"

#include <string.h>

/* The stack of the current sample: load_copy() has no argument for it. */
static struct { const u8 *p; u64 base; u32 bytes; } copy;

static int load_copy(u64 at, u64 *value)
{
	if (copy.bytes < 8 || at < copy.base || at - copy.base > copy.bytes - 8)
		return -1;
	memcpy(value, copy.p + (at - copy.base), sizeof(*value));
	return 0;
}

static void put(struct chain *c, u64 ip)
{
	if (c->n++ < c->max)
		c->ip[c->n - 1] = ip;
}

/* The row of a frame; back: distance from its call to ip. *start: it has no caller. */
static struct wire_caller row_of(s32 pid, u64 ip, int back, int *start)
{
	struct wire_caller none = { .base = WIRE_CALLER_NONE };
	u64 offset;
	struct image *im = process_image(pid, ip - (u64)back, &offset);
	struct wire_caller how = im ? callers_at(im, offset) : none;

	*start = how.base == WIRE_CALLER_END;
	/*
	 * Only addresses whose row does not use the frame pointer need this check.
	 */
	if (im && back && how.base != WIRE_CALLER_END && how.base != WIRE_CALLER_FP)
		*start = callers_is_start(im, offset);
	return how;
}

/* True if a call can return there. */
static int is_return(s32 pid, u64 ip)
{
	u64 offset;
	struct image *im = process_image(pid, ip - 1, &offset);

	return process_is_code(pid, ip - 1) && (!im || callers_follows_call(im, offset + 1));
}

/* Unwinds one frame. 0, or -1: no caller found. */
static int step(struct chain *c, const struct chain_from *from, struct caller_frame *f,
		const struct wire_caller *how)
{
	u64 to;

	if (caller_find(f, how->base == WIRE_CALLER_NONE ? NULL : how, load_copy))
		return -1;
	if (f->arm64)
		f->ip &= 0xffffffffffff;
	if (unwind_is_trampoline(f->ip, f->arm64)) {
		to = from->returns_to ? from->returns_to(from->tid, f->sp) : 0;
		if (!to)
			return -1;
		f->ip = to;
	}
	if (!f->exact && !is_return(c->pid, f->ip))	/* assembly that moved the stack pointer
							 * without CFI */
		return -1;
	put(c, f->ip);
	return 0;
}

int chain_top(struct chain *c, const struct chain_from *from)
{
	int in_step = 1, start, found;		/* in_step: the frame pointer is the one that
						 * perf followed */
	struct caller_frame f;
	struct wire_caller how;

	c->pid = from->pid;
	c->uncertain = !from->at;
	c->arm64 = !from->at || from->at->arm64;
	put(c, from->ip);
	if (!from->at)
		return 1;
	f = *from->at;
	copy.p = from->stack;
	copy.base = f.sp;
	copy.bytes = from->bytes;
	for (;;) {
		u64 fp = f.fp;

		how = row_of(c->pid, f.ip, !f.exact, &start);
		if (f.exact && from->is_entry && how.base == WIRE_CALLER_NONE)
			how = caller_at_entry(f.arm64);
		c->whole = start;
		c->uncertain |= f.exact && how.base == WIRE_CALLER_NONE;
		if (start || c->n > c->max)
			return 0;
		if (in_step && (how.base == WIRE_CALLER_NONE || caller_has_record(&f, &how)))
			return 1;
		found = !step(c, from, &f, &how);
		c->whole = !found && f.ends;
		if (!found && in_step && !f.ends && !how.fp)
			put(c, STACK_GAP);
		if (!found)
			return in_step && !f.ends && !how.fp;
		in_step = in_step && f.fp == fp;
	}
}

/*
 * True if code that calls others from there has a frame record, which frame pointers follow.
 * Without a row it is assumed to have one.
 */
static int keeps_record(const struct chain *c, const struct wire_caller *how)
{
	return how->base == WIRE_CALLER_NONE || how->base == WIRE_CALLER_FP ||
	       (c->arm64 && how->fp && how->ra == how->fp + 8);
}

void chain_rest(struct chain *c, const u64 *ip, u32 n)
{
	struct wire_caller how = { 0 };

	for (u32 i = 0; i < n && c->n <= c->max; i++) {
		int lost = i && !keeps_record(c, &how);

		if (lost && how.fp)		/* it keeps something else in the register */
			return;
		if (!is_return(c->pid, ip[i]))
			return;
		if (lost)
			put(c, STACK_GAP);
		put(c, ip[i]);
		how = row_of(c->pid, ip[i], 1, &c->whole);
		if (c->whole)
			return;
	}
}

u32 chain_end(struct chain *c)
{
	u32 flaws =
		(c->whole && c->n <= c->max ? 0 : STACK_CUT) | (c->uncertain ? STACK_UNCERTAIN : 0);

	while (c->n && c->n <= c->max && c->ip[c->n - 1] == STACK_GAP)		/* nothing is
										 * known beyond
										 * it */
		c->n--;
	for (u32 i = 0; i < c->n && i < c->max; i++)
		flaws |= c->ip[i] == STACK_GAP ? STACK_SKIPS : 0;
	return flaws;
}
