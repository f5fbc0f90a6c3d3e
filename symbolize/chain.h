/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chain.h - a program's stack from perf's call chain: the addresses found by frame pointers, and
 * the callers that they skip.
 *
 * In a function without a frame record (a leaf function, a prologue or an epilogue) the frame
 * pointer leads to the caller's record, so perf's chain skips the caller. The innermost frames are
 * therefore unwound by the rows of their images (callers.h), with the registers and a little of the
 * stack, up to a frame with a record; from there on perf's chain is used.
 */
#ifndef LAPWING_SYMBOLIZE_CHAIN_H
#define LAPWING_SYMBOLIZE_CHAIN_H

#include "runtime/core/caller.h"

/* Bytes of the stack to sample (sample_stack_user). */
#define CHAIN_STACK 512

struct chain_from {
	s32		pid, tid;	/* as process.h knows the process */
	u64		ip;
	const struct caller_frame *at;	/* registers of the innermost frame; NULL: not sampled */
	int		is_entry;	/* ip is a function's first instruction, regardless of
					 * the image */
	const u8	*stack;		/* copy of the stack from the stack pointer on */
	u32		bytes;
	/* As struct unwind_from's, or NULL. */
	u64		(*returns_to)(s32 tid, u64 stack);
};

/* A stack under construction: room for max addresses; n counts those beyond max too. */
struct chain {
	u64		*ip;
	u32		n, max;
	s32		pid;
	int		arm64;
	int		uncertain;	/* no row says whether the innermost function has a
					 * record: a caller may be missing */
	int		whole;		/* it reaches the function where its thread began */
};

/*
 * Finds the innermost frames, at least ip itself. 1: perf's chain after its first address continues
 * them; 0: complete.
 */
int chain_top(struct chain *c, const struct chain_from *from);
/* Appends n addresses of perf's chain (found by frame pointers). */
void chain_rest(struct chain *c, const u64 *ip, u32 n);
/* Ends the stack; returns enum stack_flaws. */
u32 chain_end(struct chain *c);

#endif
