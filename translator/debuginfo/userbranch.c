/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * userbranch.c - see userbranch.h.
 */
#include "translator/debuginfo/userbranch.h"

#include "translator/debuginfo/disasm.h"

#include <gelf.h>
#include <string.h>

#define FUNCTION_MAX	(4u << 20)	/* size limit in bytes of a function to decode */

#define FILE_MAX	(4ull << 30)	/* limit of bytes from the first code to the last */

/* ---- a function --------------------------------------------------------------------*/

/* True if an address lies in one of the named sections. */
static int is_within(const struct userfile *f, guint64 address, const char *const *names)
{
	GElf_Shdr header;

	for (; *names; names++)
		if (userfile_section(f, *names, &header) &&
		    address - header.sh_addr < header.sh_size)
			return 1;
	return 0;
}

/* jmp *slot(%rip): a GOT slot, where the loader puts the address of another file's function. */
static int leaves_by_slot(const struct userfile *f, const struct disasm *in)
{
	static const char *const tables[] = { ".got", ".got.plt", NULL };

	return in->memory && is_within(f, in->memory, tables);
}

/*
 * Compilers replace an indirect jump by a call into the middle of the same function where plain
 * indirect jumps are disabled (retpolines).
 */
static int is_hidden_jump(const struct userfile_function *function, guint64 target)
{
	return target != function->address && target - function->address < function->size;
}

static void visit_flow(struct userfile *f, const struct userfile_function *function,
		       const struct disasm *in, const struct userbranch_visit *visit)
{
	int is_call = in->flow == DISASM_CALL;

	if (in->target) {
		visit->leads(visit->data, in->target, is_call);
		if (is_call && is_hidden_jump(function, in->target))
			visit->leads(visit->data, 0, 0);
	} else if (in->flow == DISASM_ANYWHERE && !leaves_by_slot(f, in)) {
		visit->leads(visit->data, 0, 0);
	}
}

static int walk(struct userfile *f, const struct userfile_function *function,
		const struct disassembler *d, const guint8 *code,
		const struct userbranch_visit *visit)
{
	struct disasm in;

	for (gsize i = 0; i < function->size; i += in.size) {
		if (!disasm_one(d, function->address + i, code + i, function->size - i, &in))
			return -1;
		if (visit->begins)
			visit->begins(visit->data, in.address, in.size);
		visit_flow(f, function, &in, visit);
	}
	return 0;
}

int userbranch_walk(struct userfile *f, const struct userfile_function *function,
		    const struct userbranch_visit *visit, const char **why)
{
	const struct disassembler *d = disasm_open("x86_64", why);
	guint8 *code;
	int rc = -1;

	if (!d)
		return -1;
	*why = "its function cannot be decoded";
	code = function->size && function->size <= FUNCTION_MAX ? g_malloc(function->size) : NULL;
	if (code && userfile_bytes(f, function->address, code, function->size) == function->size)
		rc = walk(f, function, d, code, visit);
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

static void take_segment(struct userbranch *b, guint64 address, const guint8 *code, gsize size)
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
	if (b->high - b->low > FILE_MAX)
		return b;
	b->led = g_malloc0((b->high - b->low) / 8 + 1);
	for (unsigned i = 0; userfile_code(f, i, &address, &code, &size); i++)
		take_segment(b, address, code, size);
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
