/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * usergo.c - see usergo.h.
 */
#include "translator/debuginfo/usergo.h"

#include "translator/debuginfo/disasm.h"
#include "translator/debuginfo/gotable.h"

#include <gelf.h>
#include <string.h>

#define CHECK_MAX	8		/* instructions of a stack check, and after its branch */
#define AGAIN_MAX	64		/* instructions to the restart: arguments are saved */
#define INSTRUCTION	16		/* bytes of an instruction, at most */

#define TABLE_ALIGN	32
/* suffix of functions that take their arguments from the stack, as assembler does */
#define ABI0		".abi0"

struct usergo {
	/* bytes NULL: no table; all code from text to end may be Go's */
	struct gotable	table;
	guint64		text, end;	/* end 0: no code is Go's */
};

/* ---- the table of functions -----------------------------------------------------------*/

static int take_table(struct userfile *f, struct usergo *go, const guint8 *bytes, gsize size,
		      guint64 address)
{
	struct gotable t;
	guint64 text;

	if (size < GOTABLE_HEADER || !gotable_read(bytes, size, &t))
		return 0;
	text = t.text ? t.text : userfile_relocated(f, address + GOTABLE_TEXT);
	if (!text && !userfile_symbol(f, "runtime.text", &text))
		return 0;
	*go = (struct usergo){ t, text, text + t.length };
	return 1;
}

/* Linkers other than Go's own put the table among other data that the loader relocates. */
static int find_table(struct userfile *f, struct usergo *go)
{
	static const char *const sections[] = { ".gopclntab", ".data.rel.ro.gopclntab",
						".data.rel.ro" };

	for (unsigned i = 0; i < G_N_ELEMENTS(sections); i++) {
		GElf_Shdr header;
		Elf_Scn *section = userfile_section(f, sections[i], &header);
		Elf_Data *data = section ? elf_rawdata(section, NULL) : NULL;

		for (gsize at = 0; data && data->d_buf && at < data->d_size; at += TABLE_ALIGN)
			if (take_table(f, go, (guint8 *)data->d_buf + at, data->d_size - at,
				       header.sh_addr + at))
				return 1;
	}
	return 0;
}

static const struct usergo *go_of(struct userfile *f)
{
	struct usergo **go = userfile_go(f);
	guint64 text, end;

	if (*go)
		return *go;
	*go = g_new0(struct usergo, 1);
	if (!userfile_is_go(f) || find_table(f, *go))
		return *go;
	**go = (struct usergo){ .end = G_MAXUINT64 };
	if (userfile_symbol(f, "runtime.text", &text) && userfile_symbol(f, "runtime.etext", &end))
		**go = (struct usergo){ .text = text, .end = end };
	return *go;
}

static int is_within(const struct usergo *go, guint64 address)
{
	return address - go->text < go->end - go->text;
}

enum usergo_origin usergo_of(struct userfile *f, guint64 address)
{
	static const enum usergo_origin origins[] = { [GOTABLE_COMPILED] = USERGO_COMPILED,
						      [GOTABLE_ASSEMBLER] = USERGO_ASSEMBLER,
						      [GOTABLE_FOREIGN] = USERGO_NONE,
						      [GOTABLE_DAMAGED] = USERGO_UNKNOWN };
	const struct usergo *go = go_of(f);

	if (!is_within(go, address))
		return USERGO_NONE;
	return go->table.bytes ? origins[gotable_kind(&go->table, address - go->text)]
			       : USERGO_UNKNOWN;
}

const char *usergo_problem(struct userfile *f)
{
	return go_of(f)->table.bytes
		       ? NULL
		       : "it has no table of functions (.gopclntab) as Go writes it since 1.18, and before no register told "
			 "the goroutine";
}

/* ---- called functions ------------------------------------------------------------------*/

/* For files without a table: by symbols. Most of the functions looked up are in assembler. */
static int has_symbol(struct userfile *f, guint64 address, const char *name)
{
	const struct userfile_function *one = NULL;

	while ((one = userfile_around(f, address, one)))
		if (g_str_has_prefix(one->name, name) &&
		    (!one->name[strlen(name)] || !strcmp(one->name + strlen(name), ABI0)))
			return 1;
	return 0;
}

static int begins(struct userfile *f, guint64 address, const char *name)
{
	const struct usergo *go = go_of(f);
	const char *known;

	if (!go->table.bytes)
		return has_symbol(f, address, name);
	known = is_within(go, address) ? gotable_name(&go->table, address - go->text) : NULL;
	return known && !strcmp(known, name);
}

static int grows_stack(struct userfile *f, guint64 address)
{
	return begins(f, address, "runtime.morestack_noctxt") ||
	       begins(f, address, "runtime.morestack");
}

int usergo_recovers(struct userfile *f, guint64 address)
{
	return begins(f, address, "runtime.deferreturn");
}

/* While assembler that calls nothing runs, no stack moves and no goroutine changes its thread. */
const char *usergo_call_problem(struct userfile *f, guint64 address, guint64 target)
{
	enum usergo_origin origin = usergo_of(f, address);

	if (origin == USERGO_ASSEMBLER && !grows_stack(f, target))
		return "it is written in Go's assembler and calls others, so that neither its stack nor a register tells which call it is";
	if (origin == USERGO_COMPILED &&
	    (begins(f, target, "runtime.setg") || begins(f, target, "runtime.mexit")))
		return "it changes which goroutine its thread runs";
	return NULL;
}

/* ---- ABI wrappers ----------------------------------------------------------------------*/

int usergo_wraps(struct userfile *f, const struct userfile_function *function,
		 struct userfile_function *wrapped)
{
	int is_abi0 = g_str_has_suffix(function->name, ABI0), wraps;
	const struct userfile_function *found;
	char *other;

	if (!go_of(f)->end)
		return 0;
	other = is_abi0 ? g_strndup(function->name, strlen(function->name) - strlen(ABI0))
			: g_strconcat(function->name, ABI0, NULL);
	found = userfile_named(f, other);
	wraps = found && usergo_of(f, is_abi0 ? function->address : found->address) ==
				 (is_abi0 ? USERGO_COMPILED : USERGO_ASSEMBLER);
	if (wraps) {
		*wrapped = *found;
		wrapped->name = is_abi0 ? found->name : function->name;
	}
	g_free(other);
	return wraps;
}

/* ---- the stack check -------------------------------------------------------------------*/

static int decode(struct userfile *f, const struct disassembler *d, guint64 address,
		  struct disasm *in)
{
	guint8 code[INSTRUCTION];
	gsize n = userfile_bytes(f, address, code, sizeof(code));

	return n && disasm_one(d, address, code, n, in);
}

/*
 * Expects, from an address on, a call that moves the stack and then a jump to the function's
 * beginning; returns the address of the jump. 0: the code is something else.
 */
static guint64 find_again(struct userfile *f, const struct disassembler *d, guint64 address,
			  guint64 beginning)
{
	struct disasm in;
	int moved = 0;

	for (int i = 0; i < AGAIN_MAX && decode(f, d, address, &in); i++, address += in.size) {
		if (in.flow == DISASM_CALL && !moved && grows_stack(f, in.target))
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
	for (int i = 0; d && i < CHECK_MAX && decode(f, d, at, &in); i++, at += in.size) {
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
