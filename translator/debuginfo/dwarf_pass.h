/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarf_pass.h - where a function's parameters are passed, by the ABI.
 */
#ifndef LAPWING_DEBUGINFO_DWARF_PASS_H
#define LAPWING_DEBUGINFO_DWARF_PASS_H

#include <elfutils/libdw.h>

struct dwarf;

/* True for arm64, otherwise x86-64. */
int dwarf_is_arm64(struct dwarf *d);
/* A type without typedefs and qualifiers. 0: void. */
int dwarf_plain_type(Dwarf_Die *die, Dwarf_Die *type);
/* Where the next parameter of a function is passed. */
struct passing {
	/* floats: used floating-point registers */
	unsigned	registers, used, floats, stack;
	int		arm64;
};
/* Where a parameter is. Slots are counted in registers for integers, then on the stack. */
struct passed {
	int		slot[2];	/* of its first words; -1: in a floating-point register */
	unsigned	words;
	int		by_reference;	/* the slot holds its address */
};
void dwarf_pass_begin(struct dwarf *d, Dwarf_Die *function, struct passing *p);
void dwarf_pass(struct passing *p, Dwarf_Die *parameter, struct passed *to);
/* True if a result of that type is in a floating-point register. */
int dwarf_result_floats(struct dwarf *d, Dwarf_Die *type);

#endif
