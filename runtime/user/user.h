/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * user.h - what the files of the user runtime share.
 *
 * One script, one process, one thread: everything here is called from the consumer's thread through
 * struct wire_module, so nothing is locked.
 */
#ifndef LAPWING_USER_H
#define LAPWING_USER_H

#include "runtime/core/core.h"

/* What was captured at the hit: rt_ctx.hit. */
struct hit {
	struct rt_keeping keeping;	/* first: rt_kept() */
	u64	time;		/* CLOCK_MONOTONIC ns */
	s32	pid, tid;
	u32	cpu;
	int	inherited;	/* its event is attached to the target and what the target starts */
	u64	ip;		/* 0: none */
	int	user_mode;
	/* at the end of a call, what cannot be compared with its beginning: enum rt_mixed */
	u32	mixed;
	const u64 *chain;	/* perf's call chain: addresses, after a mark of each kind */
	u64	nchain;
	/* of the counter group (pmu.h), the leader's first; NULL: no group */
	const struct hit_count { u64 value, id; } *counts;
	u64	ncounts;
	u64	data_addr, data_source;		/* of a sample of the PMU; 0: unknown */
	u64	latency, instruction_latency, retire_latency;
	const struct hit_branch { u64 from, to, flags; } *branches;	/* latest first */
	u64	nbranches;
	u64	wanted, counted;	/* ns: the group's time enabled, and time running */
	const u64 *regs;	/* user registers, in perf's order; NULL: none */
	u64	regs_mask;	/* which registers, by perf's numbers */
	int	is_32bit;	/* of a 32-bit program; valid if registers were requested */
	const u8 *stack;	/* user stack memory from the stack pointer on */
	u32	stack_bytes;
	/* fields of a tracepoint or kprobe event, as tracefs describes them; NULL: not requested */
	const u8 *raw;
	u32	raw_bytes;
	const struct rt_uprobe *site;	/* the place in a user program's code; NULL: elsewhere */
	/* the instruction at the site that ends a call; NULL: it does not end one */
	const struct rt_exit *exit;
	const struct rt_fetch *fetch;	/* what was fetched at the site */
	u32	pieces_at;		/* offset of the fetched pieces in raw */
	const struct record_layout *layout;	/* of raw; NULL: its fields have names only */
};

enum user_state { STATE_OPEN, STATE_BEGIN, STATE_RUNNING, STATE_END, STATE_STOPPED };

struct user_session {
	enum user_state	state;
	/* ended by an error: error probes run instead of end probes */
	int		failed;
	int		exit_asked;
	int		looked;		/* dispatch_look_around() has been called */
	int		names;		/* families use names of processes (task_name()) */
	int		programs;	/* families use what processes run (exe_file.h) */
	int		paused;		/* WIRE_SWITCH, as of the record being handled */
	u64		errors;
	struct wire_target target;
	s64		wall_minus_mono;	/* ns */
	u64		started;		/* CLOCK_MONOTONIC ns */
	struct wire_account *account;		/* per probe */
	u64		samples, samples_idle, samples_own, samples_off, samples_asleep, samples_lost, samples_no_room;	/* as in wire.h */
	u32		sample_clocks;
	int		samples_unknown;	/* the number of samples expected is unknown */
	struct wire_open how;
};
extern struct user_session session;

struct rt_family {
	const char	*name;
	/* Arms all rows; 0 or -errno after a WIRE_ERROR. On failure nothing stays armed. */
	int		(*start)(const void *rows, u32 n);
	void		(*stop)(const void *rows, u32 n);
};

/* True if records include the script's counters. */
static inline int user_wants_counts(void) { return (rt_script.capture & RT_CAP_PMU) != 0; }
/* True for a handler of a begin, end or error probe, which runs at its hit. */
static inline int user_is_phase(const struct rt_ctx *c) { return c->probe->phase != RT_RUNNING; }

/* Handles a hit; row is the one given to merge_open(). */
typedef void hit_fn(const void *row, struct hit *hit);

#endif
