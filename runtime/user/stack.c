/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stack.c - the stacks of a hit, out of the call chain, or the registers and the top of the stack, that perf took with it.
 */
#include "runtime/user/user.h"

#include "runtime/core/backtrace.h"
#include "runtime/core/symbol.h"
#include "runtime/elf/process.h"
#include "runtime/elf/unwind.h"
#include "runtime/user/call.h"
#include "runtime/user/perf_regs.h"

#include <linux/perf_event.h>
#include <string.h>

/* A chain is addresses of one kind after its mark, then those of another. */
u32 runtime_stack(struct rt_ctx *c, int user, u64 *ip, u32 max)
{
	const struct hit *hit = c->hit;
	u64 wanted = user ? (u64)PERF_CONTEXT_USER : (u64)PERF_CONTEXT_KERNEL, mark = 0;
	u32 n = 0;

	if (user && hit->stack) {
		struct wire_regs regs = perf_regs_take(hit->regs, hit->regs_mask);
		const struct unwind_from from = { hit->pid, hit->tid, &regs, hit->stack, hit->stack_bytes, call_returns_to };
		int cut = 0;

		n = unwind_user(&from, ip, max, &cut);
		return cut ? max + 1 : n;
	}
	for (u64 i = 0; i < hit->nchain; i++) {
		if (hit->chain[i] >= (u64)PERF_CONTEXT_MAX)
			mark = hit->chain[i];
		else if (mark == wanted && n < max)
			ip[n++] = hit->chain[i];
		else if (mark == wanted)
			return max + 1;
	}
	return n;
}

u32 runtime_until_astray(struct rt_ctx *c, const u64 *ip, u32 n)
{
	const struct hit *hit = c->hit;

	return process_until_astray(hit->pid, ip, n);
}

static void print_named(struct rt_ctx *c, int user, u64 addr, u32 style)
{
	char text[4096];
	struct sink s = { .p = text, .size = sizeof(text) };
	u64 at;
	const struct wire_symtab *t = runtime_symbols(c, user, addr, &at);

	c->names++;
	c->names_unknown += !t || !symtab_find(t, at);
	symbol_print(&s, t, at, addr, style);
	output_text(c, text, s.used);
}

void runtime_print_address(struct rt_ctx *c, u64 addr, u32 style)
{
	print_named(c, 0, addr, style);
}

u64 runtime_returned(struct rt_ctx *c)
{
	const struct hit *hit = c->hit;
	u64 function = 0;

	if (hit->result_at && hit->raw_bytes >= RECORD_FUNCTION + sizeof(function))
		memcpy(&function, hit->raw + RECORD_FUNCTION, sizeof(function));
	return (s64)function < 0 ? function : 0;
}

void runtime_print_stack(struct rt_ctx *c, int user, u32 style)
{
	u32 n = backtrace_take(c, user);

	for (u32 i = 0; i < n; i++)
		print_named(c, user, c->frames[user][i], i ? style | SYMBOL_RETURN : style);
}
