/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf_regs.c - see perf_regs.h.
 */
#include "perf/perf_regs.h"

#include "lib/machine.h"

#include <string.h>

/* perf's numbers of the registers, in DWARF's order, the instruction pointer last. */
static const u8 of_x86_64[] = { 0, 3, 2, 1, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 8 };
static const u8 of_arm64[] = { 0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16,
			       17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32 };

static const u8 *list(u32 *n)
{
	*n = machine_is_arm64() ? sizeof(of_arm64) : sizeof(of_x86_64);
	return machine_is_arm64() ? of_arm64 : of_x86_64;
}

u64 perf_regs_of(u64 dwarf)
{
	u32 n;
	const u8 *numbers = list(&n);
	u64 mask = 0;

	while (n--)
		if (dwarf >> n & 1)
			mask |= 1ULL << numbers[n];
	return mask;
}

u64 perf_regs_mask(void)
{
	return perf_regs_of(~0ULL);
}

int perf_regs_index(u64 mask, u32 dwarf)
{
	u32 n;
	const u8 *numbers = list(&n);
	u64 bit = dwarf < n ? 1ULL << numbers[dwarf] : 0;

	/* perf stores the registers of the mask from the lowest bit on */
	return mask & bit ? __builtin_popcountll(mask & (bit - 1)) : -1;
}

int perf_regs_one(const u64 *regs, u64 mask, u32 dwarf, u64 *value)
{
	int i = perf_regs_index(mask, dwarf);

	if (i < 0)
		return 0;
	*value = regs[i];
	return 1;
}

struct wire_regs perf_regs_take(const u64 *from, u64 mask)
{
	struct wire_regs regs = { .machine = machine_is_arm64() ? WIRE_ARM64 : WIRE_X86_64 };
	u32 n;

	list(&n);
	for (u32 i = 0; i + 1 < n; i++)
		perf_regs_one(from, mask, i, (u64 *)&regs.reg[i]);
	perf_regs_one(from, mask, n - 1, (u64 *)&regs.ip);
	return regs;
}

u64 perf_regs_frame_mask(void)
{
	return perf_regs_of(machine_is_arm64() ? 1ULL << 29 | 1ULL << 30 | 1ULL << 31 | 1ULL << 32
					       : 1ULL << 6 | 1ULL << 7 | 1ULL << 16);
}

struct caller_frame perf_regs_frame(const u64 *regs, u64 mask)
{
	struct caller_frame f = { .exact = 1, .arm64 = machine_is_arm64() };

	perf_regs_one(regs, mask, f.arm64 ? 32 : 16, (u64 *)&f.ip);
	perf_regs_one(regs, mask, f.arm64 ? 31 : 7, (u64 *)&f.sp);
	perf_regs_one(regs, mask, f.arm64 ? 29 : 6, (u64 *)&f.fp);
	if (f.arm64)
		perf_regs_one(regs, mask, 30, (u64 *)&f.link);
	return f;
}
