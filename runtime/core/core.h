/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * core.h - the seam between the portable core and a runtime.
 *
 * Most of rt.h (maps, statistics, strings, formatting, output items, errors)
 * is the same code in every runtime and lives in runtime/core.  What differs
 * is below: first what a runtime gives to the core, then what the core gives
 * to a runtime.  Generated code never includes this.
 *
 * core/map.h, core/stat.h, core/hist.h, core/fmt.h ... are the layer beneath:
 * pure data structures on memory the caller provides, no rt_ctx, usable by
 * the reader (runtime/run) and by reports too.
 */
#ifndef LAPWING_CORE_H
#define LAPWING_CORE_H

#include "runtime/core/frame.h"
#include "runtime/rt.h"
#include "runtime/wire.h"

/* ---- a runtime provides ------------------------------------------------------*/

/* Zeroed memory at load, aligned to RT_LINE; process context, may sleep; NULL when there is none or policy refuses. */
void *runtime_alloc(u64 bytes);
void runtime_free(void *p);
/* Per-CPU parts of globals: possible CPUs, constant after load. The user runtime says 1 (handlers are serial). */
u32 runtime_parts(void);
/* A probe's books, with what is known once it is disarmed. End and error probes. */
void runtime_books(u32 probe, struct wire_account *sum);
/* The clock of stamps, ns, monotonic; any context. */
u64 runtime_clock(void);
/*
 * Sends c->out[0..out_used) off as one WIRE_OUTPUT record where it was not written in the ring (c->ring) itself; more: WIRE_MORE is set.
 * Full ring: counts the loss, or waits for the reader when c->may_wait.
 */
void runtime_flush(struct rt_ctx *c, int more);
/* The reader has much to read in a ring. */
void runtime_wake(void);
/* Queues a message; any context but NMI. Cut at WIRE_MSG_MAX; a full queue counts and says so later. 1: it was queued. */
int runtime_message(u16 type, u32 id, const void *payload, u32 len);
/* Copies n bytes from a kernel (user != 0: the current process's) address; 0 or -errno; never faults. */
long runtime_copy(struct rt_ctx *c, void *to, u64 from, u32 n, int user);
/* The current task's name into c->comm, c->comm_len (at most 15 bytes). */
void runtime_comm(struct rt_ctx *c);
/* The module's name: kernel module, shared object without .so. */
const char *runtime_name(void);
/* A long handler's next portion of statements is due: lets others run; 0: it has had its time. Only for ctx_begin_long(). */
int runtime_go_on(struct rt_ctx *c);
/* rt_exit(): ask for the end of the session, once. */
void runtime_exit_request(void);
/*
 * The hit's kernel or user stack, innermost first, at most max addresses: how many; beyond max: there were more.
 * *flaws: enum stack_flaws.
 */
u32 runtime_stack(struct rt_ctx *c, int user, u64 *ip, u32 max, u32 *flaws);
/* Is a kernel address rt_script.symbols[n], offset added? 0 too where that is not known. */
int runtime_is_symbol(struct rt_ctx *c, s64 n, u64 addr);
/* The table of what holds an address, of the kernel's or the current process's, and where in it that is; NULL: not known (yet). */
const struct wire_symtab *runtime_symbols(struct rt_ctx *c, int user, u64 addr, u64 *at);
/* Prints the hit's stack, one line per frame in a style of symbol.h. */
void runtime_print_stack(struct rt_ctx *c, int user, u32 style);
/* The same of one kernel address. */
void runtime_print_address(struct rt_ctx *c, u64 addr, u32 style);
/* The kernel function that has returned at this hit; 0: none has. */
u64 runtime_returned(struct rt_ctx *c);

/* ---- the core provides --------------------------------------------------------*/

/*
 * Bytes that the per-CPU parts of arrays may take together (2,048 rows with histograms on 128 CPUs would be 400 MB): an array that
 * brings them above is shared by the CPUs, under one lock. Set before core_load().
 */
