/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * user_variable.c - see user_variable.h. A place is looked up in DWARF by its address on first use:
 * most scripts only count hits.
 *
 * At a return, parameters have their values of the entry, if they were passed according to the ABI:
 * the runtimes keep those.
 */
#include "translator/target_var/user_variable.h"

#include "lib/dwarf_regs.h"
#include "translator/build/header_types.h"
#include "translator/debuginfo/debuginfo.h"
#include "translator/debuginfo/dwarf.h"
#include "translator/debuginfo/dwarf_function.h"
#include "translator/debuginfo/dwarf_var.h"
#include "translator/debuginfo/files.h"
#include "translator/debuginfo/userfile.h"
#include "translator/debuginfo/userpath.h"
#include "translator/families/shared.h"
#include "translator/families/user_site.h"
#include "translator/program/options.h"
#include "translator/target_var/dwarf_location.h"
#include "translator/target_var/location.h"

#include <stdlib.h>
#include <string.h>

static const struct builtin narrow = {
	"narrow", TYPE_LONG, "ll", "rt_narrow", 0, 0, "", KIND_NARROW
};
static const struct builtin result = { "result", TYPE_LONG,   "l", "rt_returned",
				       CTX,	 RT_CAP_REGS, "",  KIND_RETURNED };
static const struct builtin address = { "address", TYPE_LONG,	"l", "rt_user_address",
					CTX,	   RT_CAP_ARGS, "",  KIND_USER_ADDRESS };

struct ast_node *lower_user_address(struct lowering *l, guint64 linked)
{
	return lower_call(l, &address, lower_number(l, (gint64)linked), NULL, NULL);
}

/* Of a cast to a type of "<sys/time.h>": a file that has the type. NULL with *why: none has. */
static struct userfile *headers_file(const struct lowering *l, const char **why)
{
	const char *type = l->node->u.target.type_name;
	char *path = header_types(l->node->u.target.module, why),
	     *name = g_strchomp(g_strndup(type ? type : "", strcspn(type ? type : "", "*")));
	struct userfile *file = path ? debuginfo_userfile(l->prog->info, path, why) : NULL;
	struct dwarf *d = file ? userfile_dwarf(file, why) : NULL;
	const struct btf *btf;

	if (d && !dwarf_type(d, name, &btf)) {
		*why = ast_printf(l->prog->ast, "the headers have no type '%s'", name);
		d = NULL;
	}
	g_free(name);
	g_free(path);
	return d ? file : NULL;
}

struct userfile *user_named_file(const struct lowering *l)
{
	const char *name = l->node->u.target.form == TARGET_DOLLAR ? NULL
								   : l->node->u.target.module,
		   *why;
	GPtrArray *found = name && strchr(name, '/') && !strpbrk(name, "<>")
				   ? userpath_programs(name, l->prog->opt->sysroot)
				   : NULL;
	struct userfile *file = name && *name == '<' ? headers_file(l, &why) : NULL;

	if (found && found->len)
		file = debuginfo_userfile(l->prog->info, ((struct userpath *)found->pdata[0])->host,
					  &why);
	if (found)
		g_ptr_array_unref(found);
	return file;
}

const char *user_headers_problem(const struct lowering *l)
{
	const char *name = l->node->u.target.module, *why = NULL;

	return name && *name == '<' && !headers_file(l, &why) ? why : NULL;
}

/* DWARF of the probed file; NULL with l->why. */
static struct dwarf *dwarf_here(struct lowering *l)
{
	const struct user_site *site = user_site_of(l->probe);
	const char *why;
	struct dwarf *d = userfile_dwarf(site->file, &why);

	if (!d && !l->why)
		l->why = ast_printf(
			l->prog->ast,
			"%s has no debuginfo (%s): int_arg(1), pointer_arg(2) and the like read what was passed in registers",
			site->row.path, why);
	return d;
}

/* The place of the probe, in its function. 0 with l->why. */
static int place_here(struct lowering *l, struct dwarf *d, struct dwarf_place *place)
{
	const char *missing;

	if (l->probe->place) {
		*place = *l->probe->place;
		return 1;
	}
	if (dwarf_place_at(d, user_site_of(l->probe)->row.address, place))
		return 1;
	missing = dwarf_missing(d);
	location_fail(
		l,
		missing ? ast_printf(
				  l->prog->ast,
				  "the debuginfo is split, and '%s' is not where the program says it is",
				  missing)
			: "the debuginfo does not know this function");
	return 0;
}

/* ---- marks ------------------------------------------------------------------------*/

static struct ast_node *narrowed(struct lowering *l, struct ast_node *value, int kind)
{
	return abs(kind) == 8 ? value : lower_call(l, &narrow, value, lower_number(l, kind), NULL);
}

static struct ast_node *dwarf_register(struct lowering *l, int number)
{
	return lower_word(l, (struct location){ .where = IN_REGISTER, .slot = (unsigned)number },
			  0);
}

