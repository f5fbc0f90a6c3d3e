/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rt.h - everything a generated script may use.
 *
 * This is the contract between the translator's output and a runtime: the tables here, and in
 * handler.h what handlers call. It is the only header a generated file includes; it includes
 * nothing but handler.h, so that a script compiles fast, and it compiles alone and after kernel or
 * libc headers. It does not depend on which runtime implements it.
 *
 * Shape of a generated file: types, globals, functions, probe handlers, tables and one `rt_script`
 * that names them all.
 *
 * Vocabulary
 *   hit      one firing of one probe; it owns a struct rt_ctx while it runs
 *   handler  the C function made from a probe body
 *   arena    the hit's string memory, used as a stack (see Strings)
 *   failed   a run-time error is pending: the handler must leave at once
 *
 * Context of every function here unless it says otherwise: any probe context except NMI. None of
 * them sleeps, allocates, faults or loops without bound. Every function is total: defined for all
 * arguments, including after a failure (then it does nothing and returns 0 or an empty string).
 */
#ifndef LAPWING_RT_H
#define LAPWING_RT_H

#include "handler.h"

/* ---- tables -----------------------------------------------------------------*/

/*
 * A global's lock and storage. At load the runtime allocates the memory for impl members from this
 * table.
 */
enum rt_storage { RT_G_LONG, RT_G_STRING, RT_G_COUNTER, RT_G_STAT, RT_G_MAP };

/*
 * 0: one reader/writer lock. Otherwise one lock per CPU, because tier i writers exist; ONLY:
 * nothing else uses the global while probes run.
 */
enum rt_percpu_lock { RT_LOCK_PARTS = 1, RT_LOCK_ONLY = 2 };

struct rt_global {
	const char	*name;
	u8		storage;	/* enum rt_storage: type of *obj */
	u8		percpu_lock;	/* enum rt_percpu_lock */
	/* s64, struct rt_strvar, struct rt_counter, struct rt_stat or struct rt_map */
	void		*obj;
	void		*lock;		/* the runtime's */
	u32		parts;		/* per-CPU parts, of its lock too; set at load, 0 before */
	/* an error probe reads it, or it is the library's: not displayed after an error */
	u8		error_reads;
	/* the declaration to whose table it belongs, as written in the script; NULL: its own */
	const char	*table;
};

/*
 * Locks that a handler holds from before its first to after its last statement, taken in
 * rt_script.globals order by the probe prologue.
 *   percpu_lock: LOCAL takes this CPU's part (tier i update), READ and WRITE take
 *   every CPU's: so a reader of a tier-i variable excludes all its writers.
 *   otherwise: READ is shared, WRITE exclusive.
 */
enum rt_lockmode { RT_LOCAL, RT_READ, RT_WRITE };

struct rt_lockuse { u16 global; u8 mode; };		/* global: index */

/* What must be captured at the instant of the hit (the user runtime requests it from perf). */
enum rt_capture {
	RT_CAP_TASK	= 1,	/* pid, tid */
	RT_CAP_COMM	= 2,
	RT_CAP_TIME	= 4,	RT_CAP_CPU	= 8,	RT_CAP_HIT_TIME = 1 << 24,	/* the last: rt_hit_ns() */
	RT_CAP_IP	= 16,	/* addr, uaddr, user_mode */
	RT_CAP_CRED	= 32,	/* uid */
	RT_CAP_PARENT	= 64,	/* ppid */
	RT_CAP_KSYMS	= 128,	/* kernel symbol table wanted */
	RT_CAP_USYMS	= 256,	/* symbols of user images wanted */
	/* arguments of the function, at its return too, or of the tracepoint */
	RT_CAP_ARGS	= 512,
	RT_CAP_REGS	= 1024,	/* all registers */
	RT_CAP_STACK	= 2048,	/* kernel stack */
	RT_CAP_USTACK	= 4096,	/* user stack */
	/*
	 * user stack: no frame is set up yet at this place, so the return address is on top of the
	 * stack, or in a register
	 */
	RT_CAP_CALLER	= 1 << 13,
	RT_CAP_KEPT	= 1 << 14,	/* rt_kept() */
	RT_CAP_SYSCALL	= 1 << 15,	/* arguments of the system call, or its result */
	RT_CAP_LINES	= 1 << 17,	/* source lines with the symbols */
	/* notes that programs send about themselves (lapwing-note.h) */
	RT_CAP_NOTES	= 1 << 18,
	RT_CAP_PMU	= 1 << 19,	/* counts: $pmu[i] */
	RT_CAP_PRECISE	= 1 << 21,	/* of a PMU sample: data address, latency */
	RT_CAP_BRANCHES	= 1 << 22,	/* of a PMU sample: the branches before it */
	/* kernel runtime: the handler runs in NMIs, on parts of variables that only NMIs use */
	RT_CAP_NMI	= 1 << 20,
	RT_CAP_ABI	= 1 << 23,	/* rt_compat_call() */
	/* a tracepoint's kernel stack: without its stub, where the hit is the entry of one */
	RT_CAP_STUB	= 1 << 25,
	/* writes records (enum rt_column); the reader finds names of their addresses */
	RT_CAP_TRACE	= 1 << 26,	RT_CAP_NAMES	= 1 << 27,
	/* known only to the kernel runtime: the translator refuses it in the user runtime */
	RT_CAP_KERNEL	= 1 << 16,
};

