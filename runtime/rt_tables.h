/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rt_tables.h - the tables of a generated script: its globals, probes, the rows of each family, its
 * limits, and the one `rt_script` that refers to them all. rt.h includes it last: it is part of
 * that contract.
 */
#ifndef LAPWING_RT_TABLES_H
#define LAPWING_RT_TABLES_H

/*
 * A global's lock and storage. At load the runtime allocates the memory for impl members by this
 * table.
 */
enum rt_storage { RT_G_LONG, RT_G_STRING, RT_G_COUNTER, RT_G_STAT, RT_G_MAP };

/*
 * 0: one reader/writer lock. Otherwise one lock per CPU, because there are tier i writers; ONLY: no
 * other users while probes run.
 */
enum rt_percpu_lock { RT_LOCK_PARTS = 1, RT_LOCK_ONLY = 2 };

struct rt_global {
	const char	*name;
	u8		storage;	/* enum rt_storage: type of *obj */
	u8		percpu_lock;	/* enum rt_percpu_lock */
	/* s64, struct rt_strvar, struct rt_counter, struct rt_stat or struct rt_map */
	void		*obj;
	void		*lock;		/* the runtime's */
	u32		parts;		/* number of per-CPU parts, also of its lock; set at
					 * load, 0 before */
	u8		error_reads;	/* an error probe reads it, or it is the library's: not
					 * displayed after an error */
	const char	*table;		/* the declaration, as written, to whose table it
					 * belongs; NULL: its own */
};

/*
 * Locks of a handler from before its first to after its last statement, taken in rt_script.globals
 * order by the probe prologue.
 *   percpu_lock: LOCAL takes this CPU's part (tier i update), READ and WRITE take
 *   every CPU's: so a reader of a tier-i variable excludes all its writers.
 *   otherwise: READ is shared, WRITE exclusive.
 */
enum rt_lockmode { RT_LOCAL, RT_READ, RT_WRITE };

struct rt_lockuse { u16 global; u8 mode; };		/* global: index */

/* Data captured at the instant of the hit (the user runtime requests it from perf). */
enum rt_capture {
	RT_CAP_TASK	= 1,	/* pid, tid */
	RT_CAP_COMM	= 2,
	RT_CAP_TIME	= 4,
	RT_CAP_CPU	= 8,
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
	RT_CAP_CALLER	= 1 << 13,	/* of a user stack: no frame is set up yet at this place,
					 * so the return address is on top, or in a register */
	RT_CAP_KEPT	= 1 << 14,	/* rt_kept() */
	RT_CAP_SYSCALL	= 1 << 15,	/* arguments of the system call, or its result */
	RT_CAP_LINES	= 1 << 17,	/* source lines with the symbols */
	RT_CAP_NOTES	= 1 << 18,	/* notes of programs (lapwing-note.h) */
	RT_CAP_PMU	= 1 << 19,	/* counts: $pmu[i] */
	RT_CAP_PRECISE	= 1 << 21,	/* of a PMU sample: data address, latency */
	RT_CAP_BRANCHES	= 1 << 22,	/* and the branches before it */
	RT_CAP_NMI	= 1 << 20,	/* kernel runtime: the handler runs in NMIs, with
					 * separate parts of variables */
	RT_CAP_KERNEL	= 1 << 16,	/* only in the kernel runtime: the translator refuses it
					 * for the user runtime */
};

/* When a handler may run. */
enum rt_phase { RT_BEGIN, RT_RUNNING, RT_END, RT_ERROR };

/* What a hit must handle: nothing, locks, or also a condition or timing. */
enum rt_slow { RT_SLOW_LOCKS = 1, RT_SLOW_ODD = 2 };

/*
 * How the kernel reaches a probe: by a slower path than most (rt_detour()); it is on a 5-byte nop
 * (struct rt_uprobe); it is, and if the kernel breaks programs there, the replacement address has
 * the slower path.
 */
enum rt_way { RT_WAY_DETOUR = 1, RT_WAY_NOP5 = 2, RT_WAY_NOP5_DETOUR = 4 };

