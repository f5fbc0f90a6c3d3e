/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarf_pass.c - where parameters and the result are passed: the psABI of x86-64 and AAPCS64, for
 * integers, pointers, structs, and values in floating-point registers.
 *
 * x86-64 passes integers and pointers in 6 registers, arm64 in 8. A struct of up to 16 bytes takes
 * one or two registers, of the class of its words; a larger one is passed on the stack (x86-64) or
 * by address (arm64), as is a C++ object that is not trivially copyable. When no registers are
 * left, a parameter is passed on the stack.
 */
#include "translator/debuginfo/dwarf_pass.h"

#include "translator/debuginfo/dwarf_private.h"

#include <string.h>

#define FLOATS		8	/* floating-point registers for parameters, on both */
#define BY_REFERENCE	4	/* DW_CC_pass_by_reference */
/* members of a struct that arm64 passes in floating-point registers */
#define HFA_MAX		4

static int number_of(Dwarf_Die *die, unsigned attribute, Dwarf_Word *value)
{
	Dwarf_Attribute attr;

	return dwarf_attr_integrate(die, attribute, &attr) && !dwarf_formudata(&attr, value);
}

int dwarf_plain_type(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute attr;

	return dwarf_attr_integrate(die, DW_AT_type, &attr) && dwarf_formref_die(&attr, type) &&
	       !dwarf_peel_type(type, type);
}

/* A constant, or (DWARF 2) an expression that adds a constant to the object's address. */
static Dwarf_Word member_byte(Dwarf_Die *member)
{
	Dwarf_Attribute attr;
	Dwarf_Word value = 0;
	Dwarf_Op *ops;
	size_t n;

	if (number_of(member, DW_AT_data_member_location, &value) ||
	    !dwarf_attr_integrate(member, DW_AT_data_member_location, &attr) ||
	    dwarf_getlocation(&attr, &ops, &n) || n != 1 || ops->atom != DW_OP_plus_uconst)
		return value;
	return ops->number;
}

/*
 * Up to DWARF 4, a bit field lies in a storage unit; DW_AT_bit_offset is its distance from the
 * unit's most significant bit, and may be negative.
 */
guint64 dwarf_member_bit(Dwarf_Die *member)
{
	Dwarf_Word bit = 0, width = 0, unit = 0;
	Dwarf_Sword from_top = 0;
	Dwarf_Attribute attr;
	Dwarf_Die type;

	if (number_of(member, DW_AT_data_bit_offset, &bit))
		return bit;
	bit = member_byte(member) * 8;
	if (!dwarf_attr_integrate(member, DW_AT_bit_offset, &attr) ||
	    dwarf_formsdata(&attr, &from_top) || !number_of(member, DW_AT_bit_size, &width))
		return bit;
	if (!number_of(member, DW_AT_byte_size, &unit) && dwarf_plain_type(member, &type))
		dwarf_aggregate_size(&type, &unit);
	return bit + unit * 8 - width - (Dwarf_Word)from_top;
}

static int is_float(Dwarf_Die *type)
{
	Dwarf_Word encoding;

	return dwarf_tag(type) == DW_TAG_base_type && number_of(type, DW_AT_encoding, &encoding) &&
	       (encoding == DW_ATE_float || encoding == DW_ATE_complex_float);
}

