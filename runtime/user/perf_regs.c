/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf_regs.c - see perf_regs.h.
 */
#include "runtime/user/perf_regs.h"

#include <string.h>
#include <sys/utsname.h>

/* Where perf's registers stand in DWARF's order, the instruction pointer last. */
static const u8 of_x86_64[] = { 0, 3, 2, 1, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 8 };
static const u8 of_arm64[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29,
			       30, 31, 32 };

static int is_arm64(void)
{
	static int known = -1;
	struct utsname name;

	if (known < 0)
		known = !uname(&name) && !strcmp(name.machine, "aarch64");
	return known;
}

u64 perf_regs_mask(void)
{
	const u8 *list = is_arm64() ? of_arm64 : of_x86_64;
	u32 n = is_arm64() ? sizeof(of_arm64) : sizeof(of_x86_64);
	u64 mask = 0;

	while (n--)
		mask |= 1ULL << list[n];
	return mask;
}

/* perf gives the registers of the mask from the lowest bit on. */
struct wire_regs perf_regs_take(const u64 *from, u64 mask)
{
	const u8 *list = is_arm64() ? of_arm64 : of_x86_64;
	u32 n = is_arm64() ? sizeof(of_arm64) : sizeof(of_x86_64);
	struct wire_regs regs = { .machine = is_arm64() ? WIRE_ARM64 : WIRE_X86_64 };

	for (u32 i = 0; i < n; i++) {
		u64 bit = 1ULL << list[i], value = mask & bit ? from[__builtin_popcountll(mask & (bit - 1))] : 0;

		if (i + 1 < n)
			regs.reg[i] = value;
		else
			regs.ip = value;
	}
	return regs;
}
