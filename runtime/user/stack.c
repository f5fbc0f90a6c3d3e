/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stack.c - the stacks of a hit, out of the call chain, or the registers and the top of the stack, that perf took with it.
 */
#include "runtime/user/user.h"

#include "runtime/core/backtrace.h"
#include "runtime/core/symbol.h"
#include "runtime/elf/unwind.h"

#include <linux/perf_event.h>
#include <string.h>
#include <sys/utsname.h>

/* Where perf's registers stand in DWARF's order, the instruction pointer last. */
static const u8 of_x86_64[] = { 0, 3, 2, 1, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 8 };
static const u8 of_arm64[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29,
			       30, 31, 32 };

static int is_arm64(void)
{
	struct utsname name;

	return !uname(&name) && !strcmp(name.machine, "aarch64");
}

u64 stack_user_regs(void)
{
	const u8 *list = is_arm64() ? of_arm64 : of_x86_64;
	u32 n = is_arm64() ? sizeof(of_arm64) : sizeof(of_x86_64);
	u64 mask = 0;

	while (n--)
		mask |= 1ULL << list[n];
	return mask;
}

/* perf gives the registers of the mask from the lowest bit on. */
static struct wire_regs regs_of(const struct hit *hit)
{
	const u8 *list = is_arm64() ? of_arm64 : of_x86_64;
	u32 n = is_arm64() ? sizeof(of_arm64) : sizeof(of_x86_64);
	struct wire_regs regs = { .machine = is_arm64() ? WIRE_ARM64 : WIRE_X86_64 };
	u64 mask = stack_user_regs();

	for (u32 i = 0; i < n; i++) {
		u64 value = hit->regs[__builtin_popcountll(mask & ((1ULL << list[i]) - 1))];

		if (i + 1 < n)
			regs.reg[i] = value;
		else
			regs.ip = value;
	}
	return regs;
}

/* A chain is addresses of one kind after its mark, then those of another. */
u32 runtime_stack(struct rt_ctx *c, int user, u64 *ip, u32 max, int *cut)
{
	const struct hit *hit = c->hit;
	u64 wanted = user ? (u64)PERF_CONTEXT_USER : (u64)PERF_CONTEXT_KERNEL, mark = 0;
	u32 n = 0;

	if (user && hit->regs) {
		struct wire_regs regs = regs_of(hit);

		return unwind_user(hit->pid, &regs, hit->stack, hit->stack_bytes, ip, max, cut);
	}
	for (u64 i = 0; i < hit->nchain; i++) {
		if (hit->chain[i] >= (u64)PERF_CONTEXT_MAX)
			mark = hit->chain[i];
		else if (mark == wanted && n < max)
			ip[n++] = hit->chain[i];
		else if (mark == wanted)
			*cut = 1;
	}
	return n;
}

void runtime_print_stack(struct rt_ctx *c, int user, u32 style)
{
	u32 n = backtrace_take(c, user);
	char text[1024];

	for (u32 i = 0; i < n; i++) {
		struct sink s = { .p = text, .size = sizeof(text) };
		u64 addr = c->frames[user][i], at;
		const struct wire_symtab *t = runtime_symbols(c, user, addr, &at);

		symbol_print(&s, t, at, addr, style);
		output_text(c, text, s.used);
	}
}
