/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wire.h - the protocol between a runtime and its consumer (lapwing-run).
 *
 * Two channels out of the runtime and one in:
 *   rings     one per CPU: bulk output of handlers, lossy when full, counted
 *   messages  control, ordered, never displaced by data: definitions,
 *             warnings, errors, accounts
 *   commands  from the consumer: addresses, symbols, start, stop
 *
 * Everything is fixed-width, in host byte order (struct wire_hello shows which),
 * 8-byte aligned and versioned; a reader refuses another WIRE_VERSION.  A
 * reader must not trust any length: the decoder is fuzzed.  Includes nothing;
 * needs the integer types of rt.h.
 *
 * Kernel runtime: a misc device named after the module, mode 0600, one opener.
 * read() gives messages (whole ones; blocks unless O_NONBLOCK; poll works),
 * write() takes commands (whole ones), mmap() at offset cpu * wire_hello.ring_bytes
 * maps a ring read/write.  User runtime: struct wire_module below, from the
 * script's shared object.
 */
#ifndef LAPWING_WIRE_H
#define LAPWING_WIRE_H

#define WIRE_VERSION	19
#define WIRE_MAGIC	0x4c415057494e4731ULL	/* "LAPWING1" */

/* ---- rings ------------------------------------------------------------------
 *
 * A ring is one page of header and 2^n bytes of records.  Positions only grow;
 * position & (size - 1) is the offset.  The writer owns head, lost and
 * lost_bytes, the reader owns tail; head is published after the record is
 * complete (release), read with acquire.  Records are multiples of 8 bytes and
 * never wrap: a PAD record fills the end.
 */
struct wire_ring {
	u64	magic;
	u64	size;			/* bytes of records, a power of two */
	u64	unused0[6];
	u64	head __attribute__((aligned(64)));	/* end of complete records */
	u64	lost;			/* records refused for lack of room */
	u64	lost_bytes;
	u64	unused1[5];
	u64	tail __attribute__((aligned(64)));	/* everything before it is consumed */
	u64	unused2[7];
};
#define WIRE_RING_HEADER	4096	/* records start here */

enum wire_record_type { WIRE_PAD = 0, WIRE_OUTPUT = 1 };
enum wire_record_flags {
	WIRE_MORE = 1,		/* the same handler's output continues in this ring's next record
				 * with the same stamp */
	WIRE_ASIDE = 32,	/* not the script's output: for standard error */
};

struct wire_record {
	/* with this header, a multiple of 8, at least sizeof(struct wire_record) */
	u32	len;
	u8	type;
	u8	flags;
	u16	cpu;
	u64	stamp;		/* ns, monotonic, of the handler's first output: records are
				 * merged by (stamp, cpu) */
};

/* WIRE_OUTPUT's payload is a sequence of items until len is used up. */
struct wire_item {
	u32	len;		/* with this header, a multiple of 8 */
	u16	format;		/* row of rt_script.formats, or one of: */
	u16	nargs;
};
#define WIRE_ITEM_HIST	0xffff		/* payload struct wire_hist */
/* payload struct wire_stack: the reader finds names and prints it */
#define WIRE_ITEM_STACK	0xfffd
#define WIRE_ITEM_USER_STACK	0xfffc	/* payload struct wire_user_stack */
#define WIRE_ITEM_TEXT	0xfffe		/* payload: one argument, a string to print unchanged */

/*
 * An item's arguments follow it in order, each 8-byte aligned:
 *   'l'  s64
 *   's'  u32 bytes, then the bytes, zero padded to 8; the string ends at the first NUL, if any
 *   'm'  s32 bytes or -errno of the copy, then the bytes, zero padded to 8
 */
struct wire_hist {
	u32	kind;		/* RT_HIST_LOG or RT_HIST_LINEAR */
	u32	nbuckets;
	s64	low, high, step;
	u32	width;		/* width of the longest bar: -D HIST_WIDTH */
	s32	elision;	/* empty rows shown around nonzero rows: -D HIST_ELISION;
				 * negative: all */
	u64	count[];	/* nbuckets */
};