/* The address of a mark's argument in memory. NULL with l->why. */
static struct ast_node *mark_address(struct lowering *l, const struct stapsdt_argument *a)
{
	const struct user_site *site = user_site_of(l->probe);
	/* RIP-relative, the form of a symbol's address */
	int relative = a->base == 16 && strcmp(l->prog->arch, "arm64");
	struct ast_node *at = NULL, *index;
	guint64 linked = 0;

	if (*a->symbol && !userfile_symbol(site->file, a->symbol, &linked)) {
		l->why = ast_printf(l->prog->ast, "the file has no symbol '%s', where it lies",
				    a->symbol);
		return NULL;
	}
	if (*a->symbol)
		at = lower_user_address(l, linked);
	if (a->base >= 0 && !relative)
		at = at ? lower_binary(l, at, "+", dwarf_register(l, a->base))
			: dwarf_register(l, a->base);
	if (a->index >= 0) {
		index = lower_binary(l, narrowed(l, dwarf_register(l, a->index), a->index_size),
				     "*", lower_number(l, a->scale));
		at = at ? lower_binary(l, at, "+", index) : index;
	}
	return at ? lower_binary(l, at, "+", lower_number(l, a->number))
		  : lower_number(l, a->number);
}

static struct ast_node *mark_value(struct lowering *l, const struct stapsdt_argument *a)
{
	int kind = a->size, bytes = a->base_bits / 8;
	struct ast_node *n;

	switch (a->where) {
	case STAPSDT_NUMBER:
		return narrowed(l, lower_number(l, a->number), kind);
	case STAPSDT_REGISTER:
		n = dwarf_register(l, a->base);
		if (a->base_high)
			n = lower_binary(l, n, ">>", lower_number(l, 8));
		return narrowed(l, n, bytes < abs(kind) ? (kind < 0 ? -bytes : bytes) : kind);
	default:
		n = mark_address(l, a);
		return n ? lower_load(l, n, kind) : NULL;
	}
}

/* A mark's argument: "arg3" is the third one. */
static struct location mark_variable(struct lowering *l, const char *name)
{
	const char *text = user_site_of(l->probe)->mark.arguments, *why = NULL;
	struct stapsdt_argument a;
	unsigned n = g_str_has_prefix(name, "arg") ? (unsigned)strtoul(name + 3, NULL, 10) : 0,
		 i = 0;
	struct location p = { .where = COMPUTED };
	int got = 0;

	if (l->node->u.target.nsuffixes || l->node->u.target.address_of)
		return location_fail(
			l,
			"a mark's arguments have no types: write @cast($arg1, \"type\")->member");
	while (n && i < n &&
	       (got = stapsdt_argument(&text, userfile_arch(user_site_of(l->probe)->file), &a,
				       &why)))
		i++;
	if (!n || !got)
		return location_fail(l,
				     ast_printf(l->prog->ast, "%s has no '$%s' (its arguments: %s)",
						l->probe->point, name,
						*user_site_of(l->probe)->mark.arguments
							? user_site_of(l->probe)->mark.arguments
							: "none"));
	if (got < 0)
		return location_fail(l, why);
	p.base = mark_value(l, &a);
	return p.base ? p : location_fail(l, "it cannot be read");
}

static GPtrArray *mark_names(struct lowering *l)
{
	const char *text = user_site_of(l->probe)->mark.arguments, *why;
	GPtrArray *names = g_ptr_array_new();
	struct stapsdt_argument a;

	for (unsigned n = 1;
	     stapsdt_argument(&text, userfile_arch(user_site_of(l->probe)->file), &a, &why); n++)
		g_ptr_array_add(names, (void *)ast_printf(l->prog->ast, "arg%u", n));
	return names;
}

const char *user_text(const struct lowering *l, const char *name)
{
	const struct user_site *site = user_site_of(l->probe);

	if (!strcmp(name, "$$name"))
		return site->mark.name ? site->mark.name : l->probe->function;
	return !strcmp(name, "$$provider") ? site->mark.provider : NULL;
}

/* ---- functions ----------------------------------------------------------------------*/

static struct location user_result(struct lowering *l)
{
	struct location p = { .where = IN_RESULT };
	struct dwarf_place place;
	const char *why;
	struct dwarf *d = userfile_dwarf(user_site_of(l->probe)->file, &why);

	if (!family_is_return(l->probe))
		return location_fail(l, "$return is only known in a .return probe");
	if (!d || !place_here(l, d, &place)) {		/* the result register's value */
		l->why = NULL;
		if (l->node->u.target.nsuffixes)
			return location_fail(
				l,
				"its type is not known without debuginfo: write @cast(returnval(), \"type\")->member");
		return (struct location){ .where = COMPUTED,
					  .base = lower_call(l, &result, lower_number(l, 8), NULL,
							     NULL) };
	}
	p.type = dwarf_result(d, &place, &l->btf);
	return p.type ? p
		      : location_fail(l,
				      ast_printf(l->prog->ast,
						 "'%s' returns nothing, or a floating-point number",
						 l->probe->function));
}