extern u64 core_percpu_budget;
/* Allocates what all of rt_script.globals need and sets their parts. 0, or -errno with *name set to the global that failed. */
int core_load(const char **name);
void core_unload(void);
/* WIRE_GLOBAL: gives a scalar its first value; len bytes from anyone. Between core_load() and the start, process context. 0 or -errno. */
int core_assign(const struct wire_global *value, u64 len);
/* WIRE_ABOUT: what the consumer says of itself, and of the kernel. Before the start. 0 or -EINVAL. */
int core_take_about(const void *p, u64 len);
extern struct wire_about core_about;

/* floor.c: memory for what calibrating hits read. 0 or -ENOMEM. */
int floor_load(void);
void floor_unload(void);
/*
 * WIRE_WANTS_EMPTY, WIRE_WANTS_CALIBRATE, WIRE_WANTS_NOP5, WIRE_REPLACES, or-ed: what stopwatches want called, what probes want to be told,
 * and what they do to programs.
 */
u32 core_wants(void);
/*
 * A copy of rows, where the consumer's functions have places, and nops of 5 bytes that would break the program have given theirs up for
 * those beside them; runtime_free() it. After WIRE_ABOUT; NULL: no memory.
 */
struct rt_uprobe *core_uprobes(const void *rows, u32 n);
/*
 * A call of a goroutine's, by the address of its struct g, the end of its stack and the stack pointer: a number that no other call that
 * is under way has, and that stays when the stack is moved. 0: these are not what they should be. Exact for stacks of up to 1 GB, Go's own
 * limit, and structures, which are 32 bytes apart, within 4 TB.
 */
static inline u64 core_goroutine_call(u64 g, u64 end, u64 sp)
{
	u64 away = (end - sp) / 8;

	return away >> 27 ? 0 : g >> 5 << 27 | away;
}
/* Why the row's instruction must not be probed on this kernel, nor another in its place: behind CORE_STUCK. NULL: it may. */
#define CORE_STUCK "this kernel makes the 5-byte nop there a call, which would break the program, and no other place serves: "
const char *core_uprobe_stuck(const struct rt_uprobe *row);
/* A message that is one text; cut at 511 bytes. Any context but NMI. */
void core_message(u16 type, struct rt_str text);
/* Bytes that core_load() took, and how many arrays are shared for their size: for -v. */
u64 core_bytes(void);
u32 core_shared(void);

/* probe_stats.c. Handlers are timed from probe_stats_time_begin() (process context; 0 or -ENOMEM) until the memory goes. */
extern int probe_stats_timing;
int probe_stats_time_begin(void);
void probe_stats_time_end(void);
/* The handler of the hit c took so long. Books and histograms have one writer per part. Any context. */
void probe_stats_time(struct wire_account *a, const struct rt_ctx *c, u64 took);
/* Fills a->took_p99 from all parts; a holds the sums. Nothing runs any more. */
void probe_stats_percentile(u32 probe, struct wire_account *a);
/* Fills a->entered from the rest, where each way a hit can go is counted. */
void probe_stats_entered(struct wire_account *a);
/* The calls that ended at their entry, in the probe that keeps values there, are hits of the return's probe: of its books is a. */
void probe_stats_serve(struct wire_account *a, const struct wire_account *keeper);
/* Sends a WIRE_GLOBAL_ACCOUNT for each global. Process context, nothing runs any more; NULL: nothing is locked. */
void probe_stats_globals(u64 (*lock_timeouts)(const struct rt_global *g));
/* Adds one CPU's books; the sums of squares and times stay at the largest value rather than wrap. */
void probe_stats_add(struct wire_account *to, const struct wire_account *from);

