/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * userframe.c - see userframe.h. The answer comes from call frame information (.eh_frame, else
 * .debug_frame); if it does not cover the address, from names and tables.
 */
#include "translator/debuginfo/userframe.h"

#include "translator/debuginfo/debuginfo.h"

#include <elfutils/libdwfl.h>
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

/*
 * DWARF's register numbers, and the CFA's offset from the stack pointer at a function's entry.
 */
struct convention {
	int	return_address, stack, offset;
};
static const struct convention x86_64 = { 16, 7, 8 }, arm64 = { 30, 31, 0 };

enum row { NO_ROW, CALLED, JUMPED_TO, NEVER_RETURNS, BY_EXPRESSION };

/* True if the return address is just below the CFA (x86-64), or still in its register (arm64). */
static int holds_address(const struct convention *c, Dwarf_Frame *frame, int *is_undefined)
{
	Dwarf_Op room[3], *ops;
	size_t n;

	if (dwarf_frame_register(frame, c->return_address, room, &ops, &n))
		return 0;
	*is_undefined = !n && ops;
	if (!c->offset)
		return !n && !ops;
	return n == 2 && ops[0].atom == DW_OP_call_frame_cfa && ops[1].atom == DW_OP_plus_uconst &&
	       (gint64)ops[1].number == -c->offset;
}

static enum row judge(const struct convention *c, Dwarf_Frame *frame)
{
	int is_undefined = 0, is_held = holds_address(c, frame, &is_undefined);
	Dwarf_Op *ops;
	size_t n;

	if (is_undefined)
		return NEVER_RETURNS;
	if (!is_held || dwarf_frame_cfa(frame, &ops, &n))
		return JUMPED_TO;
	if (n != 1 || ops->atom != DW_OP_bregx)
		return BY_EXPRESSION;
	return (int)ops->number == c->stack && (gint64)ops->number2 == c->offset ? CALLED
										 : JUMPED_TO;
}

static enum row row_at(struct userfile *f, guint64 address)
{
	const struct convention *c = strcmp(userfile_arch(f), "arm64") ? &x86_64 : &arm64;
	guint64 bias;
	Dwfl_Module *module = userfile_module(f, &bias);

	for (int i = 0; i < 2; i++) {
		Dwarf_Addr of_cfi;
		Dwarf_CFI *cfi = i ? dwfl_module_dwarf_cfi(module, &of_cfi)
				   : dwfl_module_eh_cfi(module, &of_cfi);
		Dwarf_Frame *frame;
		enum row row;

		if (!cfi || dwarf_cfi_addrframe(cfi, address + bias - of_cfi, &frame))
			continue;
		row = judge(c, frame);
		free(frame);
		return row;
	}
	return NO_ROW;
}

enum userframe_stack userframe_stack_at(struct userfile *f, guint64 address)
{
	switch (row_at(f, address)) {
	case NO_ROW:
		return USERFRAME_UNKNOWN;
	case CALLED:
		return USERFRAME_ENTERED;
	default:
		return USERFRAME_USED;
	}
}

/* True for a label: another function begins before it and contains it. */
static int is_within_another(struct userfile *f, guint64 address)
{
	const struct userfile_function *g = NULL;

	while ((g = userfile_around(f, address, g)))
		if (g->address < address)
			return 1;
	return 0;
}

static int has_name(const char *name)
{
	static const char *const names[] = { "setjmp", "sigsetjmp", "sigsetjmp_cancel",
					     "getcontext", "swapcontext" };

	name += strspn(name, "_");
	for (unsigned i = 0; i < G_N_ELEMENTS(names); i++)
		if (!strcmp(name, names[i]))
			return 1;
	return 0;
}

int userframe_returns_twice(struct userfile *f, const struct userfile_function *function)
{
	const struct userfile_function *g = NULL;

	while ((g = userfile_around(f, function->address, g)))
		if (g->address == function->address && has_name(g->name))
			return 1;
	return has_name(function->name);		/* a stub's */
}

const char *userframe_problem(struct userfile *f, const struct userfile_function *function,
			      guint64 address, int is_stub)
{
	enum row row = row_at(f, address);

	if (row == NEVER_RETURNS || function->address == userfile_entry(f))
		return "the program begins there, so there is no return address";
	/* a stub's CFA is an expression; at its first instruction, it has pushed nothing */
	if (row == CALLED || (row == BY_EXPRESSION && is_stub))
		return NULL;
	if (row != NO_ROW)
		return "it is jumped to, not called: no return address is where the kernel would replace it";
	if (debuginfo_is_part(function->name))
		return "it is a part of a function, and may be jumped to";
	/*
	 * a stub is recognized by its code: it is entered by calls and by tail calls
	 */
	if (is_stub)
		return NULL;
	return is_within_another(f, function->address)
		       ? "it lies within another function, and may be jumped to"
		       : NULL;
}
