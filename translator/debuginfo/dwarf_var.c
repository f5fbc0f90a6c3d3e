/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarf_var.c - variables by DWARF: which are in scope at a place, and their locations there
 * (location lists, frame base, CFI).
 *
 * A location expression becomes steps of a stack machine without frames: the frame base and the
 * canonical frame address are replaced by their own expressions, and an entry value, which needs
 * the caller's registers, is known only at the function's first instruction.
 */
#include "translator/debuginfo/dwarf_var.h"

#include "translator/debuginfo/dwarf.h"
#include "translator/debuginfo/dwarf_function.h"
#include "translator/debuginfo/dwarf_pass.h"
#include "translator/debuginfo/dwarf_private.h"
#include "translator/debuginfo/dwarf_symbol.h"
#include "translator/debuginfo/dwarf_type.h"

#include <stdlib.h>
#include <string.h>

#define EXPANSIONS_MAX 4	/* an expression in an expression: frame base, CFA, entry value */

/* ---- variables in scope -----------------------------------------------------------*/

typedef int seen_fn(Dwarf_Die *die, void *data);	/* 1: enough */

/* Variables visible at pc, inner blocks first, including parameters. */
static int walk_scope(Dwarf_Die *scope, Dwarf_Addr pc, seen_fn *fn, void *data)
{
	Dwarf_Die child;

	if (dwarf_child(scope, &child))
		return 0;
	do {
		if (dwarf_tag(&child) == DW_TAG_lexical_block && dwarf_haspc(&child, pc) > 0 &&
		    walk_scope(&child, pc, fn, data))
			return 1;
	} while (!dwarf_siblingof(&child, &child));
	dwarf_child(scope, &child);
	do {
		int tag = dwarf_tag(&child);

		if ((tag == DW_TAG_formal_parameter || tag == DW_TAG_variable) &&
		    dwarf_diename(&child) && fn(&child, data))
			return 1;
	} while (!dwarf_siblingof(&child, &child));
	return 0;
}

struct search {
	const char	*name;
	Dwarf_Die	found;
};

static int is_it(Dwarf_Die *die, void *data)
{
	struct search *s = data;

	if (strcmp(dwarf_diename(die), s->name))
		return 0;
	s->found = *die;
	return 1;
}

struct naming {
	GPtrArray	*names;
	unsigned	which;
};

static int take_name(Dwarf_Die *die, void *data)
{
	struct naming *n = data;
	const char *name = dwarf_diename(die);

	if (n->which & (dwarf_tag(die) == DW_TAG_variable ? DWARF_LOCALS : DWARF_PARAMETERS) &&
	    !g_ptr_array_find_with_equal_func(n->names, name, g_str_equal, NULL))
		g_ptr_array_add(n->names, (void *)name);
	return 0;
}

GPtrArray *dwarf_names(struct dwarf *d, const struct dwarf_place *place, unsigned which)
{
	struct naming n = { g_ptr_array_new(), which };
	Dwarf_Die die;

	if (dwarf_die_addr_die(d->dw, place->die, &die))
		walk_scope(&die, place->address - d->bias, take_name, &n);
	return n.names;
}

/* ---- locations --------------------------------------------------------------------*/

struct lookup {
	struct dwarf	*d;
	const struct dwarf_place *place;	/* NULL: looking up a global */
	Dwarf_Die	function;
	Dwarf_Addr	pc;
	struct dwarf_value *value;
	const char	*why;
	Dwarf_Attribute	attr;		/* the current location */
	int		expansions;
};

static int no(struct lookup *l, const char *why)
{
	l->why = why;
	return 0;
}

static int put(struct lookup *l, int step, gint64 a, const char *text)
{
	struct dwarf_step s = { step, a, text, 0 };

	g_array_append_val(l->value->steps, s);
	return 1;
}

/*
 * A probe saves the general registers; DWARF numbers them first, followed by the instruction
 * pointer or the stack pointer.
 */
static int is_saved(struct lookup *l, guint64 reg)
{
	return reg <= (dwarf_is_arm64(l->d) ? 31 : 16) ||
	       no(l, "it is in a floating-point register here, and those are not read");
}

static int put_register(struct lookup *l, guint64 reg)
{
	return is_saved(l, reg) && put(l, STEP_REGISTER, (gint64)reg, NULL);
}

static int steps(struct lookup *l, const Dwarf_Op *op, size_t n);