#define CTX_OUT	8192		/* bytes of items in a record: SystemTap's STP_BUFFER_SIZE */
/* Bytes of memory a context needs beside struct rt_ctx (arena, output staging, statistics scratch). */
u64 ctx_bytes(void);
/* Hands that memory to the context; once. cpu and level are fixed afterwards. */
void ctx_init(struct rt_ctx *c, void *memory, u32 cpu, u8 level);
/* Start of a hit: budget, arena, error and snapshots reset. A handful of stores: the members stand together for that. */
static inline void ctx_begin(struct rt_ctx *c, const struct rt_probe *p)
{
	u64 budget;

	c->failed = 0;
	c->out_used = 0;
	c->nesting = 0;
	c->near = 0;
	c->catching = 0;
	c->taken = 0;
	budget = rt_script.limits.maxaction;		/* arena_used, behind it, is 0 */
	_Static_assert(__builtin_offsetof(struct rt_ctx, arena_used) == __builtin_offsetof(struct rt_ctx, budget) + 4, "side by side");
	__builtin_memcpy(&c->budget, &budget, sizeof(budget));
	c->probe = p;
}

/* The same for a handler that runs in no hit (begin, end and error probes): more statements, and a limit of time instead. */
void ctx_begin_long(struct rt_ctx *c, const struct rt_probe *p);

/* Has the hit output or an error to tell of? One load: the two stand side by side. */
static inline int ctx_has_news(const struct rt_ctx *c)
{
	u64 both;

	_Static_assert(__builtin_offsetof(struct rt_ctx, out_used) == __builtin_offsetof(struct rt_ctx, failed) + 4, "side by side");
	__builtin_memcpy(&both, &c->failed, sizeof(both));
	return both != 0;
}

static inline struct wire_record output_head(const struct rt_ctx *c, int more)
{
	return (struct wire_record){
		.len = (u32)sizeof(struct wire_record) + c->out_used, .type = WIRE_OUTPUT, .flags = more ? WIRE_MORE : 0, .cpu = (u16)c->cpu,
		.stamp = c->out_stamp,
	};
}

/* Sends the hit's output off as one record and empties it; more: WIRE_MORE is set. One stamp for all of it keeps it together. */
static inline void output_flush(struct rt_ctx *c, int more)
{
	if (__builtin_expect(!(c->taken & RT_TOOK_STAMP), 1))
		c->out_stamp = runtime_clock();
	if (more)
		c->taken |= RT_TOOK_STAMP;
	if (__builtin_expect(c->out != c->stage, 1)) {
		struct wire_record *rec = (struct wire_record *)c->out - 1;

		*rec = output_head(c, more);
		if (__builtin_expect(ring_publish(c->ring, rec->len), 0))
			runtime_wake();
	} else {
		runtime_flush(c, more);
	}
	c->out_used = 0;
}

/*
 * End of a hit: flushes output; a pending error is reported as WIRE_ERROR with SystemTap's text
 * ("MESSAGE near TOKEN" ...) and counted.  Returns 1 if the hit ended by an error.
 */
int ctx_end(struct rt_ctx *c);
/* Its second half, for a hit that has failed. */
int ctx_end_failed(struct rt_ctx *c);
/* Sets the pending error (only the first sticks); text is copied. */
void ctx_fail(struct rt_ctx *c, const char *text);
/* The same, with an address between two texts. */
void ctx_fault(struct rt_ctx *c, const char *before, u64 at, const char *after);
/* n bytes of arena; NULL fails the hit. */
char *str_room(struct rt_ctx *c, u32 n);
/* abort()-like: leave without error text, not catchable. */
void ctx_abort(struct rt_ctx *c);

/* Room for an item's payload of so many bytes in the hit's output; NULL: the hit has failed, or that is more than it may print at once. */
void *output_item(struct rt_ctx *c, u16 format, u32 bytes);
/*
 * After an error that ended the run: prints the globals that hold something and that no error probe reads, under one PARTIAL line.
 * Process context, nothing runs any more; c may wait and is no hit's.
 */
void core_partial(struct rt_ctx *c);
/* Text as it is among the hit's output; cut at what the staging buffer holds. */
void output_text(struct rt_ctx *c, const char *p, u32 n);

/* Sends WIRE_FORMAT for every format and WIRE_PROBE for every probe of rt_script. 0, or -1: no memory, nothing was sent. */
int core_describe(void);

#endif
