/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * caller_test.c - steps of a program's stack from code without rows, which only frame pointers lead out of, to functions that have rows.
 */
#include "runtime/core/caller.h"

#include "testsuite/unit/check.h"

#define STACK 0x1000ULL			/* its lowest address */

static u64 stack[64];

static int load(u64 at, u64 *value)
{
	if (at < STACK || at >= STACK + sizeof(stack) || at & 7)
		return -1;
	*value = stack[(at - STACK) / 8];
	return 0;
}

static void record(u64 at, u64 fp, u64 ip)
{
	stack[(at - STACK) / 8] = fp;
	stack[(at - STACK) / 8 + 1] = ip;
}

static int is_at(const struct caller_frame *f, u64 ip, u64 fp)
{
	if (f->ip != ip || f->fp != fp)
		printf("ip %#llx, fp %#llx\n", f->ip, f->fp);
	return f->ip == ip && f->fp == fp;
}

/*
 * arm64: a function's record is at the bottom of its frame, so that where it ends is not known from its callee's. Frames: 0x1000 generated
 * (0x30 bytes, of which nobody knows), 0x1030 compiled (0x40), 0x1070 compiled, whose CFA is of its frame pointer (0x20), 0x1090 the first.
 */
static void test_arm64(void)
{
	const struct wire_caller by_sp = { .base = WIRE_CALLER_SP, .cfa = 0x40, .fp = -0x40, .ra = -0x38 },
				 by_fp = { .base = WIRE_CALLER_FP, .cfa = 0x20, .fp = -0x20, .ra = -0x18 },
				 no_record = { .base = WIRE_CALLER_SP, .cfa = 0x40, .ra = -0x38 },
				 signal = { .base = WIRE_CALLER_SIGNAL };
	struct caller_frame f = { .ip = 0x100, .sp = 0x1000, .fp = 0x1000, .arm64 = 1, .exact = 1 }, before;

	record(0x1000, 0x1030, 0x200);
	record(0x1030, 0x1070, 0x300);
	record(0x1070, 0x1090, 0x400);
	CHECK(!caller_find(&f, NULL, load) && is_at(&f, 0x200, 0x1030));
	before = f;
	CHECK(caller_find(&f, &no_record, load) && !f.ends && is_at(&f, 0x200, 0x1030));
	CHECK(caller_find(&f, &signal, load) && !f.ends);
	f = before;
	CHECK(!caller_find(&f, &by_fp, load) && is_at(&f, 0x300, 0x1070) && f.sp == 0x1050);
	f = before;
	CHECK(caller_has_record(&f, &by_sp));
	CHECK(!caller_find(&f, &by_sp, load) && is_at(&f, 0x300, 0x1070) && f.sp == 0x1070);
	CHECK(!caller_find(&f, &by_fp, load) && is_at(&f, 0x400, 0x1090) && f.sp == 0x1090);
	CHECK(caller_find(&f, NULL, load));
}

/* x86-64: a record is at the top, next to the caller's stack pointer. */
static void test_x86(void)
{
	const struct wire_caller by_sp = { .base = WIRE_CALLER_SP, .cfa = 0x30, .ra = -8 };
	struct caller_frame f = { .ip = 0x100, .sp = 0x1000, .fp = 0x1010, .exact = 1 };

	record(0x1010, 0x1080, 0x200);
	record(0x1040, 0, 0x300);
	CHECK(!caller_find(&f, NULL, load) && is_at(&f, 0x200, 0x1080) && f.sp == 0x1020);
	CHECK(!caller_find(&f, &by_sp, load) && is_at(&f, 0x300, 0x1080) && f.sp == 0x1050);
}

int main(void)
{
	test_arm64();
	test_x86();
	return failures != 0;
}
