/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names_test.c - names of numbers: where the data of a sample was, as processors of several makers tell it (union perf_mem_data_src).
 */
#include "runtime/core/core.h"
#include "runtime/core/ctx.h"
#include "testsuite/unit/check.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

static struct rt_probe probes[] = { { .point = "begin" } };
const struct rt_script rt_script = {
	.abi = RT_ABI, .maxstring = 512, .name = "x", .probes = probes, .nprobes = 1,
	.limits = { .maxaction = 100, .arena = 8192 },
};

static struct rt_ctx ctx;

static int is(u64 source, const char *expected)
{
	struct rt_str text = rt_mem_source(&ctx, (s64)source);

	if (text.len == strlen(expected) && !memcmp(text.p, expected, text.len))
		return 1;
	printf("0x%llx: '%.*s', not '%s'\n", source, text.len, text.p, expected);
	return 0;
}

#define S(field, value) PERF_MEM_S(field, value)
/* what a PMU that tells nothing gives (PERF_MEM_NA) */
#define NOTHING (S(OP, NA) | S(LVL, NA) | S(SNOOP, NA) | S(LOCK, NA) | S(TLB, NA) | S(LVLNUM, NA))

int main(void)
{
	ctx_init(&ctx, calloc(1, ctx_bytes()), 0, 0);
	ctx_begin(&ctx, &probes[0]);
	CHECK(is(0, "") && is(NOTHING, ""));
	CHECK(is(S(OP, LOAD) | S(LVL, HIT) | S(LVL, L3) | S(LVLNUM, L3) | S(SNOOP, HITM) | S(LOCK, LOCKED) |
			 S(TLB, HIT) | S(TLB, L2),
		 "load L3 hit, snoop hitm, dTLB L2 hit, locked"));
	/* a level that is a bit alone */
	CHECK(is(S(OP, LOAD) | S(LVL, HIT) | S(LVL, LFB) | S(SNOOP, NONE) | S(TLB, HIT) | S(TLB, L1) | S(LVLNUM, NA),
		 "load LFB hit, dTLB L1 hit"));
	CHECK(is(S(OP, LOAD) | S(LVL, MISS) | S(LVL, L3) | S(LVLNUM, RAM) | S(REMOTE, REMOTE) | S(SNOOP, MISS) |
			 S(TLB, MISS) | S(TLB, WK),
		 "load remote RAM miss, snoop miss, dTLB walker miss"));
	CHECK(is(S(OP, STORE) | S(LVL, HIT) | S(LVL, L1) | S(LVLNUM, L1) | S(SNOOPX, PEER), "store L1 hit, snoop peer"));
	CHECK(is(S(OP, NA) | S(LVLNUM, NA) | S(SNOOP, NA) | S(TLB, OS), "dTLB fault"));
	CHECK(is(~0ULL, "load store prefetch exec remote L1 LFB L2 L3 local RAM remote RAM remote RAM (2 hops) remote cache "
			"remote cache (2 hops) I/O uncached hit miss, snoop hit miss hitm forwarded peer, "
			"dTLB L1 L2 walker fault hit miss, locked"));
	free(ctx.arena);
	return failures != 0;
}
