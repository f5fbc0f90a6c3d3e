/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarf_location.c - variables that only DWARF describes (variable.h): their locations as plain AST
 * nodes.
 */
#include "translator/target_var/dwarf_location.h"

#include "translator/debuginfo/debuginfo.h"
#include "translator/debuginfo/dwarf.h"
#include "translator/debuginfo/dwarf_function.h"
#include "translator/debuginfo/dwarf_symbol.h"
#include "translator/debuginfo/dwarf_var.h"
#include "translator/debuginfo/files.h"
#include "translator/families/family.h"
#include "translator/target_var/location.h"
#include "translator/target_var/user_variable.h"
#include "translator/target_var/variable.h"

#include <string.h>

static struct ast_node *unary(struct lowering *l, const char *op, struct ast_node *of)
{
	struct ast_node *n = ast_node_new(l->prog->ast, AST_UNARY, l->node->loc);

	n->mark = l->node->mark;
	n->u.unary.op = g_intern_string(op);
	n->u.unary.operand = of;
	return n;
}

static struct ast_node *pop(GPtrArray *stack)
{
	return stack->len ? g_ptr_array_remove_index(stack, stack->len - 1) : NULL;
}

static int is_alone(void *info, const char *name)
{
	return debuginfo_alike(info, name, NULL) == 1;
}

/*
 * An address relative to its symbol; if the kernel hides the symbol, or has several with that name,
 * relative to a function. NULL: no symbol nearby.
 */
static struct ast_node *symbol_address(struct lowering *l, const struct dwarf_step *s,
				       const char *module)
{
	const char *why, *name = s->text;
	struct dwarf *d = module ? NULL : debuginfo_dwarf(l->prog->info, NULL, &why);
	gint64 away = 0;

	if (name && d && debuginfo_lists(l->prog->info, name) != 1)
		dwarf_anchor(d, s->address, is_alone, l->prog->info, &name, &away);
	return name ? lower_symbol(l, name, module, s->a + away) : NULL;
}

/* Executes one step; 0: the stack has too few values. */
static int take_step(struct lowering *l, GPtrArray *stack, const struct dwarf_step *s,
		     const char *module)
{
	struct ast_node *b = s->step == STEP_NUMBER || s->step == STEP_REGISTER ||
					     s->step == STEP_SYMBOL
				     ? NULL
				     : pop(stack),
			*a = NULL;
	struct location here = { .where = IN_REGISTER, .slot = (unsigned)s->a };

	if ((s->step == STEP_BINARY || s->step == STEP_SWAP) && !(a = pop(stack)))
		return 0;
	switch (s->step) {
	case STEP_NUMBER:
		b = lower_number(l, s->a);
		break;
	case STEP_REGISTER:
		b = lower_word(l, here, 0);
		break;
	case STEP_SYMBOL:
		b = l->user ? lower_user_address(l, s->address) : symbol_address(l, s, module);
		break;
	case STEP_LOAD:
		b = b ? lower_load(l, b, s->a) : NULL;
		break;
	case STEP_BINARY:
		b = b ? lower_binary(l, a, s->text, b) : NULL;
		break;
	case STEP_NEGATE: case STEP_NOT:
		b = b ? unary(l, s->step == STEP_NOT ? "~" : "-", b) : NULL;
		break;
	case STEP_DUP:
		if (b)
			g_ptr_array_add(stack, b);
		b = b ? ast_copy(l->prog->ast, b) : NULL;
		break;
	case STEP_SWAP:
		if (b)
			g_ptr_array_add(stack, b);
		b = b ? a : NULL;
		break;
	}
	if (b)
		g_ptr_array_add(stack, b);
	return b != NULL;
}

static struct ast_node *compute(struct lowering *l, const GArray *steps, const char *module)
{
	GPtrArray *stack = g_ptr_array_new();
	struct ast_node *n = NULL;
	guint i;

	for (i = 0; i < steps->len &&
		    take_step(l, stack, &g_array_index(steps, struct dwarf_step, i), module);
	     i++)
		;
	if (i == steps->len)
		n = pop(stack);
	if (!n)
		location_fail(l, "its location cannot be computed");
	g_ptr_array_free(stack, TRUE);
	return n;
}

static struct location location_of_piece(struct lowering *l, const struct dwarf_value *value,
					 const char *module)
{
	struct location p = { .type = value->type, .where = IN_REGISTER, .slot = value->reg };

	if (value->where == VALUE_GONE) {
		p.where = IN_NONE;
	} else if (value->where == VALUE_IN_ARGUMENT) {
		p.where = IN_ARGUMENT;
	} else if (value->where == VALUE_AT_ARGUMENT) {
		p.base = lower_word(
			l, (struct location){ .where = IN_ARGUMENT, .slot = value->reg }, 0);
		p.where = IN_MEMORY;
	} else if (value->where != VALUE_IN_REGISTER) {
		p.where = value->where == VALUE_IN_MEMORY ? IN_MEMORY : COMPUTED;
		p.base = compute(l, value->steps, module);
		if (!p.base)
			p.where = IN_NONE;
	}
	return p;
}

