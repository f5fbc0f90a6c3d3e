/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * core.h - the seam between the portable core and a runtime.
 *
 * Most of rt.h (maps, statistics, strings, formatting, output items, errors)
 * is the same code in every runtime and lives in runtime/core.  What a runtime
 * gives to the core is in runtime.h; what the core gives to a runtime is here
 * and in the headers of its files.  Generated code never includes these.
 *
 * core/map.h, core/stat.h, core/hist.h, core/fmt.h ... are the layer beneath:
 * pure data structures on memory the caller provides, no rt_ctx, usable by
 * the reader (runtime/run) and by reports too.
 */
#ifndef LAPWING_CORE_H
#define LAPWING_CORE_H

#include "runtime/core/frame.h"
#include "runtime/core/runtime.h"
#include "runtime/rt.h"
#include "runtime/wire.h"

/*
 * Bytes that the per-CPU parts of arrays may take together (2,048 rows with histograms on 128 CPUs would be 400 MB): an array that
 * brings them above is shared by the CPUs, under one lock. Set before core_load().
 */
extern u64 core_percpu_budget;
extern struct wire_about core_about;
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

/* probe_stats.c. Handlers are timed from probe_stats_time_begin() (process context; 0 or -ENOMEM) until the memory goes. */
extern int probe_stats_timing;

#define CTX_OUT	8192		/* bytes of items in a record: SystemTap's STP_BUFFER_SIZE */
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

/* Has the hit output or an error to tell of? One load: the two stand side by side. */
static inline int ctx_has_news(const struct rt_ctx *c)
{
	u64 both;

	_Static_assert(__builtin_offsetof(struct rt_ctx, out_used) ==
			       __builtin_offsetof(struct rt_ctx, failed) + 4,
		       "side by side");
	__builtin_memcpy(&both, &c->failed, sizeof(both));
	return both != 0;
}

/* The head of that record as it is now. */
static inline struct wire_record output_head(const struct rt_ctx *c, int more)
{
	return (struct wire_record){
		.len = (u32)sizeof(struct wire_record) + c->out_used,
		.type = WIRE_OUTPUT,
		.flags = more ? WIRE_MORE : 0,
		.cpu = (u16)c->cpu,
		.stamp = c->out_stamp,
	};
}

/*
 * Sends the hit's output off as one record and empties it; more: WIRE_MORE is set. One stamp for
 * all of it keeps it together.
 */
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

#endif
