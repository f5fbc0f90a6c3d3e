/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * call.h - calls of functions, of programs and of the kernel, that are under way: what @entry keeps from the entry to the return of the
 * same call.
 *
 * A call is known by its row, thread and stack pointer, so recursion and threads are told apart, and a call that is left by longjmp() or
 * whose entry was lost confuses no other. State is that of the record being handled.
 */
#ifndef LAPWING_CALL_H
#define LAPWING_CALL_H

#include "runtime/rt.h"

struct call {
	struct call	*next;
	const void	*row;		/* of the family that asks */
	s32		tid;
	u64		stack;		/* at the entry */
	int		done;		/* all values are kept */
	union rt_kept	kept[];
};

/* A call begins: room for nkept values, with_text: of strings too. NULL: no memory. */
struct call *call_begin(const void *row, s32 tid, u64 stack, u32 nkept, int with_text);
/* It ends: taken out, the caller frees it. NULL: its entry was not seen. */
struct call *call_end(const void *row, s32 tid, u64 stack);
/* How many calls of a thread are around one with that stack pointer: their frames lie above. Of user code, as kernel stacks are apart. */
u32 call_depth(s32 tid, u64 stack);
/* The kernel is about to put an address of its own where the call returns to: to. Ends by call_end() with row NULL. */
void call_hides(s32 tid, u64 stack, u64 to);
/* Where the call returns to in truth whose caller has this stack pointer behind it. 0: not known. */
u64 call_returns_to(s32 tid, u64 behind);
/* How many calls of a row are under way. */
u64 call_count(const void *row);
/* A thread ends, and all of its calls; 0: all threads. */
void call_forget(s32 tid);

#endif
