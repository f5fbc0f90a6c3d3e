/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unwind.h - the stack of a program without frame pointers: registers and a copy of the top of its stack, unwound by the call frame
 * information (.eh_frame) of its images; through code that has none, along frame pointers. x86-64 and arm64.
 */
#ifndef LAPWING_ELF_UNWIND_H
#define LAPWING_ELF_UNWIND_H

#include "runtime/rt.h"
#include "runtime/wire.h"

/*
 * Return addresses of process pid (as process.h knows it), innermost first, at most max: how many. stack: what its stack pointer points
 * to, `bytes` bytes. *cut: there were more, or the copy ended first. Foreign bytes: nothing is trusted.
 */
u32 unwind_user(s32 pid, const struct wire_regs *regs, const u8 *stack, u32 bytes, u64 *ip, u32 max, int *cut);

#endif
