/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarf_pass.h - where the caller puts parameters and the result: the psABI of x86-64 and AAPCS64
 * for integers, pointers, structs, and what takes a floating-point register.
 */
#ifndef LAPWING_DEBUGINFO_DWARF_PASS_H
#define LAPWING_DEBUGINFO_DWARF_PASS_H

#include "translator/debuginfo/dwarf_private.h"

/* Which of the two machines it is for. */
int dwarf_is_arm64(struct dwarf *d);
/* A type without typedefs and qualifiers. 0: void. */
int dwarf_plain_type(Dwarf_Die *die, Dwarf_Die *type);
/* Where a member begins in its object, in bits, in all the forms that DWARF has had for it. */
guint64 dwarf_member_bit(Dwarf_Die *member);
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