struct rt_probe {
	void		(*handler)(struct rt_ctx *c);
	/* arming condition, or NULL; under the handler's locks */
	int		(*condition)(struct rt_ctx *c);
	const char	*point;		/* pp(): resolved, e.g. kernel.function("vfs_read") */
	const char	*written;	/* pn(): as written in the script; NULL: the same */
	const char	*function;	/* ppfunc(), or NULL */
	const char	*where;		/* script position, e.g. reads.stp:4:1 */
	const char	*unread;	/* user runtime: names of values that it uses and no
					 * event copies; NULL: none */
	const struct rt_lockuse *locks;
	u16		nlocks;
	u8		phase;		/* enum rt_phase */
	u8		calibrates;	/* enum rt_calibrates: its function is one of ours;
					 * --only-target does not apply */
	u8		way;	/* enum rt_way, or-ed */
	u8		keeps;	/* it is a keeper, at the entry of another probe's calls, for
				 * @entry */
	u16		stopwatch;	/* number of its declaration, from 1; 0: none */
	u32		capture;	/* enum rt_capture, or-ed */
	u32		account;	/* the runtime's: offset of its statistics, in bytes */
	u32		nsteps;		/* the runtime's: number of locks to be taken */
	u32		slow;		/* the runtime's: enum rt_slow */
	void		*lock_steps;
	u32		keeper;		/* number of its keeper, from 1; 0: none */
};

/*
 * A fact about the script that lapwing-run reads from the file's .modinfo before it loads it.
 * "returns": function returns are probed, so unexported kernel functions must be bound
 * (kernel/compat.h).
 */
#define RT_NOTE(text) \
	static const char rt_note[] \
		__attribute__((__section__(".modinfo"), __used__, __aligned__(1))) = \
			"lapwing=" text

/* One probe family in one runtime; defined by each runtime that supports it, declared here. */
struct rt_family;

struct rt_family_use {
	const struct rt_family	*family;
	const void		*rows;	/* array of the family's row type below */
	u32			nrows;
};

/* A counter's event, as for perf_event_open(). */
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

/*
 * Row types. A family's runtime file casts `rows` to its own; every row begins
 * with the probe.
 */
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
struct rt_function {			/* kernel.function and kprobe.function; all functions
					 * with that name */
	const struct rt_probe	*probe;
	const char		*function;	/* symbol; addresses are bound at load (wire.h,
						 * WIRE_BIND). NULL: the runtime's own function,
						 * by probe->stopwatch */
	const char		*module;	/* NULL: the kernel proper or any */
	u8			is_return;
	u8			optional;	/* '?' or one of a wildcard: a failing one is
						 * skipped and counted */
	u32			maxactive;	/* 0: KRETACTIVE */
	/* bytes from the function's start: a statement, or an inlined function's copy */
	u32			offset;
	const char		*fetch;		/* user runtime: additional fetch arguments of
						 * its kprobe event, "f64=+8($arg1):u64 ..."; or
						 * NULL */
	u32			fetch_bytes;	/* the translator's own */
	u32			nkept;		/* number of values stored from the entry to the
						 * return */
	u8			saves_text;	/* some are strings */
	const struct rt_probe	*keeper;	/* sets them at the entry; NULL: none */
	const char		*keeper_fetch;	/* as fetch, at the entry */
};
struct rt_record_field {		/* a field of a tracepoint's record */
	const char		*name;
	u32			bytes;		/* as the script was translated for */
};
struct rt_tracepoint {			/* kernel.trace, without arguments */
	const struct rt_probe	*probe;
	const char		*system;	/* e.g. "sched"; NULL: any */
	const char		*name;		/* e.g. "sched_switch" */
	u8			optional;
	/* NULL: the kernel proper; else it may be loaded later */
	const char		*module;
	/* user runtime: those that the handler reads; their offsets are the running kernel's */
	const struct rt_record_field *fields;
	u32			nfields;
};

