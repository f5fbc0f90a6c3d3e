/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * call.h - calls of functions, of programs and of the kernel, that are under way: what @entry keeps
 * from the entry to the return of the same call.
 *
 * A call is known by its row, thread and stack pointer, so recursion and threads are told apart,
 * and a call that is left by longjmp() confuses no other. Where functions yield to other stacks,
 * and go on in another thread, it is known by process and stack pointer. Where records were lost
 * (loss.h) that is not enough: calls that were open then stay, as how deep a thread is matters, but
 * are not proven. State is that of the record being handled.
 */
#ifndef LAPWING_CALL_H
#define LAPWING_CALL_H

#include "runtime/user/user.h"

/*
 * What became of it at its entry. UNPROVEN: that and the return seen may be of two calls; COPIED:
 * fork() made it, in the child; UNSEEN: that was before it was probed. MIXED, at its return: the
 * counts that it keeps cannot be compared with those there.
 */
enum call_state { CALL_FAILED, CALL_OFF, CALL_KEPT, CALL_UNPROVEN, CALL_COPIED, CALL_UNSEEN, CALL_MIXED };

struct call {
	struct call	*next;
	const void	*row;		/* of the family that asks */
	/* a thread's, or less than 0: any thread's of that process */
	s32		whose;
	s32		tid;		/* in which it began */
	enum call_state	state;
	/* it has perhaps jumped to another function, which this probe would miss; or NULL */
	const struct rt_probe *jumped;
	int		counts;		/* it keeps counts of its thread */
	u32		mixed;		/* with another thread's: enum rt_mixed */
	u64		stack;		/* at the entry */
	union rt_kept	kept[];
};

/*
 * A call of a function begins: hits the row's keeper, where there is one, with room for nkept
 * values, with_text: of strings too. most: no more calls of a thread are awaited, and the one that
 * is too many is booked so; 0: any number. any_thread: it may end in another one.
 */
struct call_row {
	const void	*row;
	const struct rt_probe *probe, *keeper;
	u32		nkept, most;
	int		with_text, any_thread;
};
void call_enter(const struct call_row *r, struct hit *hit, u64 stack);
/*
 * It ends, with that stack pointer at its entry: hits the row's probe, if it is proven to be the
 * same call, and else books why not.
 */
void call_return(const struct call_row *r, struct hit *hit, u64 stack);
/* One ends in this thread, and it is not known which: books that for one that began here. */
void call_end_unknown(const struct call_row *r, struct hit *hit);
/*
 * It jumps to another function, or, unless is_certain, may do so: that one's return is not seen as
 * one of this.
 */
void call_jump(const struct call_row *r, struct hit *hit, u64 stack, int is_certain);
/* The kernel is about to replace the call's return address `to`. */
void call_hides(const struct hit *hit, u64 stack, u64 to);
/*
 * Where the call returns to in truth whose caller has this stack pointer behind it. 0: not known.
 */
u64 call_returns_to(s32 tid, u64 behind);
/* It has returned. */
void call_shows(s32 tid, u64 stack);
/* Number of a row's pending calls that are proven. */
u64 call_count(const void *row);
/* Makes all pending calls unproven. */
void call_doubt(void);
/*
 * What that thread counts may be another one's: of the calls that are under way in it no such
 * counts (enum rt_mixed) are known.
 */
void call_mix_counts(s32 tid, u32 mixed);
/*
 * The first thread of a new process is a copy of its parent's: the calls return twice, and are hits
 * once.
 */
void call_fork(s32 parent, s32 parent_tid, const struct hit *hit);
/* A thread has ended, and all of its calls; with the last one those of its process. */
void call_thread_exit(const struct hit *hit);
/* A process runs another program, in the thread that asked for it. */
void call_exec(const struct hit *hit);
/* Those of processes that have ended are over. */
void call_look_around(void);
/* Nothing is known of any call; nothing is booked. */
void call_clear(void);

#endif