struct location dwarf_location_value(struct lowering *l, struct dwarf_value *value,
				     const char *module)
{
	struct location p = { .type = value->type, .where = IN_PIECES };
	struct location_piece *pieces;

	l->btf = value->btf;
	if (value->where != VALUE_IN_PIECES) {
		p = location_of_piece(l, value, module);
	} else {
		p.npieces = value->pieces->len;
		p.pieces = pieces = ast_alloc(l->prog->ast, p.npieces * sizeof(*pieces));
		for (unsigned i = 0; i < p.npieces; i++) {
			const struct dwarf_value *part =
				&g_array_index(value->pieces, struct dwarf_value, i);

			pieces[i] = (struct location_piece){ location_of_piece(l, part, module),
							     part->bits };
		}
	}
	dwarf_value_clear(value);
	return p;
}

const char *dwarf_location_missing(struct lowering *l, struct dwarf *d,
				   const struct dwarf_place *place, const char *name)
{
	GPtrArray *names = dwarf_names(d, place, DWARF_PARAMETERS | DWARF_LOCALS);
	GString *list = g_string_new(NULL);
	const char *why;

	for (guint i = 0; i < names->len; i++)
		g_string_append_printf(list, " $%s", (const char *)names->pdata[i]);
	why = ast_printf(l->prog->ast, "%s has no '$%s' (available:%s)", l->probe->point, name,
			 list->len ? list->str : " none");
	g_string_free(list, TRUE);
	g_ptr_array_unref(names);
	return why;
}

struct location dwarf_location_variable(struct lowering *l, const char *name)
{
	struct dwarf_value value;
	const char *why;
	struct dwarf *d = debuginfo_dwarf(l->prog->info, variable_module(l->probe), &why);

	if (!d)
		return location_fail(l, why);
	if (!dwarf_variable(d, l->probe->place, name, &value, &why))
		return location_fail(l, why ? why
					    : dwarf_location_missing(l, d, l->probe->place, name));
	return dwarf_location_value(l, &value, variable_module(l->probe));
}

/* The place of l->probe's function. 0: DWARF does not have it. */
static int place_of(struct lowering *l, struct dwarf *d, struct dwarf_place *place)
{
	struct dwarf_query q = { .kind = DWARF_ENTRY, .function = l->probe->function };
	GArray *places;
	int found;

	if (l->probe->place) {
		*place = *l->probe->place;
		return 1;
	}
	places = dwarf_places(d, &q);
	found = places->len != 0;
	if (found)
		*place = g_array_index(places, struct dwarf_place, 0);
	g_array_unref(places);
	return found;
}

struct location dwarf_location_file_global(struct lowering *l, const char *name)
{
	const char *module = variable_module(l->probe), *why;
	struct dwarf *d = debuginfo_dwarf(l->prog->info, module, &why);
	struct dwarf_place place;
	struct dwarf_value value;

	if (!d || !place_of(l, d, &place) || !dwarf_file_global(d, &place, name, &value, &why))
		return (struct location){ .where = IN_NONE };
	return dwarf_location_value(l, &value, module);
}

guint32 dwarf_location_type(struct lowering *l, const char *name, const char *module)
{
	const char *why;
	struct dwarf *d = debuginfo_dwarf(l->prog->info, module, &why);

	return d ? dwarf_type(d, name, &l->btf) : 0;
}

struct location dwarf_location_global(struct lowering *l, const char *name, const char *file,
				      const char *module)
{
	struct dwarf_value value;
	const char *why;
	struct dwarf *d = debuginfo_dwarf(l->prog->info, module, &why);

	if (!d)
		return (struct location){ .where = IN_NONE };
	if (!dwarf_global(d, name, file, &value, &why))
		return location_fail(l, why);
	return dwarf_location_value(l, &value, module);
}

GPtrArray *dwarf_location_names(struct lowering *l, int parameters, int locals)
{
	const char *why;
	struct dwarf *d = debuginfo_dwarf(l->prog->info, variable_module(l->probe), &why);

	if (!d)
		return g_ptr_array_new();
	return dwarf_names(d, l->probe->place,
			   (parameters ? DWARF_PARAMETERS : 0) | (locals ? DWARF_LOCALS : 0));
}
