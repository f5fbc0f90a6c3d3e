/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compat_regs.h - offsets of registers in struct pt_regs, and their names: REGISTER(name, member,
 * bits), with 32 for names that mean the low half.
 */
#ifndef LAPWING_KERNEL_COMPAT_REGS_H
#define LAPWING_KERNEL_COMPAT_REGS_H

#define REGS_AT(member) offsetof(struct pt_regs, member)

#ifdef CONFIG_X86_64
/* The registers of a kernel function's first arguments; all registers by DWARF number. */
#define ARGUMENT_REGISTERS REGS_AT(di), REGS_AT(si), REGS_AT(dx), REGS_AT(cx), REGS_AT(r8), REGS_AT(r9)
#define DWARF_REGISTERS REGS_AT(ax), REGS_AT(dx), REGS_AT(cx), REGS_AT(bx), REGS_AT(si), REGS_AT(di), REGS_AT(bp), REGS_AT(sp), \
	REGS_AT(r8), REGS_AT(r9), REGS_AT(r10), REGS_AT(r11), REGS_AT(r12), REGS_AT(r13), REGS_AT(r14), REGS_AT(r15), REGS_AT(ip)
#define REGS_RETURNED_HIGH(regs) ((regs)->dx)
#define X86_REGISTER(letters, member) \
	REGISTER("r" letters, member, 64) REGISTER("e" letters, member, 32) REGISTER(letters, member, 64)
#define REGISTERS \
	X86_REGISTER("ax", ax) X86_REGISTER("bx", bx) X86_REGISTER("cx", cx) X86_REGISTER("dx", dx) \
	X86_REGISTER("si", si) X86_REGISTER("di", di) X86_REGISTER("bp", bp) X86_REGISTER("sp", sp) X86_REGISTER("ip", ip) \
	REGISTER("r8", r8, 64) REGISTER("r9", r9, 64) REGISTER("r10", r10, 64) REGISTER("r11", r11, 64) \
	REGISTER("r12", r12, 64) REGISTER("r13", r13, 64) REGISTER("r14", r14, 64) REGISTER("r15", r15, 64) \
	REGISTER("orig_rax", orig_ax, 64) REGISTER("orig_ax", orig_ax, 64) REGISTER("orig_eax", orig_ax, 32) \
	REGISTER("rflags", flags, 64) REGISTER("eflags", flags, 32) REGISTER("flags", flags, 64) \
	REGISTER("cs", cs, 64) REGISTER("xcs", cs, 64) REGISTER("ss", ss, 64) REGISTER("xss", ss, 64)
#endif

/*
 * True if the thread is in a system call with a 32-bit program's numbers and registers. x32's calls
 * use the 64-bit ones.
 */
#ifdef CONFIG_X86_64
static inline int regs_compat_call(void) { return in_ia32_syscall(); }
#else
static inline int regs_compat_call(void) { return in_compat_syscall(); }
#endif

#ifdef CONFIG_ARM64
#define REGS_4(n) REGS_AT(regs[n]), REGS_AT(regs[n + 1]), REGS_AT(regs[n + 2]), REGS_AT(regs[n + 3])
#define ARGUMENT_REGISTERS REGS_4(0), REGS_4(4)
#define DWARF_REGISTERS REGS_4(0), REGS_4(4), REGS_4(8), REGS_4(12), REGS_4(16), REGS_4(20), REGS_4(24), \
	REGS_AT(regs[28]), REGS_AT(regs[29]), REGS_AT(regs[30]), REGS_AT(sp), REGS_AT(pc)
#define REGS_RETURNED_HIGH(regs) ((regs)->regs[1])
#define ARM64_REGISTER(n) REGISTER("x" #n, regs[n], 64) REGISTER("w" #n, regs[n], 32)
#define REGISTERS \
	ARM64_REGISTER(0) \
	ARM64_REGISTER(1) ARM64_REGISTER(2) ARM64_REGISTER(3) ARM64_REGISTER(4) ARM64_REGISTER( \
		5) ARM64_REGISTER(6) ARM64_REGISTER(7) ARM64_REGISTER(8) ARM64_REGISTER(9) \
		ARM64_REGISTER(10) ARM64_REGISTER(11) ARM64_REGISTER(12) ARM64_REGISTER( \
			13) ARM64_REGISTER(14) ARM64_REGISTER(15) ARM64_REGISTER(16) \
			ARM64_REGISTER(17) ARM64_REGISTER(18) ARM64_REGISTER(19) ARM64_REGISTER( \
				20) ARM64_REGISTER(21) ARM64_REGISTER(22) ARM64_REGISTER(23) \
				ARM64_REGISTER(24) ARM64_REGISTER(25) ARM64_REGISTER( \
					26) ARM64_REGISTER(27) ARM64_REGISTER(28) \
					ARM64_REGISTER(29) ARM64_REGISTER(30) REGISTER( \
						"fp", regs[29], 64) REGISTER("lr", regs[30], 64) \
						REGISTER("sp", sp, 64) REGISTER("pc", pc, 64) \
							REGISTER("pstate", pstate, 64) \
								REGISTER("orig_x0", orig_x0, 64)
#endif

#endif
