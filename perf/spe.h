/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spe.h - sample records of Arm's Statistical Profiling Extension, as its PMU writes them to a perf
 * event's AUX area. Their form: Arm Architecture Reference Manual for A-profile, "Statistical
 * Profiling Extension Sample Record Specification".
 */
#ifndef LAPWING_PERF_SPE_H
#define LAPWING_PERF_SPE_H

#include "runtime/rt.h"

/* What is 0 is not in the record. */
struct spe_record {
	u64	pc, data_addr;		/* virtual; data_addr: of a load or store */
	u64	timestamp;		/* of the generic timer; SPE_UNTIMED: it has none */
	u64	events;			/* enum spe_event */
	u8	is_user;		/* pc is at EL0 */
	u8	op;			/* enum spe_op, or-ed */
	/* cycles: from dispatch to completion; to issue; of the address's translation */
	u16	total, issue, translation;
	s32	source;			/* data source, which each processor numbers itself; -1 */
};
#define SPE_UNTIMED	(~0ULL)

/* 1: events of that perf type are of an SPE of this machine (arm_spe_0 in sysfs). */
int spe_is(u32 type);

enum spe_op { SPE_MEMORY = 1, SPE_STORE = 2, SPE_ATOMIC = 4, SPE_BRANCH = 8 };
enum spe_event {
	SPE_L1_ACCESS	= 1 << 2,
	SPE_L1_MISS	= 1 << 3,
	SPE_TLB_ACCESS	= 1 << 4,
	SPE_TLB_WALK	= 1 << 5,
	SPE_MISPREDICTED = 1 << 7,
	SPE_LLC_ACCESS	= 1 << 8,
	SPE_LLC_MISS	= 1 << 9,
	SPE_REMOTE	= 1 << 10,
	SPE_L2_ACCESS	= 1 << 19,
	SPE_L2_MISS	= 1 << 20,
};

/*
 * Reads the record at *at in untrusted bytes, and moves *at behind it. position: of `end` in the AUX
 * area, which packets are aligned by. 1; 0: there is no whole record up to `end`; -1: a packet of no
 * known kind was met, and *at is behind it: what comes up to the next record's end is lost.
 */
int spe_next(const u8 **at, const u8 *end, u64 position, struct spe_record *r);
/* Where the data was, as union perf_mem_data_src; 0: no data, or unknown. midr: of the CPU; 0: unknown. */
u64 spe_data_src(const struct spe_record *r, u64 midr);

#endif