static int frame_base(struct lookup *l)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	if (!dwarf_attr_integrate(&l->function, DW_AT_frame_base, &attr) ||
	    dwarf_getlocation_addr(&attr, l->pc, &ops, &n, 1) != 1)
		return no(l, "its frame is not described here");
	if (n == 1 && ops->atom >= DW_OP_reg0 && ops->atom <= DW_OP_reg31)
		return put_register(l, ops->atom - DW_OP_reg0);
	return steps(l, ops, n);
}

static int frame_address(struct lookup *l)
{
	Dwarf_Addr bias[2] = { 0, 0 }, at = l->pc + l->d->bias;
	Dwarf_CFI *cfi[2] = { dwfl_module_dwarf_cfi(l->d->module, &bias[0]),
			      dwfl_module_eh_cfi(l->d->module, &bias[1]) };
	Dwarf_Frame *frame = NULL;
	Dwarf_Op *ops;
	size_t n;

	for (unsigned i = 0; i < 2 && !frame; i++)
		if (cfi[i] && dwarf_cfi_addrframe(cfi[i], at - bias[i], &frame))
			frame = NULL;
	if (!frame || dwarf_frame_cfa(frame, &ops, &n) || !n)
		return no(l, "its frame is not described here");
	return steps(l, ops, n);
}

/* DW_OP_entry_value of a register: its current value, at the function's first instruction. */
static int entry_value(struct lookup *l, const Dwarf_Op *op)
{
	Dwarf_Attribute inner;
	Dwarf_Addr entry;
	Dwarf_Op *ops;
	size_t n;

	if (dwarf_entrypc(&l->function, &entry) || entry != l->pc ||
	    dwarf_getlocation_attr(&l->attr, op, &inner) || dwarf_getlocation(&inner, &ops, &n) ||
	    n != 1 || ops->atom < DW_OP_reg0 || ops->atom > DW_OP_reg31)
		return no(l, "it is gone here: only the caller still knows what it was");
	return put_register(l, ops->atom - DW_OP_reg0);
}

static const struct { guint8 atom; const char *text;
} binaries[] = {
	{ DW_OP_plus, "+" },  { DW_OP_minus, "-" }, { DW_OP_mul, "*" },  { DW_OP_and, "&" },
	{ DW_OP_or, "|" },    { DW_OP_xor, "^" },   { DW_OP_shl, "<<" }, { DW_OP_shr, ">>>" },
	{ DW_OP_shra, ">>" }, { DW_OP_eq, "==" },   { DW_OP_ne, "!=" },  { DW_OP_lt, "<" },
	{ DW_OP_le, "<=" },   { DW_OP_gt, ">" },    { DW_OP_ge, ">=" },  { DW_OP_div, "/" },
	{ DW_OP_mod, "%" },
};

static int symbol_step(struct lookup *l, Dwarf_Addr address)
{
	struct dwarf_step s = { .step = STEP_SYMBOL, .address = address };
	guint64 offset;

	if (dwarf_symbol(l->d, address + l->d->bias, &s.text, &offset))
		s.a = (gint64)offset;
	g_array_append_val(l->value->steps, s);
	return 1;
}

/* Clang's variables: the address is in a table (.debug_addr). */
static int table_step(struct lookup *l, const Dwarf_Op *op)
{
	Dwarf_Attribute entry;
	Dwarf_Addr address;

	if (dwarf_getlocation_attr(&l->attr, op, &entry) || dwarf_formaddr(&entry, &address))
		return no(l, "its address is not in the debuginfo");
	return symbol_step(l, address);
}