/* kernel.data, process.data: accesses of memory, on every CPU */
struct rt_hwbreak {
	const struct rt_probe	*probe;
	const char		*symbol;	/* a variable, bound at load; NULL: address */
	u64			address;
	u32			length;		/* 1, 2, 4, 8; 0: 4, fewer if the address is not
						 * aligned */
	u8			reads;		/* reads also hit */
	u8			optional;
	u8			target;		/* memory of the process of -c or -x */
	s32			pid;		/* memory of this process; 0: the target's, or the
						 * kernel's */
};
/* netfilter.hook: packets at a hook, in all network namespaces */
struct rt_netfilter {
	const struct rt_probe	*probe;
	/* the kernel's numbers: NFPROTO_IPV4, NF_INET_LOCAL_IN */
	u8			protocol, hook;
	s32			priority;
	u8			optional;
};
struct rt_pmu {				/* pmu.profile, perf.type: samples by event, on every CPU */
	const struct rt_probe	*probe;
	struct rt_event		event;
	u64			period;		/* of events; 0: by hertz, or never armed */
	u64			hertz;
	u8			exact;		/* else periods vary, with that mean */
	const char		*process;	/* only processes with this name; NULL: all */
	const char		*counter;	/* the translator's own: @perf() */
	u8			nmi;		/* its own too: RT_CAP_NMI */
};
struct rt_procfs {			/* a file whose handlers provide the text for reads or
					 * get that of writes */
	const struct rt_probe	*probe;
	const char		*path;		/* below the module's folder */
	u8			is_write;	/* a write probe, else a read probe */
	u16			mode;		/* the file's permissions */
	u32			maxsize;	/* bytes of $value; 0: maxstring - 1 */
};
#define RT_STDIN "__stdin"		/* the consumer writes this file, from its standard input */

/*
 * User runtime: data fetched from the process at the hit of a uprobe. Reads of other memory would
 * see its later state.
 */
struct rt_piece {
	const char		*base;		/* a pointer, in the syntax of fetch arguments of
						 * uprobe events: "%di", "+8(%di)" */
	s64			offset;		/* of the piece from there */
	u32			bytes;		/* at most 8; 0: a string, up to its end */
};
struct rt_fetch {
	u64			registers;	/* one bit each, by DWARF's numbers */
	const struct rt_piece	*pieces;	/* those with one base are adjacent */
	u32			npieces;
};

enum { RT_OPTIONAL_PLACE = 1 /* one of a wildcard */, RT_OPTIONAL = 2 /* '?' */ };
/*
 * An instruction of a user program: a function's entry, its return, a statement, a mark. Its place
 * is a file offset, so processes that start later are probed too. Registers at the hit are user
 * mode's; ->address is the link address, so that the difference to the instruction's run-time
 * address gives any other address of the file (rt_user_address()).
 */
struct rt_uprobe {
	const struct rt_probe	*probe;
	const char		*path;		/* of the file, absolute, links resolved; NULL:
						 * the consumer's own function, by
						 * probe->stopwatch */
	u64			offset;		/* of the instruction in the file; for a return,
						 * of the function's first instruction */
	u64			address;	/* the same as linked */
	u64			semaphore;	/* of a mark: file offset of its 16-bit counter
						 * of listeners; 0: none */
	/* only in processes that run this file; NULL: in all that map ->path */
	const char		*program;
	s32			pid;		/* only in this process; 0: in any */
	u8			is_return;
	/* as rt_function's; for RT_OPTIONAL_PLACE the file must be there */
	u8			optional;
	u8			known_entry;	/* user runtime, with RT_CAP_USTACK: perf may
						 * recognize this as an entry, and have the
						 * caller in its chains */
	u32			nkept;		/* as rt_function's: values stored from the entry
						 * to the return */
	u8			saves_text;
	const struct rt_probe	*keeper;
	/*
	 * For a 5-byte nop inside a function, which some kernels replace by a CALL that overwrites
	 * data below the stack pointer: distance to an instruction that is reached once whenever
	 * the nop is, with the same registers and memory (0: none), and why there is none.
	 * Everything else in the row is about the nop.
	 */
	s32			aside;
	const char		*stuck;
	struct rt_fetch		fetch, keeper_fetch;	/* user runtime */
	struct rt_counter	*counter;	/* user runtime: the handler only adds step to
						 * it; NULL: it does more */
	s64			step;
};

