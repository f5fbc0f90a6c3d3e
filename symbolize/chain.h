/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chain.h - a program's stack out of perf's call chain: what frame pointers lead to, and the callers that they lead past.
 *
 * Who is interrupted in a function without a record of its own (a leaf, or one that is about to make or has dropped its record) has a frame
 * pointer that leads to the caller's record: the caller itself is passed over. So the innermost frames are gone through by the rows of
 * their images (callers.h), with the registers and a little of the stack, up to one that has a record; from there on frame pointers hold.
 */
#ifndef LAPWING_SYMBOLIZE_CHAIN_H
#define LAPWING_SYMBOLIZE_CHAIN_H

#include "runtime/core/caller.h"

/* Bytes of the stack to be taken with a sample. */
#define CHAIN_STACK 512

struct chain_from {
	s32		pid, tid;	/* as process.h knows the process */
	u64		ip;
	const struct caller_frame *at;	/* NULL: its registers are not known */
	int		is_entry;	/* it is a function's first instruction, whatever its image tells */
	const u8	*stack;		/* what its stack pointer points to */
	u32		bytes;
	/* As struct unwind_from's, or NULL. */
	u64		(*returns_to)(s32 tid, u64 stack);
};

/* A stack that is being found: room for max addresses; it goes on behind them where n is beyond max. */
struct chain {
	u64		*ip;
	u32		n, max;
	s32		pid;
	int		arm64;
	int		uncertain;	/* nothing tells whether the innermost function has a record: callers may be missing behind it */
	int		whole;		/* it ends where its thread began */
};

/* The innermost frames, ip itself at least. 1: what perf found behind its first address goes on from there; 0: that is all. */
int chain_top(struct chain *c, const struct chain_from *from);
/* Goes on with n addresses that frame pointers led to. */
void chain_rest(struct chain *c, const u64 *ip, u32 n);
/* That is all: enum stack_flaws. */
u32 chain_end(struct chain *c);

#endif
