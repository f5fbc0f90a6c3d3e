/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarf_pass.h - where parameters and the result are passed: the psABI of x86-64 and AAPCS64, for
 * integers, pointers, structs, and values in floating-point registers.
 */
#ifndef LAPWING_DEBUGINFO_DWARF_PASS_H
#define LAPWING_DEBUGINFO_DWARF_PASS_H

#include "translator/debuginfo/dwarf_private.h"

/* True for arm64, false for x86-64. */
int dwarf_is_arm64(struct dwarf *d);
/* A type without typedefs and qualifiers. 0: void. */
int dwarf_plain_type(Dwarf_Die *die, Dwarf_Die *type);
/* A member's offset in its object, in bits, from any of the forms that DWARF versions use. */
guint64 dwarf_member_bit(Dwarf_Die *member);
/* State of passing a function's parameters: where the next one goes. */
struct passing {
	/* registers: integer registers in all; floats: used floating-point registers */
	unsigned	registers, used, floats, stack;
	int		arm64;
};
/* Where a parameter is. Slots number the integer registers, then the words on the stack. */
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
