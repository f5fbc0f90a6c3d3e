/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * user.h - what the files of the user runtime share.
 *
 * One script, one process, one thread: everything here is called from the consumer's thread through struct wire_module, so
 * nothing is locked.
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
	u32	mixed;		/* a call ends here, and counts cannot be compared with those of its beginning: enum rt_mixed */
	const u64 *chain;	/* perf's call chain: addresses, after a mark of each kind */
	u64	nchain;
	const struct hit_count { u64 value, id; } *counts;	/* of the group of counters (pmu.h), its leader's first; NULL: there is none */
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
	const u8 *raw;		/* fields of a tracepoint or kprobe event, as tracefs describes them; NULL: not asked for */
	u32	raw_bytes;
	const struct rt_uprobe *site;	/* in code of a user program: where; NULL: elsewhere */
	const struct rt_exit *exit;	/* the instruction there by which a call ends; NULL: it is another one */
	const struct rt_take *take;	/* what was taken there; its pieces begin in raw here: */
	u32	pieces_at;
#define RECORD_FUNCTION	8	/* where a return event's record has the address of the function */
	u32	result_at;	/* where raw has what was returned; 0: where system calls' events have it */
};

enum state { STATE_OPEN, STATE_BEGIN, STATE_RUNNING, STATE_END, STATE_STOPPED };

