/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unwind.h - the stack of a program without frame pointers: registers and a copy of the top of
 * its stack, unwound by the call frame information (.eh_frame) of its images; through code that
 * has none, along frame pointers. x86-64 and arm64.
 */
#ifndef LAPWING_SYMBOLIZE_UNWIND_H
#define LAPWING_SYMBOLIZE_UNWIND_H

#include "runtime/rt.h"
#include "runtime/wire.h"

/* Input of an unwind. The stack's bytes are untrusted. */
struct unwind_from {
	s32		pid, tid;	/* as process.h knows the process */
	const struct wire_regs *regs;
	const u8	*stack;		/* copy of the stack from the stack pointer on */
	u32		bytes;
	/*
	 * The original return address of the call whose caller has this stack pointer, where a
	 * return probe replaced it. 0: not known, the stack ends there. NULL: no return probes.
	 */
	u64		(*returns_to)(s32 tid, u64 stack);
};

/*
 * Flaws of a stack. DEEPER: more addresses than max, or than the copy of the stack contains. LOST:
 * a caller was not found. UNCERTAIN: no rule for the innermost function, so its caller may be
 * missing.
 */
enum unwind_cut { UNWIND_DEEPER = 1, UNWIND_LOST = 2, UNWIND_UNCERTAIN = 4 };

/*
 * Return addresses, innermost first, at most max; returns their number. *cut: enum unwind_cut, or
 * 0.
 */
u32 unwind_user(const struct unwind_from *from, u64 *ip, u32 max, int *cut);
/*
 * True if ip is the kernel's trampoline for return probes of programs (the last page of the
 * address space): the real return address is not on the stack.
 */
int unwind_is_trampoline(u64 ip, int arm64);

#endif