/*
 * A record (enum rt_column): its values follow as those of other items. A stack is a struct
 * wire_stack, with the addresses behind it if it has no number.
 */

/* A stack: sent once by WIRE_STACK, then referred to by its number. */
struct wire_stack {
	u32	number;		/* 0: none, and its addresses follow in the item */
	u16	depth;		/* addresses that follow */
	u8	style;		/* enum symbol_style, of a line */
	u8	user;		/* 1: addresses of process pid; 0: of the kernel */
	s32	pid;
	u32	unused;
	u64	ip[];		/* innermost first */
};

/* User mode's registers, by DWARF number. */
enum wire_machine { WIRE_X86_64 = 1, WIRE_ARM64 };
struct wire_regs {
	u64	ip;
	u64	reg[32];
	u32	machine;	/* enum wire_machine */
	u32	unused;
};

/* A user stack that the reader unwinds: registers and a copy of its top. */
struct wire_user_stack {
	s32	pid;
	u32	style;		/* enum symbol_style, of a line */
	u32	max;		/* maximum number of addresses */
	u32	bytes;		/* bytes of the stack that follow, from the stack pointer up */
	struct wire_regs regs;
};

/* ---- messages ---------------------------------------------------------------*/

struct wire_msg {
	u32	len;		/* with this header, a multiple of 8; at most WIRE_MSG_MAX */
	u32	type:8, id:24;	/* id: meaning depends on type; 0 otherwise. A wildcard's probes
				 * may need more than 16 bits */
};
#define WIRE_MSG_MAX	65536
#define WIRE_ID_MAX	((1U << 24) - 1)

enum wire_msg_type {
	WIRE_HELLO = 1,		/* struct wire_hello: always first */
	WIRE_FORMAT,		/* id: row. Payload: kinds NUL text NUL */
	WIRE_PROBE,		/* id: row of probes. Payload: point NUL where NUL */
	/* id: a slot. Payload: function NUL module NUL: addresses wanted before WIRE_START */
	WIRE_NEED,
	WIRE_READY,		/* end of the messages before WIRE_START */
	WIRE_STARTED,		/* begin probes have run, all probes are armed but those of
				 * WIRE_SKIPPED. -c may run now */
	WIRE_WARNING,		/* text NUL: stderr "WARNING: text". id: 1: of the script's warn() */
	WIRE_ERROR,		/* struct wire_error: stderr "ERROR: text"; the run will exit 1 */
	/* the script requests the end (exit(), too many errors): answer with WIRE_STOP */
	WIRE_EXIT = 10,
	WIRE_IMAGE,		/* user runtime and usymname in the kernel: an image is missing.
				 * Payload struct wire_image_id */
	/* struct wire_account, id: row of probes; sent after the end probes */
	WIRE_ACCOUNT,
	/* struct wire_global_account, id: row of globals; sent after the probes' accounts */
	WIRE_GLOBAL_ACCOUNT,
	WIRE_SUMMARY,		/* struct wire_summary: sent after the accounts */
	/*
	 * struct wire_stack with a number and all addresses; before the first item that prints it
	 */
	WIRE_STACK,
	WIRE_STOPPED,		/* last: rings contain all output, probes are removed, the module
				 * may be unloaded */
	WIRE_NEED_DATA,		/* WIRE_NEED for a variable */
	WIRE_SYSTEM,		/* text NUL: a shell command to run, without waiting for it */
	WIRE_NEXT_FILE,		/* the output continues in the next file of -S */
	/* WIRE_NEED for a function that the module can do without, if addresses are hidden */
	WIRE_LIKE,
	/* struct wire_unread, id: row of probes; before the probe's account */
	WIRE_UNREAD,
	WIRE_PROGRESS,		/* struct wire_progress: arming or disarming takes long */
	/* struct wire_skipped, id: row of probes: an optional probe cannot be armed */
	WIRE_SKIPPED,
	WIRE_LIKE_DATA,		/* WIRE_LIKE for a variable */
	/*
	 * user runtime, with RT_CAP_NAMES: u64 time, then perf's record of that time about a process
	 * (perf/records.h), in order of time
	 */
	WIRE_PROCESS,
};

