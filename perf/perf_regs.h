/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf_regs.h - the user registers that unwinding needs, as perf numbers them on this machine.
 */
#ifndef LAPWING_PERF_REGS_H
#define LAPWING_PERF_REGS_H

#include "runtime/core/caller.h"

/* For perf_event_attr.sample_regs_user. */
u64 perf_regs_mask(void);
/*
 * A sample's registers, one u64 for each bit of the mask, by DWARF's numbers; 0 for those that were
 * not sampled.
 */
struct wire_regs perf_regs_take(const u64 *regs, u64 mask);
/*
 * The mask of the registers that find the innermost frame's caller (ip, sp, fp, link), and that
 * frame from a sample's registers.
 */
u64 perf_regs_frame_mask(void);
struct caller_frame perf_regs_frame(const u64 *regs, u64 mask);
/* Converts a mask of DWARF's register numbers to perf's. */
u64 perf_regs_of(u64 dwarf);
/* Reads one register, by DWARF's number. 1, or 0: it was not sampled. */
int perf_regs_one(const u64 *regs, u64 mask, u32 dwarf, u64 *value);
/* The index of a register in the sample, by DWARF's number; -1: it was not sampled. */
int perf_regs_index(u64 mask, u32 dwarf);

#endif