/* The ABI's argument slot of a register; -1: none. */
static int argument_slot(const struct lowering *l, unsigned number)
{
	int arm64 = !strcmp(l->prog->arch, "arm64");

	for (unsigned i = 0; i < dwarf_arguments(arm64); i++)
		if (dwarf_argument(arm64, i) == number)
			return (int)i;
	return -1;
}

/* True if a value is in registers or computed from them, which are lost at a return. */
static int uses_registers(const struct dwarf_value *value)
{
	int uses = value->where == VALUE_IN_REGISTER;

	for (guint i = 0; value->steps && i < value->steps->len; i++)
		uses |= g_array_index(value->steps, struct dwarf_step, i).step == STEP_REGISTER;
	for (guint i = 0; value->pieces && i < value->pieces->len; i++)
		uses |= uses_registers(&g_array_index(value->pieces, struct dwarf_value, i));
	return uses;
}

/* A parameter at its function's entry; at a return, its value of the entry. */
static struct location user_parameter(struct lowering *l, struct dwarf *d,
				      const struct dwarf_place *place, const char *name)
{
	struct dwarf_value value;
	const char *why = NULL;

	if (!dwarf_parameter(d, place, name, &value, &why))
		return location_fail(l, why ? why : dwarf_location_missing(l, d, place, name));
	if (value.where == VALUE_IN_REGISTER && argument_slot(l, value.reg) >= 0) {
		value.reg = (unsigned)argument_slot(l, value.reg);
		value.where = VALUE_IN_ARGUMENT;
	}
	if ((value.where == VALUE_IN_ARGUMENT || value.where == VALUE_AT_ARGUMENT) &&
	    value.reg >= RT_ARGS) {
		dwarf_value_clear(&value);
		return location_fail(l, "it lies too far up the stack");
	}
	if (family_is_return(l->probe) && uses_registers(&value)) {
		dwarf_value_clear(&value);
		return location_fail(
			l, ast_printf(l->prog->ast,
				      "it is not kept until the return: write @entry($%s)", name));
	}
	return dwarf_location_value(l, &value, NULL);
}

/* The location of a variable in scope at the probe. */
static struct location in_scope(struct lowering *l, struct dwarf *d,
				 const struct dwarf_place *place, const char *name)
{
	struct dwarf_value value;
	const char *why;

	if (user_site_of(l->probe)->at_entry)
		return user_parameter(l, d, place, name);
	if (!dwarf_variable(d, place, name, &value, &why))
		return location_fail(l, why ? why : dwarf_location_missing(l, d, place, name));
	return dwarf_location_value(l, &value, NULL);
}

struct location user_variable(struct lowering *l, const char *name)
{
	const struct user_site *site = user_site_of(l->probe);
	struct dwarf_place place;
	struct dwarf_value value;
	const char *why;
	struct dwarf *d;
	struct location p;

	if (site->mark.name)
		return mark_variable(l, name);
	if (!strcmp(name, "return"))
		return user_result(l);
	d = dwarf_here(l);
	if (!d || !place_here(l, d, &place))
		return (struct location){ .where = IN_NONE };
	p = in_scope(l, d, &place, name);
	if (p.where != IN_NONE || !dwarf_file_global(d, &place, name, &value, &why))
		return p;
	l->why = NULL;		/* not in scope; try a variable of its file */
	return dwarf_location_value(l, &value, NULL);
}

struct location user_global(struct lowering *l, const char *name, const char *file)
{
	struct userfile *named = user_named_file(l);
	struct dwarf *d;
	struct dwarf_value value;
	const char *why;

	if (named && (!user_site_of(l->probe) || named != user_site_of(l->probe)->file))
		return location_fail(
			l,
			"where another file than the probed one lies in the process is not known");
	d = dwarf_here(l);
	if (!d)
		return (struct location){ .where = IN_NONE };
	if (!dwarf_global(d, name, file, &value, &why))
		return location_fail(l, why);
	return dwarf_location_value(l, &value, NULL);
}

guint32 user_type(struct lowering *l, const char *name)
{
	struct userfile *named = user_named_file(l);
	const char *why;
	struct dwarf *d = named ? userfile_dwarf(named, &why) : dwarf_here(l);

	return d ? dwarf_type(d, name, &l->btf) : 0;
}

GPtrArray *user_names(struct lowering *l, int parameters, int locals)
{
	struct dwarf_place place;
	struct dwarf *d;

	if (user_site_of(l->probe)->mark.name)
		return mark_names(l);
	d = dwarf_here(l);
	if (!d || !place_here(l, d, &place))
		return g_ptr_array_new();
	if (user_site_of(l->probe)->at_entry)
		locals = 0;			/* none has a value yet */
	return dwarf_names(d, &place,
			   (parameters ? DWARF_PARAMETERS : 0) | (locals ? DWARF_LOCALS : 0));
}