/* An error of the run. */
struct wire_error {
	u32	row;		/* enum run_error: finds the number and the hint */
	/*
	 * of a handler: the place, a row of rt_script.near and of the module's section
	 * RT_SOURCE_SECTION, which has its source lines; 0: none
	 */
	u32	near;
	/* text NUL, with the place's name */
};

/* Why an optional probe is left out. */
struct wire_skipped {
	u32	row;		/* enum run_error */
	/* NUL-terminated text for the row's "%s" */
};

/*
 * Sent at most a few times a second. For disarming, the first is sent before WIRE_STOPPED; done ==
 * total ends it.
 */
struct wire_progress {
	u32	done, total;	/* probes */
	u32	disarming;	/* 0: arming */
	u32	unused;
};

enum wire_hello_flags {
	WIRE_WANTS_INPUT = 2,	/* standard input, by WIRE_INPUT */
	/* calls of its empty functions (struct wire_about) after WIRE_STARTED */
	WIRE_WANTS_EMPTY = 8,
	WIRE_WANTS_CALIBRATE = 16,	/* WIRE_CALIBRATE after WIRE_STARTED */
	WIRE_WANTS_NOP5 = 32,	/* struct wire_about's nop5_breaks */
	/* symbol tables of programs with unwind rows (struct wire_caller) */
	WIRE_WANTS_CALLERS = 4,
	/* wire_account's times are in nanoseconds; otherwise in units of get_cycles() */
	WIRE_TIMES_NS = 1,
	/* return addresses of programs are replaced (RT_WAY_REPLACES), which kills some programs */
	WIRE_REPLACES = 128,
	/* a probe stores in a global what another one reads: lost hits may make results false */
	WIRE_JOINS = 64,
	/* ftrace calls its probes: none is called while kernel.ftrace_enabled is 0 */
	WIRE_ON_FTRACE = 256,
};

struct wire_hello {
	u64	magic;
	u32	version;	/* WIRE_VERSION */
	u32	abi;		/* RT_ABI */
	u32	ncpus;		/* possible CPUs */
	u32	nprobes;
	u64	ring_bytes;	/* header page and records */
	u32	capture;	/* rt_script.capture: the required symbol tables */
	u32	flags;		/* enum wire_hello_flags */
	u64	time_mono;	/* a pair of clocks, ns */
	u64	time_wall;
	char	script[64];	/* name, NUL terminated, truncated */
	u64	memory;		/* bytes of memory of the globals */
	u32	shared;		/* arrays shared by the CPUs because per-CPU parts would be too
				 * large */
	/*
	 * ring i is of possible CPU i % ncpus; those from ncpus on, if there are any, have what
	 * handlers write in NMIs
	 */
	u32	nrings;
};

/*
 * Why hits are missed: member of struct wire_account, name in --json-summary, words.
 *   slots      no memory for another pending call (kretprobe instances used up)
 *   late       ticks of a timer: the next one was due when the CPU got to them
 *   overload   more hits than can be handled: perf's ring was full, or the guard had ended the run
 *   unsampled  the event was counted, but no sample was taken for it
 *   jumped     returns that are probed by instructions: the function jumped to another one, which
 *              returns to its caller
 *   unproven   returns: records were lost, or the goroutine is unknown, so the entry that was seen
 *              may be another call's
 *   mixed      returns that need counts of the thread from the entry: the call ended in another
 *              thread, or a switch between two threads was not seen
 */
#define WIRE_MISSED(X) \
	X(nested,	"reentrant",		"already in a handler") \
	X(lock,		"lock_timeout",		"lock time-out") \
	X(slots,	"slots",		"no return slot") \
	X(stack,	"low_stack",		"low stack") \
	X(nmi,		"nmi",			"in NMI") \
	X(late,		"late",			"too late") \
	X(overload,	"overload",		"overload") \
	X(unsampled,	"unsampled",		"counted, but not sampled by the kernel") \
	X(jumped,	"tail_call",		"left by a tail call") \
	X(unproven,	"uncertain_entry",	"uncertain entry") \
	X(mixed,	"mixed_counts",		"counts mixed with another thread's")