static int step(struct lookup *l, const Dwarf_Op *op)
{
	for (unsigned i = 0; i < G_N_ELEMENTS(binaries); i++)
		if (binaries[i].atom == op->atom)
			return put(l, STEP_BINARY, 0, binaries[i].text);
	if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31)
		return put(l, STEP_NUMBER, op->atom - DW_OP_lit0, NULL);
	if ((op->atom >= DW_OP_const1u && op->atom <= DW_OP_consts))
		return put(l, STEP_NUMBER, (gint64)op->number, NULL);
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)
		return put_register(l, op->atom - DW_OP_breg0) &&
		       put(l, STEP_NUMBER, (gint64)op->number, NULL) && put(l, STEP_BINARY, 0, "+");
	switch (op->atom) {
	case DW_OP_bregx:
		return put_register(l, op->number) &&
		       put(l, STEP_NUMBER, (gint64)op->number2, NULL) &&
		       put(l, STEP_BINARY, 0, "+");
	case DW_OP_addr:
		return symbol_step(l, op->number);
	case DW_OP_addrx:
		return table_step(l, op);
	case DW_OP_fbreg:
		return frame_base(l) && put(l, STEP_NUMBER, (gint64)op->number, NULL) &&
		       put(l, STEP_BINARY, 0, "+");
	case DW_OP_call_frame_cfa:
		return frame_address(l);
	case DW_OP_plus_uconst:
		return put(l, STEP_NUMBER, (gint64)op->number, NULL) && put(l, STEP_BINARY, 0, "+");
	case DW_OP_deref:
		return put(l, STEP_LOAD, 8, NULL);
	case DW_OP_deref_size:
		return put(l, STEP_LOAD, (gint64)op->number, NULL);
	case DW_OP_neg:
		return put(l, STEP_NEGATE, 0, NULL);
	case DW_OP_not:
		return put(l, STEP_NOT, 0, NULL);
	case DW_OP_dup:
		return put(l, STEP_DUP, 0, NULL);
	case DW_OP_swap:
		return put(l, STEP_SWAP, 0, NULL);
	case DW_OP_nop: case DW_OP_GNU_uninit:
		return 1;
	case DW_OP_entry_value: case DW_OP_GNU_entry_value:
		return entry_value(l, op);
	default:
		return no(l, "its location is one that lapwing does not follow");
	}
}

static int steps(struct lookup *l, const Dwarf_Op *op, size_t n)
{
	int fine = l->expansions++ < EXPANSIONS_MAX || no(l, "its location refers to itself");

	for (size_t i = 0; i < n && fine; i++)
		fine = step(l, &op[i]);
	l->expansions--;
	return fine;
}

void dwarf_value_clear(struct dwarf_value *value)
{
	for (guint i = 0; value->pieces && i < value->pieces->len; i++)
		dwarf_value_clear(&g_array_index(value->pieces, struct dwarf_value, i));
	g_clear_pointer(&value->pieces, g_array_unref);
	g_clear_pointer(&value->steps, g_array_unref);
}

/* DW_OP_implicit_value: a constant of up to 8 bytes. */
static int implicit_value(struct lookup *l, const Dwarf_Op *op)
{
	Dwarf_Block block;
	guint64 number = 0;

	if (dwarf_getlocation_implicit_value(&l->attr, op, &block) || block.length > sizeof(number))
		return no(l, "it is a constant of more than 8 bytes here");
	memcpy(&number, block.data, block.length);
	l->value->where = VALUE_COMPUTED;
	return put(l, STEP_NUMBER, (gint64)number, NULL);
}

static int locate(struct lookup *l, const Dwarf_Op *op, size_t n);

/* Each piece is a location, or nothing, followed by its size; the pieces make up the variable. */
static int locate_pieces(struct lookup *l, const Dwarf_Op *op, size_t n)
{
	struct dwarf_value *whole = l->value;
	size_t from = 0;
	int fine = 1;

	whole->where = VALUE_IN_PIECES;
	whole->pieces = g_array_new(FALSE, FALSE, sizeof(struct dwarf_value));
	for (size_t i = 0; i < n && fine; i++) {
		struct dwarf_value piece = { .where = VALUE_GONE,
					     .bits = op[i].number *
						     (op[i].atom == DW_OP_piece ? 8 : 1) };

		if (op[i].atom != DW_OP_piece && op[i].atom != DW_OP_bit_piece)
			continue;
		piece.steps = g_array_new(FALSE, FALSE, sizeof(struct dwarf_step));
		l->value = &piece;
		if (op[i].atom == DW_OP_bit_piece && op[i].number2)
			fine = no(l, "it lies in parts of registers here");
		else if (i > from)
			fine = locate(l, op + from, i - from);
		g_array_append_val(whole->pieces, piece);
		from = i + 1;
	}
	l->value = whole;
	return fine;
}

static int locate(struct lookup *l, const Dwarf_Op *op, size_t n)
{
	struct dwarf_value *v = l->value;

	if (!n)
		return no(l, "it is optimized out here");
	if (op[n - 1].atom == DW_OP_piece || op[n - 1].atom == DW_OP_bit_piece)
		return locate_pieces(l, op, n);
	if (n == 1 && op->atom == DW_OP_implicit_value)
		return implicit_value(l, op);
	if (op->atom == DW_OP_implicit_pointer || op->atom == DW_OP_GNU_implicit_pointer)
		return no(
			l,
			"it is a pointer that is optimized out here; only what it points to is left");
	if (n == 1 &&
	    ((op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31) || op->atom == DW_OP_regx)) {
		v->where = VALUE_IN_REGISTER;
		v->reg = op->atom == DW_OP_regx ? (unsigned)op->number
						: (unsigned)(op->atom - DW_OP_reg0);
		return is_saved(l, v->reg);
	}
	v->where = op[n - 1].atom == DW_OP_stack_value ? VALUE_COMPUTED : VALUE_IN_MEMORY;
	return steps(l, op, n - (v->where == VALUE_COMPUTED));
}

