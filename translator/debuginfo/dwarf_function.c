/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarf_function.c - a function as its caller sees it (dwarf.h): parameters by the ABI, the result's type; and types by their names.
 *
 * x86-64 passes integers and pointers in 6 registers, arm64 in 8; a struct of up to 16 bytes takes one or two of them, a larger one lies on
 * the stack (x86-64) or is passed by address (arm64). Floating-point values have registers of their own, which no runtime reads.
 */
#include "translator/debuginfo/dwarf_private.h"

#include <string.h>

int dwarf_is_arm64(struct dwarf *d)
{
	GElf_Ehdr header;
	Dwarf_Addr bias;
	Elf *elf = dwfl_module_getelf(d->module, &bias);

	return elf && gelf_getehdr(elf, &header) && header.e_machine == EM_AARCH64;
}

/* A type without its names and qualifiers. 0: void. */
static int plain_type(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute attr;

	return dwarf_attr_integrate(die, DW_AT_type, &attr) && dwarf_formref_die(&attr, type) && !dwarf_peel_type(type, type);
}

static int is_float(Dwarf_Die *type)
{
	Dwarf_Attribute attr;
	Dwarf_Word encoding;

	return dwarf_tag(type) == DW_TAG_base_type && dwarf_attr(type, DW_AT_encoding, &attr) && !dwarf_formudata(&attr, &encoding) &&
	       (encoding == DW_ATE_float || encoding == DW_ATE_complex_float);
}

/* Where the next parameter is passed. */
struct passing {
	unsigned	registers, used, stack;
	int		arm64;
};

/* Slot of a parameter, counted in registers, then on the stack; -1: in none. */
static int pass_one(struct passing *p, Dwarf_Die *parameter)
{
	Dwarf_Die type;
	Dwarf_Word size = 8;
	unsigned words, slot;
	int large;

	if (plain_type(parameter, &type)) {
		if (is_float(&type))
			return -1;
		dwarf_aggregate_size(&type, &size);
	}
	words = (unsigned)((size + 7) / 8);
	large = words > 2;
	if (!words || (large && p->arm64))
		words = 1;
	if ((!large || p->arm64) && p->used + words <= p->registers) {
		slot = p->used;
		p->used += words;
	} else {
		if (p->arm64)
			p->used = p->registers;
		slot = p->registers + p->stack;
		p->stack += words;
	}
	return (int)slot;
}

/* The place's function, which what is inlined has none of its own. 0: there is none. */
static int function_of(struct dwarf *d, const struct dwarf_place *place, Dwarf_Die *function)
{
	return dwarf_die_addr_die(d->dw, place->die, function) && dwarf_tag(function) == DW_TAG_subprogram;
}

/* Does a parameter lie in its function's frame, at all of its instructions alike? So does code that is not optimized have them. */
static int is_in_frame(Dwarf_Die *parameter)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	return dwarf_attr(parameter, DW_AT_location, &attr) && !dwarf_getlocation(&attr, &ops, &n) && n == 1 && ops->atom == DW_OP_fbreg;
}

int dwarf_parameter(struct dwarf *d, const struct dwarf_place *place, const char *name, struct dwarf_value *value, const char **why)
{
	struct passing p = { .arm64 = dwarf_is_arm64(d) };
	Dwarf_Die function, child, type;
	int slot = -1, found = 0;

	p.registers = p.arm64 ? 8 : 6;
	if (function_of(d, place, &function) && plain_type(&function, &type)) {
		Dwarf_Word size = 0;

		dwarf_aggregate_size(&type, &size);
		p.used = !p.arm64 && size > 16;		/* the first is the address for the result */
	}
	if (function_of(d, place, &function) && !dwarf_child(&function, &child))
		do {
			if (dwarf_tag(&child) != DW_TAG_formal_parameter)
				continue;
			slot = pass_one(&p, &child);
			found = dwarf_diename(&child) && !strcmp(dwarf_diename(&child), name);
		} while (!found && !dwarf_siblingof(&child, &child));
	if (!found || !is_in_frame(&child))
		return dwarf_variable(d, place, name, value, why);
	memset(value, 0, sizeof(*value));
	*why = "it is passed in a floating-point register";
	if (slot < 0)
		return 0;
	value->where = VALUE_IN_ARGUMENT;
	value->reg = (unsigned)slot;
	value->type = dwarf_type_of(d->types, &child, &value->btf);
	value->steps = g_array_new(FALSE, FALSE, sizeof(struct dwarf_step));
	return 1;
}