/*
 * One probe's books: entered = completed + in_flight + condition_off + sum of missed. Sums over
 * CPUs.
 */
struct wire_account {
	u64	entered;
	u64	completed;
	u64	in_flight;		/* had begun and had not ended when the books were closed */
#define WIRE_MEMBER(name, json, words) u64 missed_##name;
	WIRE_MISSED(WIRE_MEMBER)
#undef WIRE_MEMBER
	u64	condition_off;		/* its condition was false, or the script paused */
	/* handlers ended by a run-time error (counted in completed too) */
	u64	errors;
	/* handlers that were timed, after WIRE_TIMING; times are in wire_hello's unit */
	u64	timed;
	u64	took, took_min, took_max;
	u64	took_p99;		/* 99 of 100 handlers took no longer, within 6.25 % */
	u64	took_squares;		/* sum of squares; all ones: too large */
	/*
	 * 1: its counts are not hits of the script: it is a keeper, whose misses are in the books
	 * of the probe it serves, or it calibrates
	 */
	u64	hidden;
	/* hits whose handlers used something that was not read at the hit (WIRE_UNREAD) */
	u64	unread;
	/*
	 * enum verdict_skips: samples of it may be missing, and nothing counts them, as a clock of
	 * user code or of kernel code alone counts all time
	 */
	u64	skips_unknown;
};

/* Hits that were missed, for any reason. */
static inline u64 wire_missed(const struct wire_account *a)
{
	u64 sum = 0;

#define WIRE_ADD(name, json, words) sum += a->missed_##name;
	WIRE_MISSED(WIRE_ADD)
#undef WIRE_ADD
	return sum;
}

/* Something that handlers of one probe used and that was not read at the hit. */
struct wire_unread {
	u64	hits;
	/* what NUL, as written in the script; why NUL */
};

/* One global's statistics. */
struct wire_global_account {
	u64	rows;			/* rows of an array at the end, added up over CPUs */
	u64	refused;		/* inserts refused because it was full */
	u64	lock_timeouts;		/* hits missed because its lock was not available
					 * (missed_lock) */
	u32	is_array;
	u32	unused;
	/* name NUL; text NUL of the declaration to whose table it belongs, or NUL */
};

#define WIRE_UNKNOWN	(~0ULL)

struct wire_summary {
	u64	errors;
	/* missed hits that count for MAXSKIPPED, SystemTap's "skipped probes" */
	u64	skipped;
	/*
	 * For profile probes. expected = samples + samples_own + samples_off + samples_asleep +
	 * samples_lost, if known.
	 */
	u64	samples_expected;	/* from rate and time, on CPUs while they were online;
					 * WIRE_UNKNOWN where only user code is sampled */
	u64	samples;		/* received */
	u64	samples_idle;		/* those of idle CPUs */
	u64	samples_own;		/* samples of the consumer itself: dropped */
	u64	samples_asleep;		/* expected on idle CPUs but not taken: not a loss */
	u64	samples_lost;
	/* those lost because a ring was full; the kernel did not deliver the others in time */
	u64	samples_no_room;
	/* while profile_off() or WIRE_SWITCH was in effect: dropped */
	u64	samples_off;
	u32	state;			/* 0: normal stop, 1: ended by error */
	u32	sample_clocks;		/* running in parallel: one per probe and CPU */
	u64	stacks_cut;		/* stacks that were deeper than MAXBACKTRACE */
	u64	names, names_unknown;	/* symbol lookups of handlers, and failed ones */
	/* switches of threads, if the script uses thread counters */
	u64	switches, switches_lost;
	u64	process_records, process_records_lost;	/* process records, if the script needs
							 * them */
	/* Stacks of programs: taken; those that do not reach the start of their thread, for
	 * another reason than MAXBACKTRACE; those with a gap where callers are known to be
	 * missing; those with an uncertain innermost caller. */
	u64	stacks, stacks_cut_off, stacks_skip, stacks_uncertain;
};

