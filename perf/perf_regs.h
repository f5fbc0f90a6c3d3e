/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf_regs.h - the user registers that unwinding needs, as perf numbers them on this machine.
 */
#ifndef LAPWING_PERF_REGS_H
#define LAPWING_PERF_REGS_H

#include "runtime/core/caller.h"

/* For perf_event_attr.sample_regs_user. */
u64 perf_regs_mask(void);
/* A sample's registers, one u64 for each bit of the mask, by DWARF's numbers; 0 for those it has not. */
struct wire_regs perf_regs_take(const u64 *regs, u64 mask);
/* Those that the innermost frame's caller is found by, for sample_regs_user; and that frame, out of a sample that has them. */
u64 perf_regs_frame_mask(void);
struct caller_frame perf_regs_frame(const u64 *regs, u64 mask);
/* perf's numbers of registers that are given by DWARF's, as bits both. */
u64 perf_regs_of(u64 dwarf);
/* One of them; 0: the sample has it not. */
int perf_regs_one(const u64 *regs, u64 mask, u32 dwarf, u64 *value);
/* Which of the sample's it is, by DWARF's number; -1: the sample has it not. */
int perf_regs_index(u64 mask, u32 dwarf);

#endif
