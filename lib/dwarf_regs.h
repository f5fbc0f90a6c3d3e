/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarf_regs.h - DWARF's numbers of the general registers, and which of them hold integer
 * arguments. Sources: System V psABI for AMD64, table 3.36 and section 3.2.3; DWARF for the Arm
 * 64-bit Architecture, table 2; AAPCS64. On arm64 xN is register N, and x0 to x7 are the arguments.
 */
#ifndef LAPWING_LIB_DWARF_REGS_H
#define LAPWING_LIB_DWARF_REGS_H

enum {
	DWARF_X86_SP	= 7,
	DWARF_X86_IP	= 16,
	DWARF_ARM64_FP	= 29,
	DWARF_ARM64_LINK = 30,
	DWARF_ARM64_SP	= 31,
	DWARF_ARM64_PC	= 32,
};

/* As tracefs names them, without the %. */
static const char dwarf_x86_names[][4] = {
	"ax", "dx", "cx",  "bx",  "si",  "di",  "bp",  "sp",  "r8",
	"r9", "r10", "r11", "r12", "r13", "r14", "r15", "ip",
};

/* How many arguments are in registers, and the register of argument n of these, from 0. */
static inline unsigned dwarf_arguments(int arm64)
{
	return arm64 ? 8 : 6;
}

static inline unsigned dwarf_argument(int arm64, unsigned n)
{
	static const unsigned char x86[] = { 5, 4, 1, 2, 8, 9 };

	return arm64 ? n : x86[n];
}

static inline unsigned dwarf_stack_pointer(int arm64)
{
	return arm64 ? DWARF_ARM64_SP : DWARF_X86_SP;
}

#endif
