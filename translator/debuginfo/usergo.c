/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * usergo.c - see usergo.h.
 */
#include "translator/debuginfo/usergo.h"

#include "translator/debuginfo/disasm.h"

#include <gelf.h>
#include <string.h>

#define QUESTION_MOST	8		/* instructions of a question, and behind its branch */
#define AGAIN_MOST	64		/* arguments are put aside while the stack is moved */
#define INSTRUCTION	16		/* bytes at most */
#define INFO_FLAGS	15		/* in .go.buildinfo: the version is there as text, since Go 1.18 */
#define INFO_IS_TEXT	2

/* Where code is that Go compiled. */
struct usergo {
	guint64	begin, end;
};

/* The linker puts it between two symbols. Without them all is. */
static struct usergo *read_text(struct userfile *f)
{
	const GArray *all = userfile_all(f);
	struct usergo *go = g_new0(struct usergo, 1);

	if (!userfile_is_go(f))
		return go;
	go->end = G_MAXUINT64;
	for (guint i = 0; i < all->len; i++) {
		const struct userfile_function *one = &g_array_index(all, struct userfile_function, i);

		if (!strcmp(one->name, "runtime.text"))
			go->begin = one->address;
		else if (!strcmp(one->name, "runtime.etext"))
			go->end = one->address;
	}
	return go;
}

int usergo_has(struct userfile *f, guint64 address)
{
	struct usergo **go = userfile_go(f);

	if (!*go)
		*go = read_text(f);
	return address - (*go)->begin < (*go)->end - (*go)->begin;
}

static int has_registers(struct userfile *f)
{
	GElf_Shdr header;
	guint8 info[INFO_FLAGS + 1];

	return userfile_section(f, ".go.buildinfo", &header) && userfile_bytes(f, header.sh_addr, info, sizeof(info)) == sizeof(info) &&
	       info[INFO_FLAGS] & INFO_IS_TEXT;
}

const char *usergo_problem(struct userfile *f, const struct userfile_function *function)
{
	if (!has_registers(f))
		return "it was built by Go before 1.18, where no register tells the goroutine";
	if (function && g_str_has_suffix(function->name, ".abi0"))
		return "it is written in Go's assembler, where no register need tell the goroutine";
	return NULL;
}

static int decode(struct userfile *f, const struct disassembler *d, guint64 address, struct disasm *in)
{
	guint8 code[INSTRUCTION];
	gsize n = userfile_bytes(f, address, code, sizeof(code));

	return n && disasm_one(d, address, code, n, in);
}

static int is_named(struct userfile *f, guint64 address, const char *name)
{
	struct userfile_function function;

	return userfile_function_at(f, address, &function) && g_str_has_prefix(function.name, name);
}

int usergo_recovers(struct userfile *f, guint64 address)
{
	return is_named(f, address, "runtime.deferreturn");
}

/* The jump to the beginning, behind a call that moves the stack, in what begins at an address. 0: that is something else. */
static guint64 find_again(struct userfile *f, const struct disassembler *d, guint64 address, guint64 beginning)
{
	struct disasm in;
	int moved = 0;

	for (int i = 0; i < AGAIN_MOST && decode(f, d, address, &in); i++, address += in.size) {
		if (in.flow == DISASM_CALL && !moved && is_named(f, in.target, "runtime.morestack"))
			moved = 1;
		else if (in.flow == DISASM_JUMP)
			return moved && in.target == beginning ? address : 0;
		else if (in.flow != DISASM_ON)
			return 0;
	}
	return 0;
}

guint64 usergo_entry(struct userfile *f, guint64 address, guint64 *again)
{
	const char *why;
	const struct disassembler *d = disasm_open(userfile_arch(f), &why);
	guint64 at = address, entry = address, to;
	struct disasm in;

	*again = 0;
	for (int i = 0; d && i < QUESTION_MOST && decode(f, d, at, &in); i++, at += in.size) {
		if (in.flow == DISASM_ON)
			continue;
		to = in.flow == DISASM_BRANCH ? find_again(f, d, in.target, address) : 0;
		if (!to || (*again && to != *again))
			break;
		*again = to;
		entry = at + in.size;
	}
	return entry;
}
