// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ctx.c - a hit's context: memory, errors, budget, try and catch, integer operators that may fail.
 *
 * failed: 0 no; 1 an error, catchable; 2 one that is not (budget spent); 3 leave without an error
 * (abort).
 */
#include "runtime/core/ctx.h"

#include "runtime/core/core.h"
#include "runtime/core/fmt.h"
#include "runtime/core/num.h"
#include "runtime/core/output.h"
#include "runtime/core/port.h"
#include "runtime/core/stat.h"

/* times MAXACTION for begin, end and error probes */
#define CTX_LONG	100
#define CTX_PORTION	10000			/* statements between two checks of the time */

/* The scratch holds any aggregate of the script. */
static u64 ctx_stat_bytes(void)
{
	u64 most = sizeof(struct rt_statval);
	u32 i;

	for (i = 0; i < rt_script.nglobals; i++) {
		const struct rt_global *g = &rt_script.globals[i];
		const struct rt_stat_desc *d =
			g->storage == RT_G_STAT ? ((struct rt_stat *)g->obj)->desc
			: g->storage == RT_G_MAP ? &((struct rt_map *)g->obj)->desc->stat
			: 0;

		if (d && agg_bytes(d) > most)
			most = agg_bytes(d);
	}
	return most;
}

u64 ctx_bytes(void)
{
	return num_align8(rt_script.limits.arena) + CTX_OUT + ctx_stat_bytes() +
	       16ULL * rt_script.limits.maxbacktrace + 2ULL * rt_script.maxstring;
}

void ctx_init(struct rt_ctx *c, void *memory, u32 cpu, u8 level)
{
	memset(c, 0, sizeof(*c));
	c->cpu = cpu;
	c->part = runtime_parts() > 1 ? cpu : 0;
	c->level = level;
	c->arena = memory;
	c->arena_size = rt_script.limits.arena;
	c->out = c->stage = (u8 *)memory + num_align8(c->arena_size);
	c->ring = &ring_none;
	c->stat = (struct rt_statval *)(c->out + CTX_OUT);
	c->frames[0] = (u64 *)((u8 *)c->stat + ctx_stat_bytes());
	c->frames[1] = c->frames[0] + rt_script.limits.maxbacktrace;
	c->tokens = (struct rt_strvar){ (char *)(c->frames[1] + rt_script.limits.maxbacktrace), 0,
					(u16)rt_script.maxstring };
	c->subject = c->tokens;
	c->subject.p += rt_script.maxstring;
}

static void ctx_set(struct rt_ctx *c, const char *p, u32 n, int how)
{
	if (c->failed)
		return;
	if (n > sizeof(c->error))
		n = sizeof(c->error);
	memcpy(c->error, p, n);
	c->message = (struct rt_str){ c->error, (u16)n };
	c->failed = how;
	c->near = 0;
}

void ctx_fail(struct rt_ctx *c, const char *text)
{
	ctx_set(c, text, (u32)strlen(text), 1);
}

void ctx_fault(struct rt_ctx *c, const char *before, u64 at, const char *after)
{
	char text[80];
	struct sink s = { .p = text, .size = sizeof(text) };

	sink_text(&s, before);
	fmt_hex(&s, at);
	sink_text(&s, after);
	ctx_set(c, text, s.used, 1);
}

void ctx_abort(struct rt_ctx *c)
{
	ctx_set(c, "", 0, 3);
}

void rt_error(struct rt_ctx *c, struct rt_str message)
{
	if (!message.len)
		message = RT_STR("Unknown error.");
	ctx_set(c, message.p, message.len, 1);
}

static void ctx_portion(struct rt_ctx *c)
{
	u64 portion = c->reserve < CTX_PORTION ? c->reserve : CTX_PORTION;

	c->reserve -= portion;
	c->budget += (s32)portion;
}

void ctx_begin_long(struct rt_ctx *c, const struct rt_probe *p)
{
	ctx_begin(c, p);
	c->reserve = (u64)rt_script.limits.maxaction * CTX_LONG;
	c->budget = 0;
	ctx_portion(c);
}

int rt_fail_budget(struct rt_ctx *c)
{
	while (c->reserve && c->budget < 0) {
		if (!runtime_go_on(c)) {
			ctx_set(c, "time limit exceeded", 19, 2);
			return 1;
		}
		ctx_portion(c);
	}
	if (c->budget >= 0)
		return 0;
	ctx_set(c, "MAXACTION exceeded", 18, 2);
	return 1;
}

int rt_fail_nesting(struct rt_ctx *c)
{
	ctx_set(c, "MAXNESTING exceeded", 19, 1);
	return 1;
}

int rt_nest(struct rt_ctx *c)
{
	if (c->nesting >= rt_script.limits.maxnesting)
		return rt_fail_nesting(c);
	c->nesting++;
	return 0;
}

void rt_try(struct rt_ctx *c)
{
	c->catching++;
}

int rt_catch(struct rt_ctx *c, struct rt_strvar *e)
{
	if (c->catching)
		c->catching--;
	if (c->failed != 1)
		return 0;
	if (e)
		rt_set(e, c->message);
	c->failed = 0;
	c->near = 0;
	return 1;
}

/*
 * Bytes of an error's text that are shown, so that there is room for the place; catch gets all of
 * it.
 */
#define REPORTED	256

/*
 * Sends the text of a pending error to the consumer; out of line, because it uses much stack and is
 * rarely needed.
 */
static __attribute__((__noinline__)) void ctx_report(struct rt_ctx *c)
{
	char text[384];
	struct sink s = { .p = text, .size = sizeof(text) - 1 };

	sink_put(&s, c->message.p, c->message.len < REPORTED ? c->message.len : REPORTED);
	if (c->near && c->near < rt_script.nnear) {
		sink_text(&s, " near ");
		sink_text(&s, rt_script.near[c->near]);
	}
	text[s.used] = 0;
	runtime_message(WIRE_ERROR, 0, text, s.used + 1);
}

int ctx_end_failed(struct rt_ctx *c)
{
	if (c->failed != 3)
		ctx_report(c);
	return c->failed != 3;
}

int ctx_end(struct rt_ctx *c)
{
	if (c->out_used)
		output_flush(c, 0);
	return c->failed ? ctx_end_failed(c) : 0;
}

s64 rt_div(struct rt_ctx *c, s64 a, s64 b)
{
	if (b == 0) {
		ctx_fail(c, "division by 0");
		return 0;
	}
	return b == -1 ? num_neg(a) : a / b;
}

s64 rt_mod(struct rt_ctx *c, s64 a, s64 b)
{
	if (b == 0) {
		ctx_fail(c, "division by 0");
		return 0;
	}
	return b == -1 ? 0 : a % b;
}

s64 rt_shl(s64 a, s64 n)
{
	return (s64)((u64)a << (n & 63));
}

s64 rt_shr(s64 a, s64 n)
{
	return a >> (n & 63);
}

s64 rt_shru(s64 a, s64 n)
{
	return (s64)((u64)a >> (n & 63));
}

s64 rt_hit_ns(struct rt_ctx *c) { return (s64)c->now; }
