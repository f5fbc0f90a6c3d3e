/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spe_test.c - SPE records byte by byte, as the Arm Architecture Reference Manual describes them, and what they say of where data was.
 */
#include "perf/spe.h"

#include "testsuite/unit/check.h"

#include <linux/perf_event.h>
#include <string.h>

#define NEOVERSE_N1	0x413fd0c1ULL
#define UNKNOWN		0x430f0af1ULL

static struct spe_record r;
static const u8 *at;

/* Reads the first record of the bytes, which end in exact. */
static int first(const u8 *bytes, u32 n)
{
	at = bytes;
	return spe_next(&at, bytes + n, n, &r);
}

static u64 source(u64 midr) { return spe_data_src(&r, midr); }

/* A load by user code: 0xaaaab0001234 reads 0xffff80001000 of another half, with a tag in the top byte. */
static const u8 load[] = {
	0xb0, 0x34, 0x12, 0x00, 0xb0, 0xaa, 0xaa, 0x00, 0x80,	/* PC: NS, EL0 */
	0x99, 0x05, 0x00,					/* issue latency */
	0x98, 0x2c, 0x01,					/* total latency */
	0x9a, 0x03, 0x00,					/* translation latency */
	0x49, 0x00,						/* load, general registers */
	0x52, 0x1e, 0x00,					/* retired, L1 access and miss, TLB access */
	0xb2, 0x00, 0x10, 0x00, 0x80, 0xff, 0xff, 0x00, 0x2a,	/* data address, tag 0x2a */
	0x43, 0x0e,						/* source: DRAM */
	0x65, 0x01, 0x00, 0x00, 0x00,				/* context */
	0x00, 0x00,						/* padding */
	0x71, 0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11,
};

static void check_load(void)
{
	u8 twice[2 * sizeof(load)];

	CHECK(first(load, sizeof(load)) == 1 && at == load + sizeof(load));
	CHECK(r.pc == 0xaaaab0001234 && r.is_user && r.op == SPE_MEMORY);
	CHECK(r.total == 300 && r.issue == 5 && r.translation == 3);
	CHECK(r.data_addr == 0xffff80001000 && r.source == 14 && r.timestamp == 0x1122334455667788);
	CHECK(r.events == 0x1e);
	CHECK(source(NEOVERSE_N1) ==
	      (PERF_MEM_S(OP, LOAD) | PERF_MEM_S(LVL, LOC_RAM) | PERF_MEM_S(LVL, HIT) | PERF_MEM_S(LVLNUM, RAM) |
	       PERF_MEM_S(SNOOP, NONE) | PERF_MEM_S(TLB, HIT)));
	/* Elsewhere a source's number may mean anything: the events are what is known. */
	CHECK(source(UNKNOWN) == (PERF_MEM_S(OP, LOAD) | PERF_MEM_S(LVL, L1) | PERF_MEM_S(LVLNUM, L1) |
				  PERF_MEM_S(LVL, MISS) | PERF_MEM_S(TLB, HIT)));
	CHECK(source(0) == source(UNKNOWN));

	memcpy(twice, load, sizeof(load));
	memcpy(twice + sizeof(load), load, sizeof(load));
	CHECK(first(twice, sizeof(twice)) == 1 && at == twice + sizeof(load));
	CHECK(spe_next(&at, twice + sizeof(twice), sizeof(twice), &r) == 1 && at == twice + sizeof(twice));
	CHECK(spe_next(&at, twice + sizeof(twice), sizeof(twice), &r) == 0);
	for (u32 n = 0; n < sizeof(load); n++)		/* not whole */
		CHECK(first(load, n) == 0 && at == load);
}

static void check_others(void)
{
	static const u8 store[] = {	/* by the kernel, atomic, missed in all caches and walked; no timestamp */
		0xb0, 0x78, 0x56, 0x34, 0x12, 0x00, 0x80, 0xff, 0xa0,	/* NS, EL1 */
		0x49, 0x07, 0x62, 0x2a, 0x03, 0x10, 0x00,
		0xb2, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xff, 0x00, 0x43, 0x00, 0x01,
	};
	static const u8 branch[] = { 0xb0, 4, 0, 0, 0, 0, 0, 0, 0x80, 0x4a, 0x01, 0x42, 0x82, 0xb1, 8, 0, 0, 0, 0, 0, 0, 0x80, 0x01 };
	static const u8 wide[] = { 0x21, 0x98, 0xff, 0xff, 0x20, 0xb2, 1, 0, 0, 0, 0, 0, 0, 0, 0x98, 7, 0, 0x01 };
	static const u8 aligned[] = { 0x98, 9, 0, 0x22, 0x00, 0xee, 0xee, 0xee, 0x01 };
	static const u8 wrong[] = { 0x98, 9, 0, 0x03, 0x98, 7, 0, 0x01 };

	CHECK(first(store, sizeof(store)) == 1 && r.timestamp == SPE_UNTIMED);
	CHECK(r.pc == 0xffff800012345678 && !r.is_user && r.op == (SPE_MEMORY | SPE_STORE | SPE_ATOMIC));
	CHECK(r.data_addr == 0xffff000000000000);
	CHECK(source(NEOVERSE_N1) ==
	      (PERF_MEM_S(OP, STORE) | PERF_MEM_S(LVL, L3) | PERF_MEM_S(LVLNUM, L3) | PERF_MEM_S(LVL, MISS) |
	       PERF_MEM_S(TLB, MISS) | PERF_MEM_S(TLB, WK) | PERF_MEM_S(LOCK, LOCKED)));

	CHECK(first(branch, sizeof(branch)) == 1 && r.op == SPE_BRANCH && r.events & SPE_MISPREDICTED);
	CHECK(r.pc == 4 && r.data_addr == 0 && source(NEOVERSE_N1) == 0);

	/* Two-byte headers: counter 8, which is none that is known, and address 2. */
	CHECK(first(wide, sizeof(wide)) == 1 && r.total == 7 && r.data_addr == 1);
	/* Up to the next multiple of 8. */
	CHECK(first(aligned, sizeof(aligned)) == 1 && r.total == 9 && at == aligned + sizeof(aligned));
	CHECK(first(aligned, sizeof(aligned) - 2) == 0);
	/* No packet begins so; what follows is the rest of that record. */
	CHECK(first(wrong, sizeof(wrong)) == -1 && at == wrong + 4);
	CHECK(spe_next(&at, wrong + sizeof(wrong), sizeof(wrong), &r) == 1 && r.total == 7);
}

int main(void)
{
	check_load();
	check_others();
	return failures != 0;
}