/* When a handler may run. */
enum rt_phase { RT_BEGIN, RT_RUNNING, RT_END, RT_ERROR };

/* Extra work of a hit: none, locks, or also a condition or its timing. */
enum rt_slow { RT_SLOW_LOCKS = 1, RT_SLOW_ODD = 2 };

/*
 * How the kernel reaches a probe, if that matters: by a slower path than most (rt_is_slow()); on a
 * nop of 5 bytes (struct rt_uprobe); the same, and where the kernel breaks programs there, the path
 * to the place that is probed instead is slower; a return of a program, by a return address that
 * the kernel replaces, or at the instructions that return (struct rt_exit).
 */
enum rt_way { RT_WAY_SLOW = 1, RT_WAY_NOP5 = 2, RT_WAY_NOP5_SLOW = 4, RT_WAY_REPLACES = 8, RT_WAY_INSTRUCTIONS = 16 };

struct rt_probe {
	void		(*handler)(struct rt_ctx *c);
	/* arming condition, or NULL; under the handler's locks */
	int		(*condition)(struct rt_ctx *c);
	const char	*point;		/* pp(): resolved, e.g. kernel.function("vfs_read") */
	const char	*written;	/* pn(): as written in the script; NULL: the same */
	const char	*function;	/* ppfunc(), or NULL */
	const char	*where;		/* script position, e.g. reads.stp:4:1 */
	/*
	 * user runtime: what it uses that no event captures, as written in the script; NULL:
	 * nothing
	 */
	const char	*unread;
	const struct rt_lockuse *locks;
	u16		nlocks;
	u8		phase;		/* enum rt_phase */
	/* enum rt_calibrates: it probes one of our own functions; --only-target does not apply */
	u8		calibrates;
	u8		way;	/* enum rt_way, or-ed */
	/* it is a keeper, at the entry of another probe's calls, for @entry */
	u8		keeps;
	/* number of the stopwatch that it belongs to, from 1; 0: none */
	u16		stopwatch;
	u32		capture;	/* enum rt_capture, or-ed */
	u32		account;	/* the runtime's: offset of its books, in bytes */
	/* the runtime's: the steps in which it takes the locks */
	u32		nsteps;
	u32		slow;		/* the runtime's: enum rt_slow */
	void		*lock_steps;
	/* number of its keeper, from 1; 0: none */
	u32		keeper;
	u32		row;		/* the core's: its number in rt_script.probes */
};

/*
 * A fact about the script that lapwing-run reads from the file's .modinfo before it loads it.
 * "returns": functions' returns are probed, so kernel functions that are not exported must be bound
 * (kernel/compat/compat.h).
 */
#define RT_NOTE(text) static const char rt_note[] __attribute__((__section__(".modinfo"), __used__, __aligned__(1))) = "lapwing=" text

/*
 * The source lines of one of rt_script.near, for lapwing-run: two strings in a section that is not
 * loaded, so that they take no memory of the kernel. Both are in the assembler's notation.
 */
#define RT_SOURCE_SECTION ".lapwing.source"
#define RT_SOURCE(near, lines) \
	__asm__(".pushsection " RT_SOURCE_SECTION ",\"\",%progbits\n" \
		"\t.asciz \"" near "\", \"" lines "\"\n\t.popsection")

/* One probe family in one runtime; defined by each runtime that has it, declared here. */
struct rt_family;

struct rt_family_use {
	const struct rt_family	*family;
	const void		*rows;	/* array of the family's row type below */
	u32			nrows;
};