/*
 * Process life cycle. BEGIN: a process that exists when the run starts (hit from its own context as
 * soon as possible), a fork's child, a program after exec. END: exec of another program, or exit of
 * the process. Threads are all but a process' first one. A hit is in the context of the process or
 * thread concerned.
 */
enum rt_process_event {
	RT_PROCESS_BEGIN, RT_PROCESS_END, RT_THREAD_BEGIN, RT_THREAD_END,
	RT_PROCESS_SYSCALL, RT_PROCESS_SYSCALL_RETURN,	/* of all of its threads */
};
struct rt_process {
	const struct rt_probe	*probe;
	u8			event;		/* enum rt_process_event */
	u8			target;		/* only in the tree of -c or -x, if given */
	const char		*path;		/* only processes that run this file; NULL: any */
	s32			pid;		/* only this process; 0: any */
};

extern const struct rt_family rt_family_begin_end;
extern const struct rt_family rt_family_timer;
extern const struct rt_family rt_family_procfs;
extern const struct rt_family rt_family_pmu;
extern const struct rt_family rt_family_profile;
extern const struct rt_family rt_family_function;
extern const struct rt_family rt_family_tracepoint;
extern const struct rt_family rt_family_hwbreak;
extern const struct rt_family rt_family_netfilter;
extern const struct rt_family rt_family_uprobe;
extern const struct rt_family rt_family_process;

/* Limits, from -D or their defaults (language notes, 5.6). */
struct rt_limits {
	u32		maxaction;	/* statements per hit: MAXACTION_INTERRUPTIBLE, 10000 */
	u32		maxnesting;
	u32		maxtrylock;	/* 100 */
	u32		trylock_us;	/* TRYLOCKDELAY, 10 */
	u32		maxerrors;	/* 0 */
	u32		maxskipped;	/* 100 */
	u32		minstack;	/* 1024 bytes */
	u32		kretactive;	/* 0: max(15, 6 * possible CPUs) */
	u32		arena;		/* bytes of string memory per hit */
	u32		maxbacktrace;	/* frames of a stack: MAXBACKTRACE, 20 */
	/* bytes of a string in an array, with its NUL: MAP_STRING_LENGTH */
	u32		map_string;
	u32		hist_width;	/* of a bar: HIST_WIDTH, 50 */
	s32		hist_elision;	/* HIST_ELISION, 2 */
	u32		overload_interval, overload_threshold;	/* STP_OVERLOAD_*, cycles: limit
								 * of handlers; 0: no limit */
	u32		overload_tasks;	/* 1: hits in tasks count too, not only hits in
					 * interrupts */
	u32		user_stack;	/* bytes of user stack to be copied and unwound by
					 * .eh_frame; 0: by frame pointers */
};

/* A variable of the kernel whose address the script uses. */
struct rt_symbol {
	const char		*name;
	const char		*module;	/* NULL: the kernel proper or any */
	s64			offset;		/* added to the address of that name */
	const void		*exported;	/* if kallsyms does not list it: the weak symbol
						 * resolved by the module loader, NULL: not
						 * exported */
};

/*
 * One probe writes a global that another one reads, so its values need the hits of both. WATCHED:
 * it checks rt_lost_since().
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
	/* near[0] is unused; each e.g. "operator '/' at x.stp:3:9" */
	const char *const	*near;
	u32			nnear;
	const struct rt_symbol	*symbols;
	u32			nsymbols;
	const struct rt_event	*events;
	u32			nevents;
	u32			nfloors;
	u32			capture;	/* of all probes, or-ed */
	u8			joins;		/* enum rt_joins, or-ed */
	/* 1: what loads of bad addresses give is 0, and no error */
	u8			skip_faults;
	struct rt_limits	limits;
};

/* The generated file defines exactly this one external object. */
extern const struct rt_script rt_script;

#endif
