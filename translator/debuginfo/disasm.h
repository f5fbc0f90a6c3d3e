/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * disasm.h - decodes one instruction of x86-64 or arm64 code: where control goes, and whether it is
 * a step of a jump through a table. It does not know which instructions make up a function.
 *
 * x86-64 is decoded by Capstone, which is loaded on first use. arm64 needs no library: all branches
 * are in one class of encodings, and every other instruction, however new, has 4 bytes.
 */
#ifndef LAPWING_DISASM_H
#define LAPWING_DISASM_H

#include <glib.h>

enum disasm_flow {		/* where control goes */
	DISASM_ON,		/* to the next instruction */
	/* to the callee, then to the next instruction if the callee returns */
	DISASM_CALL,
	DISASM_TRAP,		/* to the next instruction, if the trap's handler resumes there */
	DISASM_BRANCH,		/* to its target or to the next instruction */
	DISASM_JUMP,		/* to its target */
	DISASM_ANYWHERE,	/* to an address in a register or in memory */
	DISASM_RETURN,
	DISASM_STOP,		/* nowhere */
};

enum disasm_does {
	DISASM_ELSE,
	DISASM_ADDRESS,		/* to = value */
	DISASM_PLUS,		/* to = from + value */
	/*
	 * to = entry number index of the table at from, or at value if from is DISASM_NO_REGISTER
	 */
	DISASM_ENTRY,
	DISASM_SUM,		/* to = from + (index << shift) */
	DISASM_BOUND,		/* from is compared with value, or limited to it */
};

#define DISASM_NO_REGISTER	32

/* A step of a jump through a table. Registers are numbers; those of x86-64 are not recorded. */
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
	guint64	target;			/* 0: none, or unknown */
	/* address of the PC-relative memory operand; 0: none */
	guint64	memory;
	int	is_padding;		/* a nop, or filler of linkers and compilers */
	/* pushes a value that a following return would take as its return address */
	int	pushes;
	struct disasm_step step;
};

struct disassembler;

/*
 * Opens a decoder for an architecture as userfile_arch() names it. It is never closed. NULL with
 * *why (static text that follows a ':').
 */
const struct disassembler *disasm_open(const char *arch, const char **why);
/*
 * Decodes the instruction at an address, from at most room bytes. 0: it cannot be decoded for
 * certain.
 */
int disasm_one(const struct disassembler *d, guint64 address, const guint8 *code, gsize room,
	       struct disasm *to);
/*
 * The smallest instruction size in bytes if that many zero bytes are at code, else 0. Linkers and
 * assemblers fill code with zeros.
 */
gsize disasm_zeros(const struct disassembler *d, const guint8 *code, gsize room);

#endif
