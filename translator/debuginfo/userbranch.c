/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * userbranch.c - see userbranch.h. Capstone is loaded on first use, because few scripts need it;
 * linking it would slow down every start.
 */
#include "translator/debuginfo/userbranch.h"

#include <capstone/capstone.h>
#include <dlfcn.h>
#include <gelf.h>
#include <string.h>

#define FUNCTION_MOST	(4u << 20)	/* largest function that is decoded, in bytes */

#define FILE_MOST	(4ull << 30)	/* largest range of code, in bytes */

#define TEXT_OF(x)	#x
#define TEXT(x)		TEXT_OF(x)
#define LIBRARY		"libcapstone.so." TEXT(CS_API_MAJOR)

#define BORROWED(X) \
	X(cs_open) X(cs_option) X(cs_malloc) X(cs_free) X(cs_disasm_iter) X(cs_insn_group)

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

/* Capstone stays open: thousands of functions may be decoded. 0: not available. */
static int open_capstone(csh *handle)
{
	static csh opened;

	if (!opened &&
	    (!borrow() || capstone.cs_open(CS_ARCH_X86, CS_MODE_64, &opened) != CS_ERR_OK))
		return 0;
	capstone.cs_option(opened, CS_OPT_DETAIL, CS_OPT_ON);
	*handle = opened;
	return 1;
}

/* ---- a function --------------------------------------------------------------------*/

/* True if an address lies in a section whose name begins with one of these. */
static int is_within(const struct userfile *f, guint64 address, const char *const *names)
{
	GElf_Shdr header;

	for (; *names; names++)
		if (userfile_section(f, *names, &header) &&
		    address - header.sh_addr < header.sh_size)
			return 1;
	return 0;
}

/* jmp *slot(%rip), where the loader stores addresses of functions of other files. */
static int leaves_by_slot(const struct userfile *f, const cs_insn *in)
{
	static const char *const tables[] = { ".got", ".got.plt", NULL };
	const cs_x86_op *op = &in->detail->x86.operands[0];

	return op->type == X86_OP_MEM && op->mem.base == X86_REG_RIP &&
	       op->mem.index == X86_REG_INVALID &&
	       is_within(f, in->address + in->size + (guint64)op->mem.disp, tables);
}

/*
 * A call into the middle of its own function is how compilers write an indirect jump where plain
 * ones are forbidden (retpolines).
 */
static int is_hidden_jump(const struct userfile_function *function, guint64 target)
{
	return target != function->address && target - function->address < function->size;
}

static void visit_flow(struct userfile *f, const struct userfile_function *function, csh handle,
		       const cs_insn *in, const struct userbranch_visit *visit)
{
	const cs_x86 *x = &in->detail->x86;
	int is_call = capstone.cs_insn_group(handle, in, CS_GRP_CALL);

	if (!is_call && !capstone.cs_insn_group(handle, in, CS_GRP_JUMP) &&
	    !capstone.cs_insn_group(handle, in, CS_GRP_BRANCH_RELATIVE))
		return;
	if (x->op_count == 1 && x->operands[0].type == X86_OP_IMM) {
		guint64 target = (guint64)x->operands[0].imm;

		visit->leads(visit->data, target, is_call);
		if (is_call && is_hidden_jump(function, target))
			visit->leads(visit->data, 0, 0);
	} else if (!is_call && !leaves_by_slot(f, in)) {
		visit->leads(visit->data, 0, 0);
	}
}

/* ud1, which traps, has operands that Capstone 4 cannot decode. */
static int is_decoded(const cs_insn *in)
{
	return in->id != X86_INS_UD2B;
}

static int walk(struct userfile *f, const struct userfile_function *function, csh handle,
		const guint8 *code, gsize size, const struct userbranch_visit *visit)
{
	guint64 address = function->address;
	cs_insn *in = capstone.cs_malloc(handle);

	while (size && capstone.cs_disasm_iter(handle, &code, &size, &address, in) &&
	       is_decoded(in)) {
		if (visit->begins)
			visit->begins(visit->data, in->address, in->size);
		visit_flow(f, function, handle, in, visit);
	}
	capstone.cs_free(in, 1);
	return size ? -1 : 0;
}

int userbranch_walk(struct userfile *f, const struct userfile_function *function,
		    const struct userbranch_visit *visit, const char **why)
{
	guint8 *code;
	csh handle;
	int rc = -1;

	*why = "libcapstone, needed to decode its function, is not installed";
	if (!open_capstone(&handle))
		return -1;
	*why = "its function cannot be decoded";
	code = function->size && function->size <= FUNCTION_MOST ? g_malloc(function->size) : NULL;
	if (code && userfile_bytes(f, function->address, code, function->size) == function->size)
		rc = walk(f, function, handle, code, function->size, visit);
	g_free(code);
	return rc;
}

/* ---- a file ------------------------------------------------------------------------*/

struct userbranch {
	guint64	low, high;	/* from the first byte of code to the end of the last one */
	guint8	*led;		/* one bit per byte: a branch target; NULL: the segments are too
				 * far apart */
};

/*
 * Number of bytes of a branch or address-forming instruction before its 32-bit displacement; 0:
 * another instruction.
 */
static gsize opcode_bytes(const guint8 *code)
{
	if (*code == 0xe8 || *code == 0xe9)			/* call, jmp */
		return 1;
	if ((*code == 0x0f && (code[1] & 0xf0) == 0x80) ||	/* jcc */
	    (*code == 0xc7 && code[1] == 0xf8) ||		/* xbegin */
	    (*code == 0x8d && (code[1] & 0xc7) == 0x05))	/* lea (%rip) */
		return 2;
	return 0;
}

static void read_segment(struct userbranch *b, guint64 address, const guint8 *code, gsize size)
{
	for (gsize i = 0; i + 5 <= size; i++) {
		gsize n = opcode_bytes(code + i);
		gint32 distance;
		guint64 to;

		if (!n || i + n + sizeof(distance) > size)
			continue;
		memcpy(&distance, code + i + n, sizeof(distance));
		to = address + i + n + sizeof(distance) + (guint64)(gint64)distance - b->low;
		if (to < b->high - b->low)
			b->led[to / 8] |= (guint8)(1u << to % 8);
	}
}

static struct userbranch *read_file(struct userfile *f)
{
	struct userbranch *b = g_new0(struct userbranch, 1);
	const guint8 *code;
	guint64 address;
	gsize size;

	b->low = G_MAXUINT64;
	for (unsigned i = 0; userfile_code(f, i, &address, &code, &size); i++) {
		b->low = MIN(b->low, address);
		b->high = MAX(b->high, address + size);
	}
	if (b->low > b->high)
		b->low = b->high;
	if (b->high - b->low > FILE_MOST)
		return b;
	b->led = g_malloc0((b->high - b->low) / 8 + 1);
	for (unsigned i = 0; userfile_code(f, i, &address, &code, &size); i++)
		read_segment(b, address, code, size);
	return b;
}

int userbranch_may_lead(struct userfile *f, guint64 address)
{
	struct userbranch **b = userfile_branches(f);

	if (!*b)
		*b = read_file(f);
	if (!(*b)->led)
		return 1;
	address -= (*b)->low;
	return address < (*b)->high - (*b)->low && (*b)->led[address / 8] >> address % 8 & 1;
}

void userbranch_free(struct userbranch *b)
{
	if (b)
		g_free(b->led);
	g_free(b);
}
