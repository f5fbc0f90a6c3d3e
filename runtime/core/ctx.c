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

/* 1: nothing has failed so far; the caller puts the text in the sink and calls ctx_set_end(). */
static int ctx_set(struct rt_ctx *c, enum run_error row, int how, struct sink *text)
{
	if (c->failed)
		return 0;
	*text = (struct sink){ .p = c->error, .size = sizeof(c->error) };
	c->error_row = row;
	c->failed = how;
	c->near = 0;
	return 1;
}

static void ctx_set_text(struct rt_ctx *c, const struct sink *text)
{
	c->message = (struct rt_str){ c->error, (u16)text->used };
}

/* Out of line: callers that do not fail need no frame for it. */
static __attribute__((__noinline__, __cold__)) void ctx_fail_how(struct rt_ctx *c, enum run_error row,
								 const char *what, int how)
{
	struct sink text;

	if (!ctx_set(c, row, how, &text))
		return;
	run_error_put(&text, row, what);
	ctx_set_text(c, &text);
}

void ctx_fail(struct rt_ctx *c, enum run_error row)
{
	ctx_fail_how(c, row, 0, 1);
}

void ctx_fail_with(struct rt_ctx *c, enum run_error row, const char *what)
{
	ctx_fail_how(c, row, what, 1);
}

void ctx_fault(struct rt_ctx *c, enum run_error row, u64 at)
{
	char text[24];
	struct sink s = { .p = text, .size = sizeof(text) - 1 };

	fmt_hex(&s, at);
	text[s.used] = 0;
	ctx_fail_how(c, row, text, 1);
}

void ctx_abort(struct rt_ctx *c)
{
	ctx_fail_how(c, RUN_OTHER, 0, 3);
}

void rt_error(struct rt_ctx *c, struct rt_str message)
{
	struct sink text;

	if (!message.len)
		message = RT_STR("Unknown error.");
	if (!ctx_set(c, RUN_OTHER, 1, &text))
		return;
	sink_put(&text, message.p, message.len);
	ctx_set_text(c, &text);
}

void rt_exhausted(struct rt_ctx *c)
{
	ctx_fail(c, RUN_EXHAUSTED);
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
			ctx_fail_how(c, RUN_TIME, 0, 2);
			return 1;
		}
		ctx_portion(c);
	}
	if (c->budget >= 0)
		return 0;
	ctx_fail_how(c, RUN_MAXACTION, 0, 2);
	return 1;
}

int rt_fail_nesting(struct rt_ctx *c)
{
	ctx_fail(c, RUN_MAXNESTING);
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
	return 1;
}

/*
 * Bytes of an error's text that are shown, so that there is room for the place; catch gets all of
 * it.
 */
#define REPORTED	256

/* Where it failed, or who called; *failed: 0 at first. What does not fit is left out. */
static void ctx_report_place(struct sink *s, u32 near, u32 *failed)
{
	static const char word[] = " (called from ";

	if (!near || near >= rt_script.nnear)
		return;
	if (!*failed) {
		*failed = near;
		sink_text(s, " near ");
		sink_text(s, rt_script.near[near]);
	} else if (s->used + sizeof(word) + strlen(rt_script.near[near]) < s->size) {
		sink_text(s, word);
		sink_text(s, rt_script.near[near]);
		sink_char(s, ')');
	}
}

/*
 * Sends the text of a pending error to the consumer; out of line, because it uses much stack and is
 * rarely needed.
 */
static __attribute__((__noinline__)) void ctx_report(struct rt_ctx *c)
{
	struct {
		struct wire_error error;
		char		text[512];
	} m = { .error = { .row = c->error_row } };
	struct sink s = { .p = m.text, .size = sizeof(m.text) - 1 };
	int shift;

	if (rt_script.limits.quiet_errors)
		return;
	sink_put(&s, c->message.p, c->message.len < REPORTED ? c->message.len : REPORTED);
	for (shift = 48; shift >= 0; shift -= 16)
		ctx_report_place(&s, c->near >> shift & 0xffff, &m.error.near);
	m.text[s.used] = 0;
	runtime_message(WIRE_ERROR, 0, &m, (u32)sizeof(m.error) + s.used + 1);
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
		ctx_fail(c, RUN_DIVISION);
		return 0;
	}
	return b == -1 ? num_neg(a) : a / b;
}

s64 rt_mod(struct rt_ctx *c, s64 a, s64 b)
{
	if (b == 0) {
		ctx_fail(c, RUN_DIVISION);
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