struct session {
	enum state	state;
	int		failed;		/* ended by an error: error probes run instead of end probes */
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
extern struct session session;

struct rt_family {
	const char	*name;
	/* Arms all rows; 0 or -errno after a WIRE_ERROR. On failure nothing stays armed. */
	int		(*start)(const void *rows, u32 n);
	void		(*stop)(const void *rows, u32 n);
};

/* enter.c: one hit of one probe. */
void enter_probe(const struct rt_probe *p, struct hit *hit);
/* 0: it is no hit of the script's. -1: records that would tell were lost. */
int enter_wants(const struct rt_probe *p, const struct hit *hit);
/* So many hits of p were lost on their way here. */
void enter_missed(const struct rt_probe *p, u64 n);
/* So many hits of p were counted, and the kernel made no samples of them. */
void enter_unsampled(const struct rt_probe *p, u64 n);
/* A call whose return will not be seen. */
void enter_no_slot(const struct rt_probe *p);
/* Is it a handler of a begin, end or error probe, which runs at its hit? */
int enter_is_phase(const struct rt_ctx *c);
/* A hit of p while sampling is off, or all is. */
void enter_off(const struct rt_probe *p);
/* A call that has jumped to another function, and so does not return by its own instructions. */
void enter_jumped(const struct rt_probe *p);
/* Calls that had begun and were not over at the end. */
void enter_in_flight(const struct rt_probe *p, u64 n);
/* A return of a call whose entry's handler failed; one whose entry is not known to be its own; one whose counts are not its own alone. */
void enter_failed(const struct rt_probe *p, const struct hit *hit);
void enter_unproven(const struct rt_probe *p, const struct hit *hit);
void enter_mixed(const struct rt_probe *p, const struct hit *hit);
/* Begin, end or error probes in their order; stops at the first error in an end probe (*failed). */
void enter_phase(enum rt_phase phase);
extern struct rt_ctx enter_ctx;

/* message.c */
void message_text(u16 type, const char *format, ...) __attribute__((format(printf, 2, 3)));
long message_read(void *buf, unsigned long size);
void message_clear(void);

/* ring.c */
int ring_open(u64 bytes);		/* a power of two; 0 or -1 */
struct wire_ring *ring_get(void);
void ring_close(void);

/* time.c */
#define KERNEL_HZ 250LL			/* CONFIG_HZ of Debian's kernels */
u64 time_mono(void);

/* family_procfs.c: WIRE_INPUT. 0 or -ENOENT */
int procfs_input(const char *p, u32 n);

/* regs.c: at a hit in a user program: argument n, from 0, and the result; the stack pointer. */
s64 regs_argument(struct rt_ctx *c, s64 n);
s64 regs_result(struct rt_ctx *c);
u64 regs_stack(const struct hit *hit);
u64 regs_stack_bit(void);		/* of rt_take.registers */
const char *regs_return_fetch(void);	/* the fetch argument for where a call returns to, at its entry */
const char *regs_goroutine_fetch(void);	/* those for Go's struct of the running goroutine, and for the end of its stack */
u64 regs_call_bytes(void);		/* how far a return's stack pointer is above that of its entry */
/* At an instruction that returns: the hit becomes one of where it returns to. Registers are in memory that the next call uses again. */
void regs_return(struct hit *hit, u64 to);

/* module.c: reads what there is before the first probe is armed, when records come. Once. */
void run_look_around(void);

/* task.c: processes as perf and /proc tell of them, as of the record that is being handled. */
struct task_fork {
	s32	pid, tid;
	s32	parent_pid, parent_tid;		/* the thread that started it; the same process: a thread */
	u64	time;
};
void task_comm(s32 tid, const char *comm, u64 time);
void task_fork(const struct task_fork *f);
void task_exit(s32 pid, s32 tid);
/* Records may have been lost before `time`. */
void task_lost(u64 time);
/* From when on what a record of that time tells is known to hold: then, or, as later records may have been lost, ~0: never. */
u64 task_holds(u64 time);
/* A thread's name at a time that records have come to; NULL: it is not known. */
const char *task_name(s32 tid, u64 time);
/* Is it the target, or of what that started? -1: the records that would tell may have been lost. */
int task_in_tree(s32 pid);
/* Reads now what /proc tells of all that are not known: when an event of theirs is handled they may have ended. */
void task_look_around(void);
void task_clear(void);

/* symbols.c */
int symbols_take(const struct wire_symbols *chunk, u64 len);
void symbols_clear(void);

/* merge.c: perf rings in, hits in time order out. */
/* What became of the samples of some sources, besides hits. */
struct merge_tally {
	u64	own, lost;	/* of this process: no hits; lost, as the kernel or memory had no room */
	u64	taken;		/* samples read, own ones among them */
	/* Of sources that are closed, and of all after merge_pause(): their counts; the samples that should have come of them, by their periods;
	 * of these, those of idle CPUs that did not. */
	u64	counted, expected, asleep;
	u32	sources;
	int	spread;		/* several clocks share the rate, so that what keeps step with one is seen by the others (vary.h) */
	int	partly;		/* some sample user code only */
	int	joins;		/* they are ends of calls, or what is kept at one end needs them (loss.h) */
	int	ours_too;	/* what happens to this process is among the hits */
	int	tells;		/* of threads, as records of processes do: in their ring, so that a loss there is one of both */
	int	elsewhere;	/* the caller knows that this process has no such hits: the kernel need not look */
};
typedef void hit_fn(const void *row, struct hit *hit);
/*
 * Opens attr (sample type, clock and records are set here) on every CPU, or with --only-target attached to the target's tree.
 * hit is called for its samples; *tally is added to. No sample_period: it only counts. 0 or -errno; why it failed is reported as
 * WIRE_ERROR.
 */
struct perf_event_attr;
int merge_open(const struct perf_event_attr *attr, const char *what, hit_fn *hit, const void *row, struct merge_tally *tally);
/* The same for one process and what it starts (0: all); attr NULL: only the records of processes. */
int merge_open_process(s32 pid, const struct perf_event_attr *attr, const char *what, hit_fn *hit, const void *row,
		       struct merge_tally *tally);
/* The first event is open: records are in order from now on. */
void merge_begin(void);
/* No more samples from now on; those that were taken can still be read, by a last merge_round(). */
void merge_pause(void);
void merge_close(hit_fn *hit);
/* Of events that sample every hit: how many hits there were without a sample. Each event's own, though the rings are shared. */
u64 merge_lost(const struct merge_tally *tally);
/* Records of processes that were lost, and all that there were. */
u64 merge_untold(u64 *all);

/* family_process.c: it happens to the process or thread of hit; which program that runs is known (exe_file.h). */
void process_lives(enum rt_process_event event, const struct hit *hit);
/* It runs a program of its own now, or may: records were lost. */
void process_ran(s32 pid);
/* The same as merge_open() on one CPU, whoever is on it. */
int merge_open_one(const struct perf_event_attr *attr, const char *what, hit_fn *hit, const void *row, struct merge_tally *tally);
/* A timer: due() is called at each due time and gives the next one. */
void merge_timer(const void *row, u64 first, u64 (*due)(const void *row, struct hit *hit));
void merge_drop_timers(void);
/* Takes what there is; handles what is older than the last call, or all when last. Gives ns until the next timer (or a poll period). */
u64 merge_round(int last);
/* What a program tells of itself, handled at its time. 0, -EINVAL: it is none, or -ENOMEM. */
int merge_note(const struct wire_note *note, u64 len);
/* WIRE_SWITCH from now on: hits that come before are those of before. 0 or -ENOMEM. */
int merge_switch(int on);
int merge_fds(int *fds, int max);

#endif
