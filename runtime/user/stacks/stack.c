/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stack.c - the stacks of a hit, from the call chain, the registers and the top of the stack that
 * perf recorded.
 */
#include "perf/perf_regs.h"
#include "runtime/core/backtrace.h"
#include "runtime/core/output.h"
#include "runtime/core/symbol.h"
#include "runtime/user/context/call.h"
#include "runtime/user/context/fetched.h"
#include "runtime/user/events/record_layout.h"
#include "runtime/user/user.h"
#include "symbolize/chain.h"
#include "symbolize/process.h"
#include "symbolize/unwind.h"

#include <linux/perf_event.h>
#include <string.h>

/*
 * Newer kernels, and many older ones with the fix, recognize some functions' entries and add the
 * caller there, which frame pointers skip. So the kernel is assumed to do so until it is seen not
 * to: calls of a function by itself, where that cannot be seen, come after one by another function.
 * ip: the n addresses after the first.
 */
static int has_kernel_added(const struct hit *hit, const struct caller_frame *at, const u64 *ip,
			    u32 n)
{
	static int adds = 1;
	u64 caller, offset;

	if (!adds || !hit->site || !hit->site->known_entry || hit->stack_bytes < sizeof(caller))
		return 0;
	memcpy(&caller, hit->stack, sizeof(caller));
	if ((!n || ip[0] != caller) && !at->arm64 && process_image(hit->pid, caller, &offset))
		adds = 0;
	return adds && n;
}

/* The stack that perf found along frame pointers, with the callers that those skip. */
static u32 pointed_stack(const struct rt_ctx *c, const u64 *found, u32 n, u64 *ip, u32 max,
			 u32 *flaws)
{
	const struct hit *hit = c->hit;
	struct caller_frame at = { 0 };
	struct chain_from from = { .pid = hit->pid,
				   .tid = hit->tid,
				   .ip = hit->site ? hit->ip : *found,
				   .is_entry = !!(c->probe->capture & RT_CAP_CALLER),
				   .stack = hit->stack,
				   .bytes = hit->stack_bytes,
				   .returns_to = call_returns_to };
	struct chain chain = { .ip = ip, .max = max, .pid = hit->pid };
	u32 done = 1;

	if (hit->regs) {
		at = perf_regs_frame(hit->regs, hit->regs_mask);
		from.at = &at;
		done += (u32)has_kernel_added(hit, &at, found + 1, n - 1);
	}
	if (chain_top(&chain, &from))
		chain_rest(&chain, found + done, n - done);
	*flaws = chain_end(&chain);
	return chain.n;
}

static u32 unwound_stack(const struct hit *hit, u64 *ip, u32 max, u32 *flaws)
{
	struct wire_regs regs = perf_regs_take(hit->regs, hit->regs_mask);
	const struct unwind_from from = { hit->pid,   hit->tid,		&regs,
					  hit->stack, hit->stack_bytes, call_returns_to };
	int cut = 0;
	u32 n = unwind_user(&from, ip, max, &cut);

	*flaws = (cut & ~UNWIND_UNCERTAIN ? STACK_CUT : 0) | (cut & UNWIND_UNCERTAIN ? STACK_UNCERTAIN : 0);
	return cut & UNWIND_DEEPER ? max + 1 : n;
}

/* In a chain, the addresses of each kind follow the mark of that kind. */
u32 runtime_stack(struct rt_ctx *c, int user, u64 *ip, u32 max, u32 *flaws)
{
	const struct hit *hit = c->hit;
	u64 wanted = user ? (u64)PERF_CONTEXT_USER : (u64)PERF_CONTEXT_KERNEL, i = 0, first;

	*flaws = 0;
	if (!hit->chain && hit->ip && hit->user_mode == user) {	/* of an SPE: the place alone */
		*flaws = STACK_CUT;
		*ip = hit->ip;
		return 1;
	}
	if (user && hit->stack && rt_script.limits.user_stack)
		return unwound_stack(hit, ip, max, flaws);
	while (i < hit->nchain && hit->chain[i] != wanted)
		i++;
	for (first = ++i; i < hit->nchain && hit->chain[i] < (u64)PERF_CONTEXT_MAX; )
		i++;
	if (first >= hit->nchain || i == first)
		return 0;
	if (user)
		return pointed_stack(c, hit->chain + first, (u32)(i - first), ip, max, flaws);
	memcpy(ip, hit->chain + first, 8 * (i - first < max ? i - first : max));
	return (u32)(i - first);
}

/* 1: the caller's frame, if this is a frame of a stack, was interrupted. */
static int print_named(struct rt_ctx *c, int user, u64 addr, u32 style)
{
	char text[4096];
	struct sink s = { .p = text, .size = sizeof(text) };
	u64 at;
	const struct wire_symtab *t = runtime_symbols(c, user, addr, &at);

	c->names += addr != STACK_GAP;
	c->names_unknown +=
		addr != STACK_GAP &&
		(!t || !(style & SYMBOL_RETURN ? symtab_find_return(t, at) : symtab_find(t, at)));
	symbol_print(&s, t, at, addr, style);
	output_text(c, text, s.used);
	return t && symtab_interrupts(t, at);
}

void runtime_print_address(struct rt_ctx *c, u64 addr, u32 style)
{
	print_named(c, 0, addr, style);
}

u64 runtime_returned(struct rt_ctx *c)
{
	const struct hit *hit = c->hit;
	u64 function = 0;

	if (hit->layout && hit->layout->result && hit->layout->address)
		function = fetched_word(hit, hit->layout->address, sizeof(function));
	return (s64)function < 0 ? function : 0;
}

void runtime_print_stack(struct rt_ctx *c, int user, u32 style)
{
	u32 n = backtrace_take(c, user);
	int interrupted = 1;

	for (u32 i = 0; i < n; i++)
		interrupted = print_named(c, user, c->frames[user][i],
					  interrupted ? style : style | SYMBOL_RETURN);
}
