/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * call.h - calls of functions, of programs and of the kernel, that are under way: what @entry keeps from the entry to the return of the
 * same call.
 *
 * A call is known by its row, thread and stack pointer, so recursion and threads are told apart, and a call that is left by longjmp()
 * confuses no other. Where records were lost (loss.h) that is not enough: calls that were open then stay, as how deep a thread is matters,
 * but are not proven. State is that of the record being handled.
 */
#ifndef LAPWING_CALL_H
#define LAPWING_CALL_H

#include "runtime/user/user.h"

/* What became of it at its entry. UNPROVEN: that and the return seen may be of two calls; COPIED: fork() made it, in the child. */
enum call_state { CALL_FAILED, CALL_OFF, CALL_KEPT, CALL_UNPROVEN, CALL_COPIED };

struct call {
	struct call	*next;
	const void	*row;		/* of the family that asks */
	s32		tid;
	enum call_state	state;
	int		counts;		/* it keeps counts of its thread */
	u64		stack;		/* at the entry */
	union rt_kept	kept[];
};

/*
 * A call of a function begins: hits the row's keeper, with room for nkept values, with_text: of strings too. most: no more calls of a
 * thread are awaited, and the one that is too many is booked so; 0: any number.
 */
struct call_row {
	const void	*row;
	const struct rt_probe *probe, *keeper;
	u32		nkept, most;
	int		with_text;
};
void call_enter(const struct call_row *r, struct hit *hit, u64 stack);
/* It ends, with that stack pointer at its entry: hits the row's probe, if it is proven to be the same call, and else books why not. */
void call_return(const struct call_row *r, struct hit *hit, u64 stack);
/* The kernel is about to put an address of its own where the call returns to: to. */
void call_hides(const struct hit *hit, u64 stack, u64 to);
/* Where the call returns to in truth whose caller has this stack pointer behind it. 0: not known. */
u64 call_returns_to(s32 tid, u64 behind);
/* It has returned. */
void call_shows(s32 tid, u64 stack);
/* How many calls of a row are under way, of those that are proven. */
u64 call_count(const void *row);
/* Nothing that is under way is proven any more; or none that keeps counts of that thread. */
void call_doubt(void);
void call_doubt_counts(s32 tid);
/* A thread is a copy of another one: its calls return twice, and are hits once. */
void call_copy(s32 from, s32 to);
/* A thread ends, and all of its calls; 0: all threads. */
void call_forget(s32 tid);

#endif
