/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * disasm.h - one instruction of x86-64 or arm64 code: where it leads, and whether it is a step of a
 * jump by a table. Which instructions make a function is not its affair.
 *
 * x86-64 is decoded by Capstone, which is looked for when it is first wanted. arm64 needs no
 * library: all that leads somewhere is in one class of encodings, and the rest is of 4 bytes,
 * however new it is.
 */
#ifndef LAPWING_DISASM_H
#define LAPWING_DISASM_H

#include <glib.h>

enum disasm_flow {
	DISASM_ON,		/* to what is behind it */
	/* elsewhere, and to what is behind it if the called function returns */
	DISASM_CALL,
	DISASM_TRAP,		/* to what is behind it, if whoever handles the trap wants that */
	DISASM_BRANCH,		/* to its target, or to what is behind it */
	DISASM_JUMP,		/* to its target */
	DISASM_ANYWHERE,	/* to where a register or memory says */
	DISASM_RETURN,
	DISASM_STOP,		/* nowhere */
};

enum disasm_does {
	DISASM_ELSE,
	DISASM_ADDRESS,		/* to = value */
	DISASM_PLUS,		/* to = from + value */
	/* to = entry number index of the table at from; if that is DISASM_NO_REGISTER, at value */
	DISASM_ENTRY,
	DISASM_SUM,		/* to = from + (index << shift) */
	DISASM_BOUND,		/* from is compared with value, or made no larger */
};

#define DISASM_NO_REGISTER	32

/* What matters to jumps by a table. Registers are known by number, those of x86-64 not at all. */
struct disasm_step {
	enum disasm_does does;
	guint8	to, from, index;
	guint8	bytes, shift;		/* of an entry, or of index */
	guint8	is_signed;
	guint64	value;
};

struct disasm {
	guint64	address;
	guint	size;
	enum disasm_flow flow;
	guint64	target;			/* 0: it has none, or it is not known */
	/* what is read or written there, by its distance from the instruction; 0: nothing */
	guint64	memory;
	int	is_padding;		/* a nop, or what linkers and compilers fill code with */
	/* something onto the stack, where a return would take it for its address */
	int	pushes;
	struct disasm_step step;
};

struct disassembler;

/*
 * For a machine as userfile_arch() names it. It stays open. NULL: *why (static text that follows a
 * ':').
 */
const struct disassembler *disasm_open(const char *arch, const char **why);
/*
 * Decodes what begins at an address, of room bytes at most. 0: it is no instruction that is known
 * for certain.
 */
int disasm_one(const struct disassembler *d, guint64 address, const guint8 *code, gsize room,
	       struct disasm *to);
/*
 * How many zeros are there, in the smallest step between instructions? Linkers and assemblers fill
 * code with them.
 */
gsize disasm_zeros(const struct disassembler *d, const guint8 *code, gsize room);

#endif
