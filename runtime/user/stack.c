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

/*
 * Frame pointers lead to callers of those that have a frame: at a function's entry not to its own. Newer kernels know some entries, and add
 * it there; so did many older ones when they were mended. Hence they are taken to do so until one is seen where they did not: calls of a
 * function by itself, where that cannot be seen, come after one by another. n and the result as runtime_stack()'s.
 */
static u32 insert_caller(const struct rt_ctx *c, u64 *ip, u32 n, u32 max)
{
	static int kernel_adds = 1;
	const struct hit *hit = c->hit;
	u64 caller = n && max > 1 && c->probe->capture & RT_CAP_CALLER ? regs_caller(hit) : 0, offset;
	u32 behind = n < max ? n - 1 : max - 2;

	if (!caller)
		return n;
	if (hit->site->known_entry) {
		if ((n == 1 || ip[1] != caller) && process_image(hit->pid, caller, &offset))
			kernel_adds = 0;
		if (kernel_adds)
			return n;
	}
	memmove(ip + 2, ip + 1, behind * sizeof(*ip));
	ip[1] = caller;
	return n > max ? n : n + 1;
}

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
	for (u64 i = 0; i < hit->nchain && n <= max; i++) {
		if (hit->chain[i] >= (u64)PERF_CONTEXT_MAX)
			mark = hit->chain[i];
		else if (mark == wanted && n++ < max)
			ip[n - 1] = hit->chain[i];
	}
	return user ? insert_caller(c, ip, n, max) : n;
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