/* ---- commands ----------------------------------------------------------------
 *
 * Same framing (struct wire_msg). A refused command makes write() fail with errno and, if there
 * is more to say, sends a WIRE_ERROR. */
enum wire_command {
	/* id: slot as in WIRE_NEED. Payload: u64 addresses; none: no such symbol */
	WIRE_BIND = 64,
	WIRE_TARGET,		/* struct wire_target */
	WIRE_SYMBOLS,		/* a chunk of a symbol table: struct wire_symbols */
	WIRE_START,		/* begin probes, then arm. WIRE_STARTED or WIRE_ERROR answers */
	/*
	 * struct wire_stop: disarm, end probes (or error probes), accounts. WIRE_STOPPED answers.
	 * Idempotent
	 */
	WIRE_STOP,
	/*
	 * a scalar's value, before WIRE_START: struct wire_global. -ENOENT: no such global;
	 * -EINVAL: an array, a statistic, or text for a number
	 */
	WIRE_GLOBAL,
	WIRE_TIMING,		/* handlers are timed from now on (-t); before WIRE_START */
	WIRE_ABOUT,		/* struct wire_about; before WIRE_START */
	/* bytes of the consumer's standard input; id: their number. -ENOENT: no probe wants them */
	WIRE_INPUT,
	WIRE_CALIBRATE,		/* call the module's empty functions a few times */
	WIRE_NOTE,		/* struct wire_note: a program's note about itself */
	WIRE_SWITCH,		/* id 0: hits are counted as off and not handled; 1: on again,
				 * including sampling probes */
};

/*
 * A process's note about itself (lapwing-note.h); the consumer has validated it, and has the
 * sender's pid from the kernel.
 */
enum wire_note_kind { WIRE_NOTE_CODE = 1, WIRE_NOTE_IMAGE, WIRE_NOTE_PHASE };
struct wire_note {
	u64	time;		/* start of its validity: ns, monotonic */
	u64	start, bytes;	/* the named range; 0 for a phase */
	s32	pid;
	u32	kind;		/* enum wire_note_kind */
	/* name NUL */
};

/*
 * The consumer parses the number, because the runtime cannot: a text that is not a number is valid
 * only for strings.
 */
struct wire_global {
	s64	number;
	u32	is_number;
	u32	unused;
	/* name NUL value NUL */
};

/* The process that runs the script, and its machine. */
struct wire_about {
	s32	pid, uid;
	s32	gmtoff;		/* local time: seconds west of UTC */
	char	zone[20];	/* the time zone's name, NUL terminated */
	/*
	 * file offsets of empty functions in the consumer's executable, by kind: the first
	 * instruction is emulated by the kernel, is single-stepped; these two kinds again. The
	 * second instruction returns
	 */
	u64	empty[4][8];
	u32	empty_first[4];	/* bytes of the first instruction */
	/*
	 * 1: a probe on a 5-byte nop breaks programs on this kernel, or that is not known
	 * (lib/nop5.h)
	 */
	u32	nop5_breaks;
	u32	unused;
	char	machine[208];	/* "MACHINE RELEASE CPUS NODENAME", NUL terminated */
};

struct wire_stop {
	/* 1: after an error, display the globals that no error probe reads */
	u32	partial;
	u32	unused;
};

struct wire_target {
	s32	pid;		/* target(); 0: none */
	/* 1: probes outside its process tree are not hits (--only-target) */
	u32	only;
	/* 1: it is the consumer's own child, which will exec the command of -c */
	u32	waits;
};

/*
 * dev and ino of images that are not files. The kernel: 0, 0. The vDSO: 0, 1. Code that process pid
 * has reported as generated, by address: -1, pid.
 */
#define WIRE_INO_VDSO	1
#define WIRE_DEV_MADE	(~0ULL)

