/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ctx.h - a hit's context: memory, errors, budget, try and catch, integer operators that may fail.
 */
#ifndef LAPWING_CORE_CTX_H
#define LAPWING_CORE_CTX_H

#include "runtime/core/core.h"
#include "runtime/core/run_error.h"

#define CTX_OUT	8192		/* bytes of items in a record: SystemTap's STP_BUFFER_SIZE */
/*
 * Starts a hit: resets budget, arena, error and snapshots. A handful of stores: the members are
 * adjacent for that.
 */
static inline void ctx_begin(struct rt_ctx *c, const struct rt_probe *p)
{
	u64 budget;

	c->failed = 0;
	c->out_used = 0;
	c->nesting = 0;
	c->catching = 0;
	c->taken = 0;
	budget = rt_script.limits.maxaction;		/* arena_used, which follows, is 0 */
	_Static_assert(__builtin_offsetof(struct rt_ctx, arena_used) ==
			       __builtin_offsetof(struct rt_ctx, budget) + 4,
		       "side by side");
	__builtin_memcpy(&c->budget, &budget, sizeof(budget));
	c->probe = p;
}

/* True if the hit has output or an error. One load: the two members are adjacent. */
static inline int ctx_has_news(const struct rt_ctx *c)
{
	u64 both;

	_Static_assert(__builtin_offsetof(struct rt_ctx, out_used) ==
			       __builtin_offsetof(struct rt_ctx, failed) + 4,
		       "side by side");
	__builtin_memcpy(&both, &c->failed, sizeof(both));
	return both != 0;
}

/*
 * Bytes of memory that a context needs besides struct rt_ctx (arena, output staging, statistics
 * scratch).
 */
u64 ctx_bytes(void);
/* Gives that memory to the context; once. cpu and level are fixed afterwards. */
void ctx_init(struct rt_ctx *c, void *memory, u32 cpu, u8 level);
/*
 * ctx_begin() for a handler without a hit (begin, end and error probes): more statements, but also
 * a time limit.
 */
void ctx_begin_long(struct rt_ctx *c, const struct rt_probe *p);

/*
 * End of a hit: flushes output; a pending error is reported as WIRE_ERROR with SystemTap's text
 * ("MESSAGE near TOKEN" ...) and counted.  Returns 1 if the hit ended by an error.
 */
int ctx_end(struct rt_ctx *c);
/* The second half of ctx_end(), for a hit that has failed. */
int ctx_end_failed(struct rt_ctx *c);
/* Sets the pending error (only the first sticks): the row, and its text. */
void ctx_fail(struct rt_ctx *c, enum run_error row);
/* The same, with a text for the row's "%s"; it is copied. */
void ctx_fail_with(struct rt_ctx *c, enum run_error row, const char *what);
/* The same, with an address for the "%s". */
void ctx_fault(struct rt_ctx *c, enum run_error row, u64 at);
/* abort()-like: leave without error text, not catchable. */
void ctx_abort(struct rt_ctx *c);

#endif
