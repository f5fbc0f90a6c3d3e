/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unwind.h - the stack of a program without frame pointers: registers and a copy of the top of its stack, unwound by the call frame
 * information (.eh_frame) of its images; through code that has none, along frame pointers. x86-64 and arm64.
 */
#ifndef LAPWING_SYMBOLIZE_UNWIND_H
#define LAPWING_SYMBOLIZE_UNWIND_H

#include "runtime/rt.h"
#include "runtime/wire.h"

/* What a stack is unwound from. Foreign bytes: nothing is trusted. */
struct unwind_from {
	s32		pid, tid;	/* as process.h knows the process */
	const struct wire_regs *regs;
	const u8	*stack;		/* what the stack pointer points to */
	u32		bytes;
	/* Where the call returns to whose caller has this stack pointer behind it, if the kernel put an address of its own in its place.
	 * 0: not known, the stack ends there. NULL: none is. */
	u64		(*returns_to)(s32 tid, u64 stack);
};

/*
 * Why a stack does not end where its thread began: there were more addresses, or the copy ended first; callers could not be found. And:
 * nothing tells how the innermost function's caller is found, so that frame pointers may have led past it.
 */
enum unwind_cut { UNWIND_DEEPER = 1, UNWIND_LOST = 2, UNWIND_UNCERTAIN = 4 };

/* Return addresses, innermost first, at most max: how many. *cut: enum unwind_cut, or 0. */
u32 unwind_user(const struct unwind_from *from, u64 *ip, u32 max, int *cut);
/*
 * Where calls return to that a return probe waits for: the page that the kernel takes for that, the last one of the address space. Whom it
 * leads back to is not on the stack.
 */
int unwind_is_trampoline(u64 ip, int arm64);

#endif
