/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * regs.c - registers of user programs at a hit in their code: by name and number, as arguments and
 * results by the ABI.
 *
 * Only what the probe's handler uses is recorded (struct rt_fetch). Kernel-mode registers are not
 * available.
 */
#include "runtime/user/context/regs.h"

#include "lib/dwarf_regs.h"
#include "lib/machine.h"
#include "perf/perf_regs.h"
#include "runtime/core/ctx.h"
#include "runtime/user/context/fetched.h"

#include <stdio.h>
#include <string.h>

static int is_x86(void) { return !machine_is_arm64(); }

static s64 taken(struct rt_ctx *c, u32 n)
{
	int known;
	u64 value = fetched_register(c->hit, n, &known);

	if (!known)
		ctx_fail(c, RUN_REGISTERS);
	return (s64)value;
}

s64 rt_dwarf_register(struct rt_ctx *c, s64 n)
{
	return taken(c, n < 0 || n > 63 ? 63 : (u32)n);
}

/*
 * "rax", "eax" and "ax" are one register; so are "x3" and "w3". *half: the name means its low 32
 * bits. -1: no such name.
 */
static int x86_number(struct rt_str name, int *half)
{
	const char *p = name.p;
	u32 len = name.len;

	*half = len == 3 && *p == 'e';
	if (len == 3 && (*p == 'e' || (*p == 'r' && p[1] > '9'))) {
		p++;
		len--;
	}
	for (u32 i = 0; i < sizeof(dwarf_x86_names) / sizeof(dwarf_x86_names[0]); i++)
		if (strlen(dwarf_x86_names[i]) == len && !memcmp(dwarf_x86_names[i], p, len))
			return (int)i;
	return -1;
}

static int arm64_number(struct rt_str name, int *half)
{
	static const struct {
		char name[4];
		int n;
	} others[] = { { "fp", DWARF_ARM64_FP },
		       { "lr", DWARF_ARM64_LINK },
		       { "sp", DWARF_ARM64_SP },
		       { "pc", DWARF_ARM64_PC } };
	int n = 0;

	*half = name.len && *name.p == 'w';
	for (u32 i = 0; i < 4; i++)
		if (name.len == 2 && !memcmp(name.p, others[i].name, 2))
			return others[i].n;
	if (name.len < 2 || name.len > 3 || (*name.p != 'x' && *name.p != 'w'))
		return -1;
	for (u32 i = 1; i < name.len; i++) {
		if (name.p[i] < '0' || name.p[i] > '9')
			return -1;
		n = 10 * n + name.p[i] - '0';
	}
	return n <= 30 ? n : -1;
}

s64 rt_u_register(struct rt_ctx *c, struct rt_str name)
{
	int half, n = is_x86() ? x86_number(name, &half) : arm64_number(name, &half);
	char text[25];
	s64 value;

	if (n < 0) {
		snprintf(text, sizeof(text), "%.*s", name.len, name.p);
		ctx_fail_with(c, RUN_REGISTER, text);
		return 0;
	}
	value = taken(c, (u32)n);
	return half ? (u32)value : value;
}

s64 rt_register(struct rt_ctx *c, struct rt_str name) { return rt_u_register(c, name); }

s64 regs_argument(struct rt_ctx *c, s64 n)
{
	s64 in_registers = dwarf_arguments(!is_x86());
	u64 value = 0, at;

	if (n < 0 || n >= RT_ARGS) {
		ctx_fail(c, RUN_REGISTER_FAULT);
		return 0;
	}
	if (n < in_registers)
		return taken(c, dwarf_argument(!is_x86(), (u32)n));
	/* on x86-64, the return address lies below the stack arguments */
	at = (u64)taken(c, dwarf_stack_pointer(!is_x86())) +
	     8 * (u64)(n - in_registers + is_x86());
	if (!c->failed && runtime_copy(c, &value, at, sizeof(value), 1))
		ctx_fault(c, RUN_FAULT, at);
	return (s64)value;
}

s64 regs_result(struct rt_ctx *c) { return taken(c, 0); }	/* rax or x0 */
s64 rt_returned_high(struct rt_ctx *c) { return taken(c, 1); }

u64 regs_stack(const struct hit *hit)
{
	int known;

	return fetched_register(hit, dwarf_stack_pointer(!is_x86()), &known);
}

u64 regs_stack_bit(void) { return 1ULL << dwarf_stack_pointer(!is_x86()); }
const char *regs_return_fetch(void) { return is_x86() ? " to=+0(%sp):u64" : " to=%x30:u64"; }
const char *regs_goroutine_fetch(void)
{
	return is_x86() ? " g=%r14:u64 end=+8(%r14):u64" : " g=%x28:u64 end=+8(%x28):u64";
}
u64 regs_call_bytes(void) { return is_x86() ? 8 : 0; }

void regs_return(struct hit *hit, u64 to)
{
	static u64 regs[64];
	int sp = perf_regs_index(hit->regs_mask, dwarf_stack_pointer(!is_x86()));
	int pc = perf_regs_index(hit->regs_mask, is_x86() ? DWARF_X86_IP : DWARF_ARM64_PC);
	u32 popped = (u32)regs_call_bytes();

	hit->ip = to;
	if (!hit->regs)
		return;
	memcpy(regs, hit->regs, (u32)__builtin_popcountll(hit->regs_mask) * sizeof(*regs));
	hit->regs = regs;
	if (sp >= 0)
		regs[sp] += popped;
	if (pc >= 0)
		regs[pc] = to;
	if (hit->stack_bytes >= popped) {
		hit->stack += popped;
		hit->stack_bytes -= popped;
	}
}