/* The event of a counter, as perf_event_open() takes it. */
enum rt_exclude { RT_NOT_USER = 1, RT_NOT_KERNEL = 2, RT_NOT_HYPERVISOR = 4 };

struct rt_event {
	const char		*name;		/* as written in the script */
	u32			type;
	u8			precise;
	u8			exclude;	/* enum rt_exclude */
	u64			config[3];
};

/*
 * The same for lapwing-run, which tries them before it loads the file: "TYPE CONFIG CONFIG1 CONFIG2
 * PRECISE EXCLUDE PERIOD NAME;" each.
 */
#define RT_INFO __attribute__((__section__(".modinfo"), __used__, __aligned__(1)))
#define RT_EVENTS(text) static const char rt_events[] RT_INFO = "lapwing_events=" text
/* build-id of the kernel whose memory addresses the file uses */
#define RT_KERNEL(id) static const char rt_kernel[] RT_INFO = "lapwing_kernel=" id

/* Row types. A family's runtime file casts `rows` to its own; every row begins with the probe. */
/* begin, end, error, never; sorted by priority, then script order */
struct rt_begin_end {
	const struct rt_probe	*probe;
	s64			priority;
};
struct rt_timer {			/* timer.s ... timer.hz, timer.jiffies: on one CPU */
	const struct rt_probe	*probe;
	u64			period_ns;
	u64			random_ns;	/* uniform in [-random_ns, +random_ns] */
	/* != 0: period in ticks of the target kernel instead */
	u32			jiffies;
	u32			random_jiffies;
};
struct rt_profile {			/* timer.profile: on every CPU */
	const struct rt_probe	*probe;
	u64			period_ns;	/* 0: the runtime's tick */
};
/* kernel.function and kprobe.function; all functions of that name */
struct rt_function {
	const struct rt_probe	*probe;
	/*
	 * symbol; addresses are bound at load (wire.h, WIRE_BIND). NULL: the runtime's own
	 * function, by probe->stopwatch
	 */
	const char		*function;
	const char		*module;	/* NULL: the kernel proper or any */
	u8			is_return;
	/* '?' or one of a wildcard: a failing one is skipped and counted */
	u8			optional;
	u32			maxactive;	/* 0: KRETACTIVE */
	/* bytes from the function's start: a statement, or an inlined function's copy */
	u32			offset;
	const char		*fetch;		/* user runtime: what else its kprobe event fetches, "f64=+8($arg1):u64 ..."; or NULL */
	u32			fetch_bytes;	/* the translator's own */
	/* values that are kept from the entry to the return */
	u32			nkept;
	u8			keeps_text;	/* some are strings */
	const struct rt_probe	*keeper;	/* sets them at the entry; NULL: none */
	const char		*keeper_fetch;	/* as fetch, at the entry */
};
struct rt_tracepoint {			/* kernel.trace */
	const struct rt_probe	*probe;
	const char		*system;	/* e.g. "sched"; NULL: any */
	const char		*name;		/* e.g. "sched_switch" */
	u8			optional;
	/* NULL: the kernel proper; else it may be loaded later */
	const char		*module;
	/* user runtime: layout of the fields that are read (tracefs_layout()); 0: none is read */
	u64			layout;
};

struct rt_hwbreak {			/* kernel.data: accesses of memory, on every CPU */
	const struct rt_probe	*probe;
	const char		*symbol;	/* a variable, bound at load; NULL: address */
	u64			address;
	/* 1, 2, 4, 8; 0: 4, less if the address is not aligned */
	u32			length;
	u8			reads;		/* reads are hits too */
	u8			optional;
};
/* process.data: accesses of a program's memory, in each of its threads */
struct rt_watchpoint {
	const struct rt_probe	*probe;
	/* only of processes that run this file; NULL: any */
	const char		*path;
	s32			pid;		/* only of this process; 0: any */
	/* only in the process tree of -c or -x, if there is one */
	u8			target;
	u8			reads;		/* reads are hits too */
	u8			optional;
	u32			length;		/* 1, 2, 4, 8; divides the address */
	u64			address;
	/*
	 * of a variable: the program's ELF entry, as linked, as the address is then; 0: the address
	 * is that in the process
	 */
	u64			entry;
};
struct rt_netfilter {			/* packets at a hook; args: hook, skb, in, out, okfn, pf */
	const struct rt_probe	*probe;
	u8			pf, hook;	/* NFPROTO_*, NF_INET_* */
	u8			optional;
	s32			priority;
};
/* pmu.profile, perf.type: samples by event count, on every CPU */
struct rt_pmu {
	const struct rt_probe	*probe;
	struct rt_event		event;
	u64			period;		/* in events; 0: by hertz, or it is never armed */
	u64			hertz;
	u8			exact;		/* else periods vary, with that mean */
	const char		*process;	/* only processes of this name; NULL: all */
	const char		*counter;	/* the translator's own: @perf() */
	u8			nmi;		/* the translator's own too: RT_CAP_NMI */
};
struct rt_procfs {			/* a file that handlers fill or consume */
	const struct rt_probe	*probe;
	const char		*path;		/* below the module's folder */
	u8			is_write;	/* for writes to the file, else for reads */
	u16			mode;		/* the file's permissions */
	u32			maxsize;	/* bytes of $value; 0: maxstring - 1 */
};
/* this file is written by the consumer, from its standard input */
#define RT_STDIN "__stdin"

