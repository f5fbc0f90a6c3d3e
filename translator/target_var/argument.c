/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * argument.c - arguments and results of kernel functions and tracepoints (variable.h), by their
 * prototype and the ABI.
 *
 * x86-64 passes arguments in 6 registers, arm64 in 8, then on the stack; a struct of up to 16 bytes
 * takes one or two registers, a larger one is passed on the stack (x86-64) or by address (arm64). A
 * larger struct is returned in memory of the caller: x86-64 passes the address as a hidden first
 * argument and returns it.
 */
#include "translator/target_var/argument.h"

#include "translator/debuginfo/btf.h"
#include "translator/debuginfo/debuginfo.h"
#include "translator/debuginfo/dwarf.h"
#include "translator/debuginfo/dwarf_function.h"
#include "translator/debuginfo/files.h"
#include "translator/families/family.h"
#include "translator/families/shared.h"
#include "translator/target_var/location.h"
#include "translator/target_var/variable.h"

#include <string.h>

/* DWARF's prototype of a function that BTF lacks, such as in a module without BTF. */
static int known_to_dwarf(struct lowering *l, guint32 *proto)
{
	const char *why;
	struct dwarf *d = l->probe->family->row != ROW_FUNCTION
				  ? NULL
				  : debuginfo_dwarf(l->prog->info, variable_module(l->probe), &why);

	*proto = d ? dwarf_prototype(d, l->probe->function, &l->btf) : 0;
	return *proto != 0;
}

guint32 argument_prototype(struct lowering *l, unsigned *skip)
{
	const struct probe *p = l->probe;
	char *name = NULL;
	guint32 id = 0;

	*skip = 0;
	if (p && p->family->row == ROW_FUNCTION) {
		id = btf_find(l->btf, p->function, BTF_FUNC);
	} else if (p && p->family->row == ROW_TRACEPOINT) {
		*skip = 1;
		name = g_strdup_printf("__traceiter_%s",
				       ((const struct rt_tracepoint *)p->row)->name);
		id = btf_find(l->btf, name, BTF_FUNC);
		g_free(name);
	} else {
		return 0;		/* has_variables() has set the reason */
	}
	if (!id && known_to_dwarf(l, &id))
		return id;
	if (!id)
		location_fail(l, ast_printf(l->prog->ast, "the kernel's BTF does not know '%s'",
					    p->function));
	else if (btf_find_next(l->btf, id) &&
		 btf_fields(l->btf, btf_target(l->btf, btf_find_next(l->btf, id))) !=
			 btf_fields(l->btf, btf_target(l->btf, id)))
		location_fail(
			l,
			ast_printf(l->prog->ast,
				   "several functions are called '%s', with different parameters",
				   p->function));
	return l->why ? 0 : btf_target(l->btf, id);
}

/* ABI slot of parameter n; *by_address: the slot contains the address of a copy. */
static unsigned abi_slot(struct lowering *l, guint32 proto, unsigned n, int *by_address)
{
	int arm64 = !strcmp(l->prog->arch, "arm64");
	unsigned registers = arm64 ? 8 : 6,
		 used = !arm64 && btf_size(l->btf, btf_target(l->btf, proto)) > 16, stack = 0,
		 slot = 0;
	struct btf_field field;

	for (unsigned i = 0; i <= n && btf_field(l->btf, proto, i, &field); i++) {
		unsigned words = (unsigned)((btf_size(l->btf, field.type) + 7) / 8);
		int large = words > 2;

		*by_address = large && arm64;
		if (!words || *by_address)
			words = 1;
		if ((!large || arm64) && used + words <= registers) {
			slot = used;
			used += words;
		} else {
			if (arm64)
				used = registers;
			slot = registers + stack;
			stack += words;
		}
	}
	return slot;
}

static const char *no_parameter(struct lowering *l, guint32 proto, unsigned skip, const char *name)
{
	GString *names = g_string_new(NULL);
	struct btf_field field;
	const char *why;

	for (unsigned i = skip; btf_field(l->btf, proto, i, &field); i++)
		g_string_append_printf(names, " $%s", field.name);
	if (family_is_return(l->probe) && btf_target(l->btf, proto))
		g_string_append(names, " $return");
	why = ast_printf(l->prog->ast, "%s has no '%s' (available:%s)", l->probe->point, name,
			 names->len ? names->str : " none");
	g_string_free(names, TRUE);
	return why;
}

struct location argument_location(struct lowering *l, const char *name)
{
	struct btf_field field;
	struct location p = { .where = IN_ARGUMENT };
	unsigned skip, i;
	guint32 proto = argument_prototype(l, &skip);
	int by_address = 0;

	if (!proto)
		return location_fail(l, "no prototype");
	for (i = skip; btf_field(l->btf, proto, i, &field) && strcmp(field.name, name); i++)
		;
	if (l->probe->family->row == ROW_TRACEPOINT && g_str_has_prefix(name, "arg") &&
	    g_ascii_isdigit(name[3]))
		i = skip + (unsigned)strtoul(name + 3, NULL, 10) - 1;
	if (!btf_field(l->btf, proto, i, &field) || !*name)
		return location_fail(
			l, no_parameter(l, proto, skip, ast_printf(l->prog->ast, "$%s", name)));
	p.slot = abi_slot(l, proto, i, &by_address) - skip;
	p.type = field.type;
	if (p.slot + (btf_size(l->btf, p.type) + 7) / 8 > RT_ARGS)
		return location_fail(l, "it lies too far up the stack");
	if (!by_address)
		return p;
	return (struct location){ .where = IN_MEMORY, .type = p.type, .base = lower_word(l, p, 0) };
}

struct location argument_result(struct lowering *l)
{
	unsigned skip;
	guint32 proto = l->probe && family_is_return(l->probe) ? argument_prototype(l, &skip) : 0;
	struct location p = { .where = IN_RESULT, .type = proto ? btf_target(l->btf, proto) : 0 };

	if (!proto)
		return location_fail(l, "$return is only known in a .return probe");
	if (!p.type)
		return location_fail(
			l, ast_printf(l->prog->ast, "'%s' returns nothing", l->probe->function));
	if (btf_size(l->btf, p.type) <= 16)
		return p;
	if (!strcmp(l->prog->arch, "arm64"))
		return location_fail(l, "the returned struct lies where only the caller knows");
	return (struct location){ .where = IN_MEMORY, .type = p.type, .base = lower_word(l, p, 0) };
}
