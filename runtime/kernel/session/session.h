/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session.h - the life of a run: idle, begin probes, armed, end probes, stopped.
 *
 * Starting and stopping run in a workqueue bound to one CPU, so that the consumer can drain the rings meanwhile and the output of
 * begin and end probes stays in one ring.
 */
#ifndef LAPWING_KERNEL_SESSION_H
#define LAPWING_KERNEL_SESSION_H

#include "runtime/core/core.h"

struct pt_regs;

int session_load(void);
void session_unload(void);		/* after everything is disarmed; frees */
/* Says hello: definitions, what is needed, WIRE_READY. */
void session_hello(void);
/* WIRE_START and WIRE_STOP (partial: as in struct wire_stop); -EBUSY out of turn. Process context. */
int session_start(void);
int session_stop(int partial);
/* Ends the run with an error. Any context but NMI. */
void session_fail(void);
/* The same: handlers took used of elapsed cycles of one CPU. */
void session_overload(u64 used, u64 elapsed);
int session_is_running_one(void);	/* 1: the current task is in a begin, end or error probe */
int session_is_asked(void);		/* 1: WIRE_START or WIRE_STOP came already */
int session_is_ending(void);		/* 1: WIRE_STOP came, or the consumer has gone: what is still being armed need not be. Any context */
/* The consumer is gone: disarm, run nothing more. Waits. */
void session_abandon(void);
/* 1: the consumer has gone; nobody will make room. Any context. */
int session_is_abandoned(void);
extern struct wire_target session_target;	/* set before start */
/*
 * What hits can run: of phase RT_RUNNING, or-ed with what is asked of them besides; below 0 none. Any context.
 * Hits that find it plain take the fast way (enter.h); one more bit sends all of them the other way, at no cost where it is not set.
 */
extern int session_gate;
#define SESSION_ONLY		0x100	/* those of the target's tree only */
#define SESSION_ODD		0x200	/* all go the odd way, for their time to be taken */
#define SESSION_PAUSED		0x400	/* none: they are booked as of a condition that is false */
#define SESSION_CLOSED		(-1)
#define SESSION_OVERLOADED	(-2)	/* closed by the guard; hits are booked until the probes are off */
extern int session_timed;		/* not 0: the time of hits is taken where it can count for the overload guard, for the look of this number */
void session_time_hits(int look);	/* sets that. Any context but NMI. */
void session_switch(int on);		/* WIRE_SWITCH: SESSION_PAUSED when off. Process context. */
static inline int session_is_paused(int gate)
{
	return gate >= 0 && gate & SESSION_PAUSED;
}
void session_open_span(u64 *from, u64 *until);	/* when hits could run, CLOCK_MONOTONIC ns: all ones, not yet */

/* message.c */
int message_load(void);
void message_unload(void);
/* Whole messages into buf; bytes. Process context. */
u32 message_take(void *buf, u32 size);
int message_pending(void);

/* ring.c */
int ring_load(u32 kb);
void ring_unload(void);
u64 ring_bytes(void);			/* header and records of one */
struct ring_writer *ring_of(u32 cpu);	/* for this CPU only, with interrupts off */
struct vm_area_struct;
int ring_mmap(u32 cpu, struct vm_area_struct *vma);
void control_wake_unload(void);
int control_load(void);
void control_unload(void);

/* family_procfs.c: WIRE_INPUT. 0 or -ENOENT */
int procfs_input(const char *p, u32 n);

/* task.c */

/* symbols.c */
int symbols_take(const struct wire_symbols *chunk, u32 len);
void symbols_load(void);
/* Rows of the current process's images, for one stack; interrupts are off from its begin to its end. */
struct wire_caller;
struct wire_symtab;
struct mm_struct;
struct symbols_rows {
	struct mm_struct *mm;		/* NULL: it is being changed, or there is none: nothing is known */
	unsigned long	flags;
	u64		start, end, offset;	/* the mapping that was found last, and where in its image it begins */
	const struct wire_symtab *table;	/* NULL: it is not here (yet) */
};
void symbols_rows_begin(struct symbols_rows *r);
/* 0, and the row for an address, NULL if none is known; -1: no code is there. */
int symbols_rows_find(struct symbols_rows *r, u64 addr, const struct wire_caller **how);
void symbols_rows_end(struct symbols_rows *r);
void symbols_unload(void);

/* family_profile.c: what became of the samples; after it has stopped. */
void profile_account(struct wire_summary *sum);
/* Misses that only the kernel counts, and calls under way, per probe; after it has stopped. */
void function_account(const struct rt_probe *p, struct wire_account *sum);
void function_unload(void);
/* The same, of user programs. */
void uprobe_account(const struct rt_probe *p, struct wire_account *sum);
void uprobe_unload(void);

/* calibration_stub.c: functions in which nothing happens, for stopwatches. */
u64 empty_address(const struct rt_probe *p);	/* of the one that a calibrating probe is at */
void empty_calibrate(void);		/* WIRE_CALIBRATE */

/* overload.c: watches the share of each CPU that handlers take, from the start of hits to the end of them. Process context. */
int overload_load(void);		/* 0 or -ENOMEM */
void overload_unload(void);
void overload_start(void);
void overload_stop(void);

/* time.c; process context. */
void time_load(void);
void time_unload(void);

/* stack.c: asks for what walks need to know, at hello. */
void stack_want(void);
/*
 * The kernel stack from registers of kernel mode, or from here without: at most max addresses, innermost first; returns how many, max + 1
 * where there are more. function: whose first instruction was reached; 0: none. Any context.
 */
u32 stack_walk(struct pt_regs *regs, unsigned long function, u64 *ip, u32 max);

#endif