/*
 * User runtime: what is copied from the process at the instant of a hit in a user program. Reads of
 * other memory see it as it is later.
 */
struct rt_piece {
	const char		*base;		/* a pointer, as fetch arguments of uprobe events write it: "%di", "+8(%di)" */
	s64			offset;		/* of the piece from there */
	u32			bytes;		/* at most 8; 0: a string, up to its NUL */
};
struct rt_fetch {
	u64			registers;	/* one bit each, by DWARF number */
	const struct rt_piece	*pieces;	/* those of one base are adjacent */
	u32			npieces;
};

/*
 * How a call of a program's function ends: by a return; by a jump to another function, which is
 * certain or possible.
 */
enum rt_exit_how { RT_EXIT_RETURN, RT_EXIT_JUMP, RT_EXIT_MAY_JUMP };
/* of the instruction in the file; enum rt_exit_how */
struct rt_exit { u64 offset; u8 how; };
/*
 * An instruction of a user program: a function's entry, its return, a statement, a mark. Its
 * position is in the file, so processes that start later are probed too. Registers at the hit are
 * user mode's; ->address is the link-time address: the difference to the address at the hit gives
 * any other address of the file (rt_user_address()).
 */
struct rt_uprobe {
	const struct rt_probe	*probe;
	/*
	 * of the file, absolute, links resolved; NULL: the consumer's own function, by
	 * probe->stopwatch
	 */
	const char		*path;
	/* of the instruction in the file; of the function's first one for a return */
	u64			offset;
	u64			address;	/* the same as linked */
	/*
	 * of a mark: file offset of the 16-bit semaphore that counts its listeners; 0: it has none
	 */
	u64			semaphore;
	/* only in processes that run this file; NULL: in all that map ->path */
	const char		*program;
	s32			pid;		/* only in this process; 0: in any */
	u8			is_return;
	/* with exits: a call is identified by its goroutine, at r14 or x28 (goroutine_call()) */
	u8			goroutine;
	/* '?' or one of a wildcard: a failing one is skipped and counted */
	u8			optional;
	/*
	 * user runtime, with RT_CAP_USTACK: perf may take this for an entry, and include the caller
	 * in its call chains
	 */
	u8			known_entry;
	/* as in rt_function: values kept from the entry to the return; number of exits */
	u32			nkept, nexits;
	u8			keeps_text;
	const struct rt_probe	*keeper;
	/*
	 * For a nop of 5 bytes inside a function, which some kernels replace by a CALL that
	 * overwrites what the function keeps below its stack pointer: the distance to an
	 * instruction that is reached once whenever the nop is, with the same registers and memory
	 * (0: there is none), and why there is none. All else in the row is about the nop.
	 */
	s32			aside;
	const char		*stuck;
	/*
	 * of a return, if the kernel must not replace the return address: these are probed instead;
	 * else NULL
	 */
	const struct rt_exit	*exits;
	struct rt_fetch		fetch, keeper_fetch;	/* user runtime */
	/* user runtime: the handler only adds step to this counter; NULL: it does other things */
	struct rt_counter	*counter;
	s64			step;
};

/*
 * Life cycle of processes. BEGIN: a process that exists when the run starts (hit from its own
 * context as soon as that is possible), the child of a fork, a program that was exec'ed. END: exec
 * of another program, or the exit of the process. Threads are all but a process's first one. A hit
 * is in the context of the process or thread that it is about.
 */