static int is_aggregate(Dwarf_Die *type)
{
	int tag = dwarf_tag(type);

	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

/* ---- contents of a type's words -------------------------------------------------------*/

struct words {
	int		integer[2], floating[2];	/* the word contains such a field */
	unsigned	floats;				/* number of floating fields of the same
							 * size, if all fields are */
	Dwarf_Word	size;				/* their size */
};

static void take_words(struct words *w, Dwarf_Die *type, Dwarf_Word at, int depth);

static void take_members(struct words *w, Dwarf_Die *type, Dwarf_Word at, int depth)
{
	Dwarf_Die child, member;

	if (!dwarf_child(type, &child))
		do {
			if ((dwarf_tag(&child) != DW_TAG_member &&
			     dwarf_tag(&child) != DW_TAG_inheritance) ||
			    dwarf_hasattr(&child, DW_AT_external) ||
			    !dwarf_plain_type(&child, &member))
				continue;
			take_words(w, &member, at + dwarf_member_bit(&child) / 8, depth + 1);
		} while (!dwarf_siblingof(&child, &child));
}

static void take_words(struct words *w, Dwarf_Die *type, Dwarf_Word at, int depth)
{
	Dwarf_Word size = 0, step = 0;
	Dwarf_Die of;

	dwarf_aggregate_size(type, &size);
	if (is_aggregate(type) && depth < 8) {
		take_members(w, type, at, depth);
	} else if (dwarf_tag(type) == DW_TAG_array_type && dwarf_plain_type(type, &of) &&
		   !dwarf_aggregate_size(&of, &step) && step) {
		for (Dwarf_Word i = 0; i < size && at + i < 16; i += step)
			take_words(w, &of, at + i, depth + 1);
	} else if (is_float(type)) {
		w->floats += !w->size || w->size == size ? 1 : HFA_MAX + 1;
		w->size = size;
		for (Dwarf_Word i = at; i < at + size && i < 16; i += 8)
			w->floating[i / 8] = 1;
	} else {
		for (Dwarf_Word i = at; i < at + MAX(size, 1) && i < 16; i += 8)
			w->integer[i / 8] = 1;
	}
}

/* ---- passing -----------------------------------------------------------------------------*/

int dwarf_is_arm64(struct dwarf *d)
{
	GElf_Ehdr header;
	Dwarf_Addr bias;
	Elf *elf = dwfl_module_getelf(d->module, &bias);

	return elf && gelf_getehdr(elf, &header) && header.e_machine == EM_AARCH64;
}

/* A 16-byte integer, which starts at an even word. */
static int is_wide(Dwarf_Die *type, Dwarf_Word size)
{
	return dwarf_tag(type) == DW_TAG_base_type && size == 16;
}

static void pass_on_stack(struct passing *p, struct passed *to, Dwarf_Die *type, unsigned words,
			  Dwarf_Word size)
{
	if (p->arm64)
		p->used = p->registers;
	if (is_wide(type, size))
		p->stack += p->stack & 1;
	to->slot[0] = (int)(p->registers + p->stack);
	to->slot[1] = to->slot[0] + 1;
	p->stack += words;
}

/*
 * A C++ object with a user-provided destructor or virtual functions, or with a member or base that
 * has them: gcc 12 records no more than that.
 */
static int is_object(Dwarf_Die *type, int depth)
{
	Dwarf_Word how = 0;
	Dwarf_Die child, member;
	int is = 0;

	if (!is_aggregate(type) || depth > 8)
		return 0;
	if (number_of(type, DW_AT_calling_convention, &how))
		return how == BY_REFERENCE;
	if (!dwarf_child(type, &child))
		do {
			const char *name = dwarf_diename(&child);
			int tag = dwarf_tag(&child);

			if (tag == DW_TAG_subprogram)
				is = name && *name == '~' &&
				     !dwarf_hasattr(&child, DW_AT_defaulted);
			else if (tag == DW_TAG_member || tag == DW_TAG_inheritance)
				is = (name && g_str_has_prefix(name, "_vptr")) ||
				     dwarf_hasattr(&child, DW_AT_virtuality) ||
				     (!dwarf_hasattr(&child, DW_AT_external) &&
				      dwarf_plain_type(&child, &member) &&
				      is_object(&member, depth + 1));
		} while (!is && !dwarf_siblingof(&child, &child));
	return is;
}

static int is_by_reference(const struct passing *p, Dwarf_Die *type, Dwarf_Word size)
{
	return is_aggregate(type) && ((p->arm64 && size > 16) || is_object(type, 0));
}

/* The register class of the words: on arm64 a struct uses one class. */
static void kinds_of(const struct passing *p, struct words *w, Dwarf_Die *type, unsigned words,
		     unsigned *floats, unsigned *integers)
{
	int integer = w->integer[0] || w->integer[1];

	*floats = 0;
	if (p->arm64 && !integer && w->floats && w->floats <= HFA_MAX)
		*floats = is_aggregate(type) ? w->floats : words;
	if (!p->arm64)
		for (unsigned i = 0; i < words; i++)
			*floats += w->floating[i] && !w->integer[i];
	*integers = p->arm64 && *floats ? 0 : words - MIN(words, *floats);
}

void dwarf_pass(struct passing *p, Dwarf_Die *parameter, struct passed *to)
{
	unsigned words, floats, integers, taken = 0;
	struct words w = { .floats = 0 };
	Dwarf_Word size = 8;
	Dwarf_Die type;

	*to = (struct passed){ { -1, -1 }, 1, 0 };
	if (!dwarf_plain_type(parameter, &type)) {
		w.integer[0] = 1;
		memset(&type, 0, sizeof(type));
	} else {
		dwarf_aggregate_size(&type, &size);
		take_words(&w, &type, 0, 0);
		to->by_reference = is_by_reference(p, &type, size);
	}
	if (to->by_reference) {
		w = (struct words){ .integer = { 1, 0 } };
		size = 8;
	}
	words = to->words = (unsigned)MAX((size + 7) / 8, 1);
	kinds_of(p, &w, &type, MIN(words, 2), &floats, &integers);
	if ((words > 2 && !(p->arm64 && floats)) ||
	    (!p->arm64 && floats && size == 16 && w.size == 16) ||
	    p->used + integers > p->registers || p->floats + floats > FLOATS) {
		pass_on_stack(p, to, &type, words, size);
		return;
	}
	if (p->arm64 && is_wide(&type, size) && integers == 2)
		p->used += p->used & 1;
	for (unsigned i = 0; i < 2 && i < words; i++)
		if (integers && !(!p->arm64 && w.floating[i] && !w.integer[i]))
			to->slot[i] = (int)(p->used + taken++);
	p->used += integers;
	p->floats += floats;
}

void dwarf_pass_begin(struct dwarf *d, Dwarf_Die *function, struct passing *p)
{
	Dwarf_Word size = 0;
	Dwarf_Die type;

	*p = (struct passing){ .arm64 = dwarf_is_arm64(d) };
	p->registers = p->arm64 ? 8 : 6;
	if (p->arm64 || !dwarf_plain_type(function, &type) || !is_aggregate(&type))
		return;
	dwarf_aggregate_size(&type, &size);
	p->used = size > 16 || is_object(&type, 0);	/* the first register is the address for
							 * the result */
}

int dwarf_result_floats(struct dwarf *d, Dwarf_Die *type)
{
	struct passing p = { .arm64 = dwarf_is_arm64(d), .registers = 2 };
	struct words w = { .floats = 0 };
	Dwarf_Word size = 0;
	unsigned floats, integers;

	dwarf_aggregate_size(type, &size);
	if (is_aggregate(type) && (size > 16 || is_by_reference(&p, type, size)))
		return 0;
	take_words(&w, type, 0, 0);
	kinds_of(&p, &w, type, (unsigned)MIN((size + 7) / 8, 2), &floats, &integers);
	return floats > 0;
}
