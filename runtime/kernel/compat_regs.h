/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compat_regs.h - where registers lie in struct pt_regs.
 */
#ifndef LAPWING_KERNEL_COMPAT_REGS_H
#define LAPWING_KERNEL_COMPAT_REGS_H

#define REGS_AT(member) offsetof(struct pt_regs, member)

#ifdef CONFIG_X86_64
/* Of the first arguments of a kernel function; by DWARF's numbers. */
#define ARGUMENT_REGISTERS REGS_AT(di), REGS_AT(si), REGS_AT(dx), REGS_AT(cx), REGS_AT(r8), REGS_AT(r9)
#define DWARF_REGISTERS REGS_AT(ax), REGS_AT(dx), REGS_AT(cx), REGS_AT(bx), REGS_AT(si), REGS_AT(di), REGS_AT(bp), REGS_AT(sp), \
	REGS_AT(r8), REGS_AT(r9), REGS_AT(r10), REGS_AT(r11), REGS_AT(r12), REGS_AT(r13), REGS_AT(r14), REGS_AT(r15), REGS_AT(ip)
#define REGS_RETURNED_HIGH(regs) ((regs)->dx)
#endif

#ifdef CONFIG_ARM64
#define REGS_4(n) REGS_AT(regs[n]), REGS_AT(regs[n + 1]), REGS_AT(regs[n + 2]), REGS_AT(regs[n + 3])
#define ARGUMENT_REGISTERS REGS_4(0), REGS_4(4)
#define DWARF_REGISTERS REGS_4(0), REGS_4(4), REGS_4(8), REGS_4(12), REGS_4(16), REGS_4(20), REGS_4(24), \
	REGS_AT(regs[28]), REGS_AT(regs[29]), REGS_AT(regs[30]), REGS_AT(sp), REGS_AT(pc)
#define REGS_RETURNED_HIGH(regs) ((regs)->regs[1])
#endif

#endif