guint32 dwarf_result(struct dwarf *d, const struct dwarf_place *place, const struct btf **btf)
{
	Dwarf_Die function, type;

	if (!function_of(d, place, &function) || (plain_type(&function, &type) && is_float(&type)))
		return 0;
	return dwarf_type_of(d->types, &function, btf);
}

guint32 dwarf_prototype(struct dwarf *d, const char *name, const struct btf **btf)
{
	struct dwarf_query q = { .kind = DWARF_ENTRY, .function = name };
	GArray *places = dwarf_places(d, &q);
	Dwarf_Die function;
	guint32 id = 0;

	if (places->len && function_of(d, &g_array_index(places, struct dwarf_place, 0), &function))
		id = dwarf_prototype_of(d->types, &function, btf);
	g_array_unref(places);
	return id;
}

/* ---- by address and by name ----------------------------------------------------------*/

guint64 dwarf_linked(const struct dwarf *d, const struct dwarf_place *place)
{
	return place->address - d->bias;
}

int dwarf_place_at(struct dwarf *d, guint64 address, struct dwarf_place *place)
{
	GArray *one = g_array_new(FALSE, FALSE, sizeof(struct dwarf_place));
	Dwarf_Die *unit = NULL, whole, child;
	Dwarf_Addr bias;
	int found = 0;

	while (!found && (unit = dwfl_module_nextcu(d->module, unit, &bias))) {
		if (!dwarf_whole_unit(unit, &whole) || dwarf_child(&whole, &child))
			continue;
		do {
			found = dwarf_tag(&child) == DW_TAG_subprogram && dwarf_haspc(&child, address) > 0 && dwarf_add_entry(d, one, &child);
		} while (!found && !dwarf_siblingof(&child, &child));
	}
	if (found) {
		*place = g_array_index(one, struct dwarf_place, 0);
		place->address = address + d->bias;
	}
	g_array_unref(one);
	return found;
}

static const struct { const char *word; int tag; } named[] = {
	{ "struct ", DW_TAG_structure_type }, { "union ", DW_TAG_union_type }, { "enum ", DW_TAG_enumeration_type },
	{ "", DW_TAG_structure_type }, { "", DW_TAG_union_type }, { "", DW_TAG_typedef }, { "", DW_TAG_base_type },
	{ "", DW_TAG_enumeration_type }, { "", DW_TAG_class_type },
};

static int is_named(Dwarf_Die *die, const char *name)
{
	if (!dwarf_diename(die) || dwarf_hasattr(die, DW_AT_declaration))
		return 0;
	for (unsigned i = 0; i < G_N_ELEMENTS(named); i++)
		if (dwarf_tag(die) == named[i].tag && g_str_has_prefix(name, named[i].word) &&
		    !strcmp(dwarf_diename(die), name + strlen(named[i].word)))
			return 1;
	return 0;
}

guint32 dwarf_type(struct dwarf *d, const char *name, const struct btf **btf)
{
	Dwarf_Die *unit = NULL, whole, child;
	Dwarf_Addr bias;

	while ((unit = dwfl_module_nextcu(d->module, unit, &bias))) {
		if (!dwarf_whole_unit(unit, &whole) || dwarf_child(&whole, &child))
			continue;
		do {
			if (is_named(&child, name))
				return dwarf_type_itself(d->types, &child, btf);
		} while (!dwarf_siblingof(&child, &child));
	}
	return 0;
}
