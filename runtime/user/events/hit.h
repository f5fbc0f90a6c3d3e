/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hit.h - one hit, as the record of its event captured it.
 */
#ifndef LAPWING_USER_HIT_H
#define LAPWING_USER_HIT_H

#include "runtime/rt.h"

/* What was captured at the hit: rt_ctx.hit. */
struct hit {
	struct rt_keeping keeping;	/* first: rt_kept() */
	u64	time;		/* CLOCK_MONOTONIC ns */
	s32	pid, tid;
	u32	cpu;
	int	inherited;	/* its event is attached to the target and its descendants */
	u64	ip;		/* 0: none */
	int	user_mode;
	const u64 *chain;	/* perf's call chain: addresses, after a mark of each kind */
	u64	nchain;
	/* counts of the group (pmu.h), the leader's first; NULL: no group */
	const struct hit_count { u64 value, id; } *counts;
	u64	ncounts;
	u64	data_addr, latency;	/* of a PMU sample; 0: unknown */
	const struct hit_branch { u64 from, to, flags; } *branches;	/* the latest first */
	u64	nbranches;
	u64	wanted, counted;	/* ns: time that the group was enabled, and counted */
	const u64 *regs;	/* user registers in perf's order; NULL: none */
	u64	regs_mask;	/* which registers, by perf's numbers */
	const u8 *stack;	/* copy of user memory from the stack pointer on */
	u32	stack_bytes;
	/* record of a tracepoint or kprobe event, as tracefs describes it; NULL: not requested */
	const u8 *raw;
	u32	raw_bytes;
	const u32 *fields;	/* offsets in raw, of rt_tracepoint.fields; NULL: none */
	u32	cut;		/* bytes of the record before raw that were skipped */
	const struct rt_uprobe *site;	/* of a uprobe; NULL: of another family */
	const struct rt_fetch *fetch;	/* values fetched there, at pieces_at in raw */
	u32	pieces_at;
#define RECORD_FUNCTION	8	/* offset of the function's address in a return's record */
	/* offset of the result in raw; 0: as in events of system calls */
	u32	result_at;
};

/* Handles a hit; row is the one given to perf_open(). */
typedef void hit_fn(const void *row, struct hit *hit);

#endif
