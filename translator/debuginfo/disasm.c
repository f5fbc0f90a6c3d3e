/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * disasm.c - see disasm.h. Capstone is loaded with dlopen(), not linked, to keep startup fast: few
 * scripts need it.
 */
#include "translator/debuginfo/disasm.h"

#include <capstone/capstone.h>
#include <dlfcn.h>
#include <string.h>

#define TEXT_OF(x)	#x
#define TEXT(x)		TEXT_OF(x)
#define LIBRARY		"libcapstone.so." TEXT(CS_API_MAJOR)

#define BORROWED(X) \
	X(cs_open) X(cs_option) X(cs_malloc) X(cs_disasm_iter) X(cs_insn_group)

static struct {
#define MEMBER(name) __typeof__(&name) name;
	BORROWED(MEMBER)
#undef MEMBER
} capstone;

static int borrow(void)
{
	static int state;		/* 1: loaded; -1: not available */
	void *lib = state ? NULL : dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);

	if (!state)
		state = lib ? 1 : -1;
#define FIND(name) \
	if (lib && !(capstone.name = (__typeof__(&name))dlsym(lib, #name))) \
		state = -1;
	BORROWED(FIND)
#undef FIND
	return state == 1;
}

struct disassembler {
	int	(*decode)(guint64 address, const guint8 *code, gsize room, struct disasm *to);
	gsize	step;			/* instruction sizes are multiples of it */
};

/* ---- x86-64 ------------------------------------------------------------------------*/

static csh x86;
static cs_insn *instruction;		/* room for one */

static int open_x86(void)
{
	if (x86)
		return 1;
	if (!borrow() || capstone.cs_open(CS_ARCH_X86, CS_MODE_64, &x86) != CS_ERR_OK)
		return 0;
	capstone.cs_option(x86, CS_OPT_DETAIL, CS_OPT_ON);
	instruction = capstone.cs_malloc(x86);
	return 1;
}

/*
 * ud1, which traps, has operands that Capstone 4 does not decode. Processors disagree on the length
 * of a branch with a 16-bit operand prefix. Programs contain neither far returns nor returns from
 * interrupts.
 */
static int is_certain(const cs_insn *in)
{
	const cs_x86 *x = &in->detail->x86;
	int is_half = x->prefix[2] == X86_PREFIX_OPSIZE && !(x->rex & 8);

	switch (in->id) {
	case X86_INS_UD2B:
	case X86_INS_RETF:
	case X86_INS_RETFQ:
	case X86_INS_IRET:
	case X86_INS_IRETD:
	case X86_INS_IRETQ:
		return 0;
	default:
		return !is_half || !capstone.cs_insn_group(x86, in, CS_GRP_BRANCH_RELATIVE);
	}
}

static void read_branch(const cs_insn *in, struct disasm *to)
{
	const cs_x86 *x = &in->detail->x86;
	int is_known = x->op_count == 1 && x->operands[0].type == X86_OP_IMM;

	if (capstone.cs_insn_group(x86, in, CS_GRP_CALL))
		to->flow = DISASM_CALL;
	else if (capstone.cs_insn_group(x86, in, CS_GRP_JUMP) ||
		 capstone.cs_insn_group(x86, in, CS_GRP_BRANCH_RELATIVE))
		to->flow = !is_known ? DISASM_ANYWHERE
			   : in->id == X86_INS_JMP ? DISASM_JUMP
			   : DISASM_BRANCH;
	else
		return;
	if (is_known)
		to->target = (guint64)x->operands[0].imm;
}

static void read_flow(const cs_insn *in, struct disasm *to)
{
	switch (in->id) {
	case X86_INS_RET:
		to->flow = DISASM_RETURN;
		break;
	case X86_INS_UD0:
	case X86_INS_UD2:
		to->flow = DISASM_STOP;
		break;
	case X86_INS_HLT:
		to->flow = DISASM_TRAP;
		break;
	case X86_INS_INT3:
		to->flow = DISASM_TRAP;
		to->is_padding = 1;
		break;
	case X86_INS_NOP:
		to->is_padding = 1;
		break;
	case X86_INS_PUSH:
		to->pushes = 1;
		break;
	default:
		read_branch(in, to);
	}
}

/*
 * Records a memory operand whose address the instruction contains: RIP-relative, or the absolute
 * address of a table of addresses.
 */
static void read_operand(const cs_insn *in, const cs_x86_op *op, struct disasm *to)
{
	if (op->type != X86_OP_MEM || in->id == X86_INS_NOP)
		return;
	if (op->mem.base == X86_REG_RIP) {
		guint64 at = in->address + in->size + (guint64)op->mem.disp;

		if (in->id == X86_INS_LEA)
			to->step = (struct disasm_step){ .does = DISASM_ADDRESS,
							 .to = DISASM_NO_REGISTER,
							 .value = at };
		else
			to->memory = at;
	} else if (op->mem.base == X86_REG_INVALID && op->mem.index != X86_REG_INVALID &&
		   op->mem.scale == 8) {
		to->step = (struct disasm_step){ .does = DISASM_ENTRY,
						 .from = DISASM_NO_REGISTER,
						 .bytes = 8,
						 .value = (guint64)op->mem.disp };
	}
}

static int decode_x86(guint64 address, const guint8 *code, gsize room, struct disasm *to)
{
	const cs_x86 *x = &instruction->detail->x86;

	if (!capstone.cs_disasm_iter(x86, &code, &room, &address, instruction) ||
	    !is_certain(instruction))
		return 0;
	to->size = instruction->size;
	read_flow(instruction, to);
	for (int i = 0; i < x->op_count; i++)
		read_operand(instruction, &x->operands[i], to);
	return 1;
}

/* ---- arm64 -------------------------------------------------------------------------*/

/* n bits of a word, starting at bit from; distance() sign-extends them. */
static guint32 bits(guint32 word, int from, int n)
{
	return word >> from & ((1u << n) - 1);
}

static guint64 distance(guint32 word, int from, int n)
{
	return (guint64)((gint64)((guint64)bits(word, from, n) << (64 - n)) >> (64 - n));
}

/* Branch encodings: from, n: position and width of the target's distance, in instructions. */
static const struct {
	guint32	mask, value;
	enum disasm_flow flow;
	int	from, n;
} branches[] = {
	{ 0xfc000000, 0x14000000, DISASM_JUMP, 0, 26 },		/* b */
	{ 0xfc000000, 0x94000000, DISASM_CALL, 0, 26 },		/* bl */
	{ 0xff000000, 0x54000000, DISASM_BRANCH, 5, 19 },	/* b.cond, bc.cond */
	{ 0x7e000000, 0x34000000, DISASM_BRANCH, 5, 19 },	/* cbz, cbnz */
	{ 0x7e000000, 0x36000000, DISASM_BRANCH, 5, 14 },	/* tbz, tbnz */
	{ 0xffffffff, 0xd65f03c0, DISASM_RETURN, 0, 0 },	/* ret */
	{ 0xfffffbff, 0xd65f0bff, DISASM_RETURN, 0, 0 },	/* retaa, retab */
	{ 0xfffffc1f, 0xd65f0000, DISASM_ANYWHERE, 0, 0 },	/* ret of another register */
	{ 0xfffffc1f, 0xd61f0000, DISASM_ANYWHERE, 0, 0 },	/* br */
	{ 0xfffff81f, 0xd61f081f, DISASM_ANYWHERE, 0, 0 },	/* braaz, brabz */
	{ 0xfffff800, 0xd71f0800, DISASM_ANYWHERE, 0, 0 },	/* braa, brab */
	{ 0xfffffc1f, 0xd63f0000, DISASM_CALL, 0, 0 },		/* blr */
	{ 0xfffff81f, 0xd63f081f, DISASM_CALL, 0, 0 },		/* blraaz, blrabz */
	{ 0xfffff800, 0xd73f0800, DISASM_CALL, 0, 0 },		/* blraa, blrab */
	{ 0xffe0001f, 0xd4000001, DISASM_ON, 0, 0 },		/* svc */
	{ 0xffe0001f, 0xd4200000, DISASM_TRAP, 0, 0 },		/* brk */
	{ 0xffe0001f, 0xd4400000, DISASM_TRAP, 0, 0 },		/* hlt */
	/* hints, barriers, system registers */
	{ 0xffc00000, 0xd5000000, DISASM_ON, 0, 0 },
	{ 0xffff0000, 0x00000000, DISASM_STOP, 0, 0 },		/* udf */
};

/*
 * 0: the word is not in the table, but in its class of encodings (branches, exceptions, system) or
 * in a class that programs do not use. Instructions of other classes fall through to the next one.
 */
static int read_arm64_flow(guint32 word, struct disasm *to)
{
	for (unsigned i = 0; i < G_N_ELEMENTS(branches); i++)
		if ((word & branches[i].mask) == branches[i].value) {
			to->flow = branches[i].flow;
			if (branches[i].n)
				to->target = to->address +
					     distance(word, branches[i].from, branches[i].n) * 4;
			return 1;
		}
	return bits(word, 26, 3) != 5 && (bits(word, 25, 4) > 3 || bits(word, 25, 4) == 2);
}

/* adr, adrp; add with an immediate, with a register. */
static void read_sum(guint32 word, struct disasm_step *s)
{
	*s = (struct disasm_step){ .to = bits(word, 0, 5), .from = bits(word, 5, 5), .index = bits(word, 16, 5) };
	if ((word & 0x1f000000) == 0x10000000) {
		guint64 away = distance(word, 5, 19) << 2 | bits(word, 29, 2);

		s->does = DISASM_ADDRESS;
		s->value = word >> 31 ? away << 12 : away;
	} else if ((word & 0xff800000) == 0x91000000) {
		s->does = DISASM_PLUS;
		s->value = (guint64)bits(word, 10, 12) << (bits(word, 22, 1) ? 12 : 0);
	} else if ((word & 0xffe00000) == 0x8b200000) {
		s->does = DISASM_SUM;
		s->is_signed = bits(word, 15, 1);
		s->shift = bits(word, 10, 3);
	} else if ((word & 0xffe00000) == 0x8b000000) {
		s->does = DISASM_SUM;
		s->shift = bits(word, 10, 6);
	}
}

/*
 * Loads with an index register; instructions that bound an index: cmp, and with a mask of low ones,
 * ubfx, uxtb, lsr.
 */
static void read_index(guint32 word, struct disasm_step *s)
{
	guint8 to = bits(word, 0, 5), from = bits(word, 5, 5);
	guint lowest = bits(word, 16, 6), highest = bits(word, 10, 6);

	if ((word & 0x3f200c00) == 0x38200800 && bits(word, 22, 2))
		*s = (struct disasm_step){ DISASM_ENTRY, to, from, bits(word, 16, 5), 1 << bits(word, 30, 2), 0, bits(word, 22, 2) > 1, 0 };
	else if ((word & 0x7fc0001f) == 0x7100001f)
		*s = (struct disasm_step){ .does = DISASM_BOUND, .from = from, .value = bits(word, 10, 12) };
	else if ((word & 0x7fbf0000) == 0x12000000 && highest < 16)
		*s = (struct disasm_step){ .does = DISASM_BOUND, .from = to, .value = (2ull << highest) - 1 };
	else if ((word & 0x7f800000) == 0x53000000 && highest >= lowest && highest - lowest < 16)
		*s = (struct disasm_step){ .does = DISASM_BOUND, .from = to, .value = (2ull << (highest - lowest)) - 1 };
}

static int decode_arm64(guint64 address, const guint8 *code, gsize room, struct disasm *to)
{
	guint32 word;

	if (address % sizeof(word) || room < sizeof(word))
		return 0;
	memcpy(&word, code, sizeof(word));
	word = GUINT32_FROM_LE(word);
	to->size = sizeof(word);
	to->is_padding = word == 0xd503201f;
	if ((word & 0x3b000000) == 0x18000000)			/* ldr (literal) */
		to->memory = address + distance(word, 5, 19) * 4;
	read_sum(word, &to->step);
	if (to->step.does == DISASM_ADDRESS)
		to->step.value += word >> 31 ? address & ~0xfffull : address;
	else if (to->step.does == DISASM_ELSE)
		read_index(word, &to->step);
	return read_arm64_flow(word, to);
}

/* ---- both architectures ------------------------------------------------------------*/

const struct disassembler *disasm_open(const char *arch, const char **why)
{
	static const struct disassembler for_x86 = { decode_x86, 1 },
					 for_arm64 = { decode_arm64, 4 };

	if (!strcmp(arch, "arm64"))
		return &for_arm64;
	*why = "code of its machine cannot be decoded";
	if (strcmp(arch, "x86_64"))
		return NULL;
	*why = "libcapstone, which would decode its function, is not installed";
	return open_x86() ? &for_x86 : NULL;
}

int disasm_one(const struct disassembler *d, guint64 address, const guint8 *code, gsize room,
	       struct disasm *to)
{
	*to = (struct disasm){ .address = address };
	return d->decode(address, code, room, to);
}

gsize disasm_zeros(const struct disassembler *d, const guint8 *code, gsize room)
{
	static const guint8 zeros[4];

	return room >= d->step && !memcmp(code, zeros, d->step) ? d->step : 0;
}