/*
 * One sorted symbol table: the runtime may keep pointers to its names until it is replaced or
 * removed.
 */
struct wire_symbols {
	/* of the image file; dev in the kernel's format (major << 20 | minor) */
	u64	dev, ino;
	/*
	 * bytes of the whole table; sent in order, in chunks; a later table of the image replaces
	 * it. 0: removes it
	 */
	u64	total;
	u64	offset;		/* of this chunk's bytes, which follow */
};

/* The table itself. Symbols are sorted by start and do not overlap. */
struct wire_symtab {
	u32	nsyms;
	u32	names;		/* offset of the names from the start of the table */
	u32	nlines, ninlined, ncallers;
	u32	unused;
	/*
	 * struct wire_symbol[nsyms], struct wire_line[nlines], struct wire_inlined[ninlined],
	 * struct wire_caller[ncallers], then an image path NUL (at names), then the names, each NUL
	 * terminated
	 */
};
struct wire_symbol {
	u64	start;		/* kernel: address; image: file offset */
	u32	size;
	u32	name;		/* offset from the start of the table */
	u32	module;		/* kernel: offset of the module's name, without brackets; 0: none */
	u32	unused;
};

/* Source lines, sorted by start; each is valid up to the next one's start. */
struct wire_line {
	u64	start;		/* as a symbol's */
	u32	file;		/* offset from the start of the table */
	u32	line;		/* 0: unknown from here on */
};

/*
 * Inlined calls, sorted by start, outer ones first; two of them overlap only if one contains the
 * other.
 */
struct wire_inlined {
	u64	start;
	u32	size;
	u32	name;		/* of the function; offsets from the start of the table */
	u32	file, line;	/* the call site; line 0: unknown */
	u32	outer;		/* index of the enclosing call, from 1; 0: none */
	u32	unused;
};

/*
 * Unwind rows, sorted by start; each is valid up to the next one's. From .eh_frame, as far as
 * compilers use it.
 */
enum wire_caller_base {
	WIRE_CALLER_NONE,	/* unknown */
	WIRE_CALLER_SP, WIRE_CALLER_FP,		/* the caller's stack pointer is this register
						 * plus `cfa` */
	WIRE_CALLER_PLT,	/* x86-64's procedure linkage table: depends on the offset in it */
	WIRE_CALLER_SIGNAL,	/* a signal frame: all interrupted registers are above the stack
				 * pointer */
	WIRE_CALLER_END,	/* no caller */
};
struct wire_caller {
	u64	start;		/* as a symbol's */
	s32	cfa;
	/*
	 * location of its frame pointer and return address, relative to its stack pointer; 0: in
	 * the register
	 */
	s32	fp, ra;
	u32	base;		/* enum wire_caller_base */
};

struct wire_image_id {
	u64	dev, ino;
	s32	pid;		/* a process that has it mapped */
	u32	unused;
};

/* ---- the user runtime's interface ----------------------------------------------------
 *
 * The script's shared object exports one `const struct wire_module lapwing_module`. The consumer
 * is single-threaded: all calls come from one thread, never from a signal handler. command() and
 * messages() behave like write() and read() of the device (non-blocking; -errno on error). */
struct wire_open {
	/* records per CPU, and perf's ring per event and CPU (-s); rounded up to a power of two */
	u64	ring_bytes;
	s32	verbose;
	u32	unused;
	char	folder[80];	/* for named pipes of procfs probes; "": none */
};

struct wire_module {
	u64	magic;
	u32	version;
	u32	unused;
	int	(*open)(const struct wire_open *how);
	long	(*command)(const void *cmd, unsigned long len);
	long	(*messages)(void *buf, unsigned long size);
	struct wire_ring *(*ring)(u32 cpu);
	/* file descriptors to poll, besides the timeout */
	int	(*poll_fds)(int *fds, int max);
	long	(*pump)(void);				/* reads records, runs handlers; returns
							 * ns until the next call is due */
	void	(*close)(void);
};

#endif