/* The variable's constant value, or its location at l->pc. */
static int take_die(struct lookup *l, Dwarf_Die *die)
{
	Dwarf_Sword number;
	Dwarf_Op *ops;
	size_t n = 0;
	int fine;

	l->value->steps = g_array_new(FALSE, FALSE, sizeof(struct dwarf_step));
	l->value->type = dwarf_type_of(l->d->types, die, &l->value->btf);
	if (dwarf_attr_integrate(die, DW_AT_const_value, &l->attr) &&
	    !dwarf_formsdata(&l->attr, &number)) {
		l->value->where = VALUE_COMPUTED;
		return put(l, STEP_NUMBER, number, NULL);
	}
	if (!dwarf_attr_integrate(die, DW_AT_location, &l->attr))
		fine = no(l, "it is optimized out");
	else if (dwarf_getlocation_addr(&l->attr, l->pc, &ops, &n, 1) != 1)
		fine = no(l, "it is optimized out here");
	else
		fine = locate(l, ops, n);
	if (!fine)
		dwarf_value_clear(l->value);
	return fine;
}

/* The function that owns the frame: for an inlined copy, the enclosing function. */
static void find_frame(struct lookup *l, Dwarf_Die *die)
{
	Dwarf_Die *scopes = NULL;
	int n = dwarf_getscopes_die(die, &scopes);

	l->function = *die;
	for (int i = 0; i < n; i++)
		if (dwarf_tag(&scopes[i]) == DW_TAG_subprogram) {
			l->function = scopes[i];
			break;
		}
	free(scopes);
}

int dwarf_variable(struct dwarf *d, const struct dwarf_place *place, const char *name,
		   struct dwarf_value *value, const char **why)
{
	struct lookup l = {
		.d = d, .place = place, .pc = place->address - d->bias, .value = value
	};
	struct search s = { .name = name };
	Dwarf_Die die;
	int fine;

	memset(value, 0, sizeof(*value));
	if (!dwarf_die_addr_die(d->dw, place->die, &die) || !walk_scope(&die, l.pc, is_it, &s)) {
		*why = NULL;
		return 0;
	}
	find_frame(&l, &die);
	fine = take_die(&l, &s.found);
	*why = l.why;
	return fine;
}

static int is_variable(Dwarf_Die *die, const char *name)
{
	return dwarf_tag(die) == DW_TAG_variable && dwarf_has_name(die, name);
}

int dwarf_file_global(struct dwarf *d, const struct dwarf_place *place, const char *name,
		      struct dwarf_value *value, const char **why)
{
	struct lookup l = { .d = d, .value = value };
	Dwarf_Die die, unit, child;
	int declared = 0;

	memset(value, 0, sizeof(*value));
	*why = NULL;
	if (!dwarf_die_addr_die(d->dw, place->die, &die) || !dwarf_diecu(&die, &unit, NULL, NULL) ||
	    dwarf_child(&unit, &child))
		return 0;
	do {
		if (!is_variable(&child, name))
			continue;
		declared = 1;
		if (dwarf_hasattr_integrate(&child, DW_AT_location) && take_die(&l, &child))
			return 1;
	} while (!dwarf_siblingof(&child, &child));
	*why = l.why;
	return declared && dwarf_global(d, name, NULL, value, why);
}

struct search_global {
	struct lookup	l;
	const char	*name, *file;
};

static int take_global(void *data, Dwarf_Die *die)
{
	struct search_global *s = data;

	return is_variable(die, s->name) && dwarf_hasattr_integrate(die, DW_AT_location) &&
	       dwarf_file_matches(dwarf_source(die), s->file) && take_die(&s->l, die);
}

int dwarf_global(struct dwarf *d, const char *name, const char *file, struct dwarf_value *value,
		 const char **why)
{
	struct search_global s = { { .d = d, .value = value }, name, file };
	int taken;

	memset(value, 0, sizeof(*value));
	taken = dwarf_visit(d, take_global, &s);
	*why = s.l.why ? s.l.why : "the debuginfo has no such variable";
	return taken;
}
