/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * call.h - pending calls of functions, of programs and of the kernel: what @entry keeps from the
 * entry to the return of the same call.
 *
 * A call is identified by its row, thread and stack pointer, which distinguishes recursive calls
 * and threads; a call that is left by longjmp() is not mistaken for another. Where functions yield
 * to other stacks and continue in another thread, it is identified by process and stack pointer.
 * Where records were lost (loss.h) that is not enough: calls that were open then are kept, as the
 * depth of a thread's calls matters, but are unproven. State is that of the record being handled.
 */
#ifndef LAPWING_CALL_H
#define LAPWING_CALL_H

#include "runtime/user/user.h"

/*
 * What happened at the entry of a call. UNPROVEN: the entry and the return seen may be of two
 * calls; COPIED: fork() made the call, in the child; UNSEEN: the entry was before it was probed.
 * MIXED, at the return: the counts kept at the entry cannot be compared with those at the return.
 */
enum call_state { CALL_FAILED, CALL_OFF, CALL_KEPT, CALL_UNPROVEN, CALL_COPIED, CALL_UNSEEN, CALL_MIXED };

struct call {
	struct call	*next;
	const void	*row;		/* of the calling family */
	/* thread ID; negative: minus the process ID, for a call of any of its threads */
	s32		whose;
	s32		tid;		/* in which it began */
	enum call_state	state;
	/* it may have jumped to another function: the probe that would miss it; or NULL */
	const struct rt_probe *jumped;
	int		counts;		/* it keeps counts of its thread */
	u32		mixed;		/* counts include another thread's: enum rt_mixed */
	u64		stack;		/* at the entry */
	union rt_kept	kept[];
};

/*
 * A call of a function begins: hits the row's keeper, if it has one, with room for nkept values;
 * with_text: which may be strings. most: the limit of pending calls of a thread, beyond which a
 * call is counted as missed for lack of a slot; 0: no limit. any_thread: a call may end in another
 * thread.
 */
struct call_row {
	const void	*row;
	const struct rt_probe *probe, *keeper;
	u32		nkept, most;
	int		with_text, any_thread;
};
void call_enter(const struct call_row *r, struct hit *hit, u64 stack);
/*
 * A call ends that had this stack pointer at its entry: hits the row's probe if entry and return
 * are proven to be of the same call, else counts the reason in the books.
 */
void call_return(const struct call_row *r, struct hit *hit, u64 stack);
/* An unknown call ends in this thread: counts that in the books for one that began here. */
void call_end_unknown(const struct call_row *r, struct hit *hit);
/*
 * A call jumps to another function, or, unless is_certain, may do so: the other function's return
 * is not taken for this call's.
 */
void call_jump(const struct call_row *r, struct hit *hit, u64 stack, int is_certain);
/* The kernel is about to replace the call's return address `to`. */
void call_hides(const struct hit *hit, u64 stack, u64 to);
/*
 * The true return address of a call; behind: the caller's stack pointer after the call. 0: unknown.
 */
u64 call_returns_to(s32 tid, u64 behind);
/* A call whose return address the kernel replaced has returned. */
void call_shows(s32 tid, u64 stack);
/* Number of a row's pending calls that are proven. */
u64 call_count(const void *row);
/* Makes all pending calls unproven. */
void call_doubt(void);
/*
 * Counts of that thread may include another thread's: for calls pending in it, such counts (enum
 * rt_mixed) are unknown.
 */
void call_mix_counts(s32 tid, u32 mixed);
/*
 * The first thread of a new process is a copy of its parent's: the calls return twice, but count as
 * one hit.
 */
void call_fork(s32 parent, s32 parent_tid, const struct hit *hit);
/* A thread has exited: drops its calls, and with the last thread those of the process. */
void call_thread_exit(const struct hit *hit);
/* A process executes another program; hit: the thread that did so. */
void call_exec(const struct hit *hit);
/* Drops the calls of processes that have ended. */
void call_look_around(void);
/* Forgets all calls without counting them in the books. */
void call_clear(void);

#endif