enum rt_process_event {
	RT_PROCESS_BEGIN, RT_PROCESS_END, RT_THREAD_BEGIN, RT_THREAD_END,
	RT_PROCESS_SYSCALL, RT_PROCESS_SYSCALL_RETURN,	/* of all of its threads */
};
struct rt_process {
	const struct rt_probe	*probe;
	u8			event;		/* enum rt_process_event */
	/* only in the process tree of -c or -x, if there is one */
	u8			target;
	/* only of processes that run this file; NULL: any */
	const char		*path;
	s32			pid;		/* only of this process; 0: any; -1: of none */
};

extern const struct rt_family rt_family_begin_end;
extern const struct rt_family rt_family_timer;
extern const struct rt_family rt_family_procfs;
extern const struct rt_family rt_family_pmu;
extern const struct rt_family rt_family_profile;
extern const struct rt_family rt_family_function;
extern const struct rt_family rt_family_tracepoint;
extern const struct rt_family rt_family_hwbreak;
extern const struct rt_family rt_family_watchpoint;
extern const struct rt_family rt_family_netfilter;	/* kernel runtime only */
extern const struct rt_family rt_family_uprobe;
extern const struct rt_family rt_family_process;

/* Knobs, from -D or their defaults (as in SystemTap). */
struct rt_limits {
	u32		maxaction;	/* statements per hit: MAXACTION_INTERRUPTIBLE, 10000 */
	u32		maxnesting;
	u32		maxtrylock;	/* 100 */
	u32		trylock_us;	/* TRYLOCKDELAY, 10 */
	u32		maxerrors;	/* 0 */
	u32		maxskipped;	/* 100 */
	/* --suppress-handler-errors: handlers' errors are in the books only */
	u32		quiet_errors;
	u32		minstack;	/* 1024 bytes */
	u32		kretactive;	/* 0: max(15, 6 * possible CPUs) */
	u32		arena;		/* bytes of string memory per hit */
	u32		maxbacktrace;	/* frames of a stack: MAXBACKTRACE, 20 */
	/* bytes of a string in an array, with its NUL: MAP_STRING_LENGTH */
	u32		map_string;
	u32		hist_width;	/* of a bar: HIST_WIDTH, 50 */
	s32		hist_elision;	/* HIST_ELISION, 2 */
	/* STP_OVERLOAD_*, cycles: maximum in handlers; 0: no limit */
	u32		overload_interval, overload_threshold;
	/* 1: hits in tasks count too, not only hits in interrupts */
	u32		overload_tasks;
	/* bytes of user stack to copy, for unwinding by .eh_frame; 0: by frame pointers */
	u32		user_stack;
};

/* A variable of the kernel whose address the script uses. */
struct rt_symbol {
	const char		*name;
	const char		*module;	/* NULL: the kernel proper or any */
	s64			offset;		/* added to the address of that name */
	/*
	 * if kallsyms does not list it: the address from the module loader; NULL: not exported by
	 * the kernel
	 */
	const void		*exported;
};

/*
 * A probe stores in a global what another one reads, so their results need the hits of both.
 * WATCHED: the script uses rt_lost_since().
 */
enum rt_joins { RT_JOINS = 1, RT_JOINS_WATCHED = 2 };

struct rt_script {
	u32			abi;		/* RT_ABI */
	/* MAXSTRINGLEN, with the NUL that SystemTap counts: 512 */
	u32			maxstring;
	const char		*name;		/* of the script, for messages */
	struct rt_global	*globals;
	u32			nglobals;
	struct rt_probe		*probes;
	u32			nprobes;
	const struct rt_family_use *families;
	u32			nfamilies;
	const struct rt_format	*formats;
	u32			nformats;
	const char *const	*near;		/* near[0] is unused; each e.g. "operator '/' at x.stp:3:9" */
	u32			nnear;
	const struct rt_symbol	*symbols;
	u32			nsymbols;
	const struct rt_event	*events;
	u32			nevents;
	u32			nfloors;
	u32			capture;	/* of all probes, or-ed */
	u8			joins;		/* enum rt_joins, or-ed */
	struct rt_limits	limits;
};

/* The generated file defines exactly this one external object. */
extern const struct rt_script rt_script;

/* The hit's row of rt_script.probes. */
static inline s64 rt_probe_row(struct rt_ctx *c)
{
	return c->probe->row;
}

#endif
