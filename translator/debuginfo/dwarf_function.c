/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarf_function.c - a function as its caller sees it (dwarf.h): parameters where the ABI passes
 * them (dwarf_pass.c), the result's type; and types by name. Floating-point values are passed in
 * registers of their own, which no runtime reads.
 */
#include "translator/debuginfo/dwarf_function.h"

#include "translator/debuginfo/dwarf.h"
#include "translator/debuginfo/dwarf_pass.h"
#include "translator/debuginfo/dwarf_private.h"
#include "translator/debuginfo/dwarf_type.h"
#include "translator/debuginfo/dwarf_var.h"

#include <string.h>

/* The place's function. 0: none; an inlined copy has no function of its own. */
static int function_of(struct dwarf *d, const struct dwarf_place *place, Dwarf_Die *function)
{
	return dwarf_die_addr_die(d->dw, place->die, function) &&
	       dwarf_tag(function) == DW_TAG_subprogram;
}

/* True if a parameter, or its address, is in its function's frame for all of the function's
 * instructions. Unoptimized code does this, once it has stored them. */
static int is_in_frame(Dwarf_Die *parameter)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	return dwarf_attr(parameter, DW_AT_location, &attr) &&
	       !dwarf_getlocation(&attr, &ops, &n) && n && ops->atom == DW_OP_fbreg &&
	       (n == 1 || (n == 2 && ops[1].atom == DW_OP_deref));
}

/* Callers compiled separately pass a parameter even if it has no location. */
static int is_called_by_abi(Dwarf_Die *function, const struct dwarf_place *place)
{
	return dwarf_hasattr_integrate(function, DW_AT_external) && !strchr(place->symbol, '.');
}

/* A value with one word in an integer register, which is read, and one in a floating-point one. */
static void take_pieces(struct dwarf_value *value, const struct passed *at)
{
	value->where = VALUE_IN_PIECES;
	value->pieces = g_array_new(FALSE, FALSE, sizeof(struct dwarf_value));
	for (unsigned i = 0; i < 2; i++) {
		struct dwarf_value piece = { .where = at->slot[i] < 0 ? VALUE_GONE
								      : VALUE_IN_ARGUMENT,
					     .reg = (unsigned)MAX(at->slot[i], 0),
					     .bits = 64 };

		g_array_append_val(value->pieces, piece);
	}
}

/* Sets value to where the caller passes the parameter. 0 with *why. */
static int take_passed(struct dwarf *d, Dwarf_Die *parameter, const struct passed *at,
		       struct dwarf_value *value, const char **why)
{
	memset(value, 0, sizeof(*value));
	*why = "it is passed in a floating-point register";
	if (at->slot[0] < 0 && at->slot[1] < 0)
		return 0;
	value->type = dwarf_type_of(d->types, parameter, &value->btf);
	value->where = at->by_reference ? VALUE_AT_ARGUMENT : VALUE_IN_ARGUMENT;
	value->reg = (unsigned)at->slot[0];
	if (at->words == 2 && (at->slot[0] < 0 || at->slot[1] < 0))
		take_pieces(value, at);
	return 1;
}

int dwarf_parameter(struct dwarf *d, const struct dwarf_place *place, const char *name,
		    struct dwarf_value *value, const char **why)
{
	struct passing p;
	struct passed at;
	Dwarf_Die function, child;
	int found = 0;

	if (function_of(d, place, &function) && !dwarf_child(&function, &child)) {
		dwarf_pass_begin(d, &function, &p);
		do {
			if (dwarf_tag(&child) != DW_TAG_formal_parameter)
				continue;
			dwarf_pass(&p, &child, &at);
			found = dwarf_diename(&child) && !strcmp(dwarf_diename(&child), name);
		} while (!found && !dwarf_siblingof(&child, &child));
	}
	if (!found || !is_in_frame(&child)) {
		if (dwarf_variable(d, place, name, value, why))
			return 1;
		if (!found || !is_called_by_abi(&function, place))
			return 0;
	}
	return take_passed(d, &child, &at, value, why);
}

guint32 dwarf_result(struct dwarf *d, const struct dwarf_place *place, const struct btf **btf)
{
	Dwarf_Die function, type;

	if (!function_of(d, place, &function) ||
	    (dwarf_plain_type(&function, &type) && dwarf_result_floats(d, &type)))
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

int dwarf_begins_statement(struct dwarf *d, guint64 linked)
{
	Dwfl_Line *line = dwfl_module_getsrc(d->module, linked + d->bias);
	Dwarf_Addr begin;

	return line && dwfl_lineinfo(line, &begin, NULL, NULL, NULL, NULL) &&
	       begin == linked + d->bias;
}

struct search_place {
	struct dwarf	*d;
	guint64		address;
	GArray		*one;
};

static int take_function_at(void *data, Dwarf_Die *die)
{
	struct search_place *s = data;

	return dwarf_tag(die) == DW_TAG_subprogram && dwarf_haspc(die, s->address) > 0 &&
	       dwarf_add_entry(s->d, s->one, die);
}

int dwarf_place_at(struct dwarf *d, guint64 address, struct dwarf_place *place)
{
	GArray *one = g_array_new(FALSE, FALSE, sizeof(struct dwarf_place));
	struct search_place s = { d, address, one };
	int found = dwarf_visit(d, take_function_at, &s);

	if (found) {
		*place = g_array_index(one, struct dwarf_place, 0);
		place->address = address + d->bias;
	}
	g_array_unref(one);
	return found;
}

static const struct { const char *word; int tag;
} named[] = {
	{ "struct ", DW_TAG_structure_type },
	{ "struct ", DW_TAG_class_type },
	{ "class ", DW_TAG_class_type },
	{ "class ", DW_TAG_structure_type },
	{ "union ", DW_TAG_union_type },
	{ "enum ", DW_TAG_enumeration_type },
	{ "", DW_TAG_structure_type },
	{ "", DW_TAG_union_type },
	{ "", DW_TAG_typedef },
	{ "", DW_TAG_base_type },
	{ "", DW_TAG_enumeration_type },
	{ "", DW_TAG_class_type },
};

int dwarf_has_name(Dwarf_Die *die, const char *name)
{
	char *scoped;
	int has;

	if (!dwarf_diename(die) || !strstr(name, "::"))
		return dwarf_diename(die) && !strcmp(dwarf_diename(die), name);
	scoped = dwarf_scoped_name(die);
	has = !strcmp(scoped, name);
	g_free(scoped);
	return has;
}

static int is_named(Dwarf_Die *die, const char *name)
{
	if (dwarf_hasattr(die, DW_AT_declaration))
		return 0;
	for (unsigned i = 0; i < G_N_ELEMENTS(named); i++)
		if (dwarf_tag(die) == named[i].tag && g_str_has_prefix(name, named[i].word) &&
		    dwarf_has_name(die, name + strlen(named[i].word)))
			return 1;
	return 0;
}

struct search_type {
	struct dwarf	*d;
	const char	*name;
	const struct btf **btf;
	guint32		id;
};

static int take_type(void *data, Dwarf_Die *die)
{
	struct search_type *s = data;
	int tag = dwarf_tag(die);

	if (is_named(die, s->name)) {
		s->id = dwarf_type_itself(s->d->types, die, s->btf);
		return 1;
	}
	return (tag == DW_TAG_class_type || tag == DW_TAG_structure_type) &&
	       dwarf_visit_scope(die, take_type, s);
}

guint32 dwarf_type(struct dwarf *d, const char *name, const struct btf **btf)
{
	struct search_type s = { d, name, btf, 0 };

	dwarf_visit(d, take_type, &s);
	return s.id;
}
