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
	int	inherited;	/* its event is attached to the target and what that starts */
	u64	ip;		/* 0: none */
	int	user_mode;
	/*
	 * a call ends here, and counts cannot be compared with those of its beginning: enum
	 * rt_mixed
	 */
	u32	mixed;
	const u64 *chain;	/* perf's call chain: addresses, after a mark of each kind */
	u64	nchain;
	/* of the group of counters (pmu.h), its leader's first; NULL: there is none */
	const struct hit_count { u64 value, id; } *counts;
	u64	ncounts;
	u64	data_addr, latency;	/* of a sample of the PMU; 0: unknown */
	const struct hit_branch { u64 from, to, flags; } *branches;	/* the latest first */
	u64	nbranches;
	u64	wanted, counted;	/* ns: how long the group should have counted, and did */
	const u64 *regs;	/* user mode's, in perf's order; NULL: none */
	u64	regs_mask;	/* which, by perf's numbers */
	int	is_32bit;	/* they are a 32-bit program's; where they were asked for */
	const u8 *stack;	/* what its stack pointer points to */
	u32	stack_bytes;
	/* fields of a tracepoint or kprobe event, as tracefs describes them; NULL: not asked for */
	const u8 *raw;
	u32	raw_bytes;
	const struct rt_uprobe *site;	/* in code of a user program: where; NULL: elsewhere */
	/* the instruction there by which a call ends; NULL: it is another one */
	const struct rt_exit *exit;
	const struct rt_fetch *fetch;	/* what was taken there; its pieces begin in raw here: */
	u32	pieces_at;
#define RECORD_FUNCTION	8	/* where a return event's record has the address of the function */
	/* where raw has what was returned; 0: where system calls' events have it */
	u32	result_at;
};

enum user_state { STATE_OPEN, STATE_BEGIN, STATE_RUNNING, STATE_END, STATE_STOPPED };

struct user_session {
	enum user_state	state;
	/* ended by an error: error probes run instead of end probes */
	int		failed;
	int		exit_asked;
	int		looked;		/* run_look_around() has been called */
	int		names;		/* families ask for names of processes (task_name()) */
	int		programs;	/* and for what they run (exe_file.h) */
	int		paused;		/* WIRE_SWITCH, as of the record that is being handled */
	u64		errors, skipped;
	struct wire_target target;
	s64		wall_minus_mono;	/* ns */
	u64		started;		/* CLOCK_MONOTONIC ns */
	struct wire_account *account;		/* per probe */
	u64		samples, samples_idle, samples_own, samples_off, samples_asleep, samples_lost, samples_no_room, samples_expected;	/* as in wire.h */
	u32		sample_clocks;
	int		samples_unknown;	/* how many there should be is not known */
	struct wire_open how;
};
extern struct user_session session;

struct rt_family {
	const char	*name;
	/* Arms all rows; 0 or -errno after a WIRE_ERROR. On failure nothing stays armed. */
	int		(*start)(const void *rows, u32 n);
	void		(*stop)(const void *rows, u32 n);
};

/* Do records come with the script's counters? */
static inline int user_wants_counts(void) { return (rt_script.capture & RT_CAP_PMU) != 0; }
/* Is it a handler of a begin, end or error probe, which runs at its hit? */
static inline int user_is_phase(const struct rt_ctx *c) { return c->probe->phase != RT_RUNNING; }

/* Handles a hit; row is the one given to perf_open(). */
typedef void hit_fn(const void *row, struct hit *hit);

#endif
